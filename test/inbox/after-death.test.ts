import { expect, it } from "vitest";
import type { InboxRow } from "../../src/inbox/rows.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { fromRow, toChange } from "../../src/storage/typed.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createProcess } from "../support/process.ts";
import { isWhole, shareNumber } from "../support/share.ts";

/** Reads an inbox in a process that dies at one moment, beside another one. */
async function play(dieAt?: number) {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const service = { networks: [bluesky({ scopes: ["publish", "inbox"] })] };
  const spawn = (at?: number) =>
    createProcess({ clock, storage, sandbox, service, ...(at !== undefined && { dieAt: at }) });
  const scope = "com.atproto.appPassPrivileged";
  const { handle, password } = sandbox.bluesky.addAccount({ handle: "fox.sandbox.example", scope });
  const credentials = { identifier: handle, app_password: password };
  const [opening, first, second] = [spawn(), spawn(dieAt), spawn()];
  await clock.run(() => opening.social.profiles.connect({ network: "bluesky", credentials }));
  await clock.run(() => opening.social.runDue());
  const read = async (): Promise<InboxRow> => {
    const [row] = (await storage.find("inboxes", { where: {} })).rows;
    if (row === undefined) throw new Error("No inbox was made.");
    return fromRow<InboxRow>(row);
  };
  const { id, private: state } = await read();
  const sources = Object.fromEntries(
    Object.entries(state.sources).map(([name, source]) => [name, { ...source, due_at: clock.now() }]),
  );
  const change = toChange({ due_at: clock.now(), private: { ...state, sources } });
  await storage.write([{ kind: "update", collection: "inboxes", id, change, where: {} }]);
  await clock.run(() => Promise.race([first.social.runDue(), first.died]));
  const diedAt = clock.monotonic();
  const left = await read();
  await clock.run(() => second.social.start());
  const isHeldByNobody = left.lease_until <= clock.now();
  while (!isHeldByNobody && (await read()).epoch === left.epoch) await clock.advance(100);
  return { moments: first.moments(), waitedMs: clock.monotonic() - diedAt };
}

const whole = await play();
const every = isWhole ? 1 : 3;

it.each(
  Array.from({ length: whole.moments }, (_, moment) => moment).filter(
    (moment) => moment % every === shareNumber % every,
  ),
)("an inbox whose reader dies at moment %i is read by another process within 30 s", async (moment) => {
  expect((await play(moment)).waitedMs).toBeLessThanOrEqual(30_000);
});
