import { createHandler } from "../../src/http/index.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { inboxContract } from "../../src/testing/inbox.ts";
import { inboxNetworks } from "../support/inbox-networks.ts";

for (const { adapter, host, open } of inboxNetworks)
  inboxContract({
    adapter,
    createHandler,
    open(clock) {
      const sandbox = createSandbox({ clock });
      return { sandbox, host: host(sandbox), scene: open(sandbox, { name: "fox" }) };
    },
  });
