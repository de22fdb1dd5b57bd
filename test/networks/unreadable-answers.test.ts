import { expect, it } from "vitest";
import { SocialError } from "../../src/wire/errors.ts";
import { crashNetworks } from "../support/crash-networks.ts";
import { createTestService } from "../support/service.ts";

/** More requests than any connecting needs. */
const maxRequests = 8;

it.each(crashNetworks.map((network) => [network.name, network] as const))(
  "connecting on %s fails with a clear error if any request gets an HTML page as its response",
  async (_, network) => {
    const failures: unknown[] = [];
    for (let after = 0; after < maxRequests; after++) {
      const { social, sandbox, clock } = createTestService();
      const connection = network.connect(sandbox);
      network.faults(sandbox).add({ kind: "refuse", answer: { status: 200, text: "<html></html>" }, after });
      await clock.run(() => social.profiles.connect(connection)).catch((error: unknown) => failures.push(error));
    }
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(SocialError);
      expect(failure).toMatchObject({ code: "publish_failed", details: [{ code: "network_error" }] });
    }
  },
);
