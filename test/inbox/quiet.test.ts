import { expect, it } from "vitest";
import type { InboxRow } from "../../src/inbox/rows.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow, toChange } from "../../src/storage/typed.ts";
import { createTestService } from "../support/service.ts";

it("an inbox whose lists bring nothing new is written to twice, besides its claim: for the cursor, and to free it", async () => {
  const { clock, storage, sandbox } = createTestService();
  let writes = 0;
  const counting: Storage = {
    ...storage,
    write(operations) {
      if (operations.some(({ kind, collection }) => kind === "update" && collection === "inboxes")) writes += 1;
      return storage.write(operations);
    },
  };
  // Time passes between claim and requests: a lease of exactly one request's length would need an extension.
  const http: typeof fetch = async (...request) => {
    await clock.sleep(100);
    return sandbox.http(...request);
  };
  const networks = [bluesky({ scopes: ["publish", "inbox"] })];
  const service = { ...createTestService({ networks, clock, storage: counting, http, untrustedHttp: http }), sandbox };
  const { social } = service;
  const scope = "com.atproto.appPassPrivileged";
  const { handle, password } = sandbox.bluesky.addAccount({ handle: "fox.sandbox.example", scope });
  const credentials = { identifier: handle, app_password: password };
  await clock.run(() => social.profiles.connect({ network: "bluesky", credentials }));
  await clock.run(() => social.runDue());
  const read = async (): Promise<InboxRow> => {
    const [row] = (await storage.find("inboxes", { where: {} })).rows;
    if (row === undefined) throw new Error("No inbox was made.");
    return fromRow<InboxRow>(row);
  };
  const { id, private: state } = await read();
  // The source that reads stored messages again is not a list, and not due.
  const lists = ["notifications", "own", "chat"];
  const due_at = clock.now();
  const sources = Object.fromEntries(
    Object.entries(state.sources).map(([name, source]) => [
      name,
      { ...source, due_at: lists.includes(name) ? due_at : due_at + 3_600_000 },
    ]),
  );
  const change = toChange({ due_at: clock.now(), private: { ...state, sources } });
  await storage.write([{ kind: "update", collection: "inboxes", id, change, where: {} }]);
  await clock.advance(60_000);
  writes = 0;
  await clock.run(() => social.runDue());
  const after = await read();
  for (const name of lists) expect(after.private.sources[name]?.read_at).toBeGreaterThan(due_at);
  expect(writes).toBe(2);
});
