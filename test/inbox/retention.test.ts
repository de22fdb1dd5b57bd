import { expect, it } from "vitest";
import { pruneInboxes } from "../../src/inbox/retention.ts";
import { isoTime } from "../../src/ports/clock.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { CollectionName } from "../../src/storage/schema.ts";
import type { Row, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";

const dayMs = 86_400_000;
const messagesKeptMs = 365 * dayMs;

/** Rows that are this many days old. */
async function rowsOf(rows: readonly (readonly [CollectionName, string, number, Partial<Row>])[]) {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  await storage.migrate();
  for (const [collection, id, days, fields] of rows) {
    const at = isoTime(clock.now() - days * dayMs);
    const row = { id, created_at: at, sent_at: at, last_at: at, ...fields };
    const columns = collection === "messages" ? row : { ...row, sent_at: undefined };
    await storage.write([{ kind: "insert", collection, row: JSON.parse(JSON.stringify(columns)) as Row }]);
  }
  await pruneInboxes({ storage, messagesKeptMs });
  const left = async (collection: CollectionName) =>
    (await storage.find(collection, { where: {} })).rows.map(({ id }) => id).sort();
  return { left };
}

it("the cleanup keeps messages for a year, and unsent replies for a month", async () => {
  const message = (id: string, days: number, state: string) =>
    ["messages", id, days, { state, profile_id: "prof_1", key: id }] as const;
  const { left } = await rowsOf([
    message("live young", 364, "live"),
    message("live old", 366, "live"),
    ...["failed", "undecided", "merged"].flatMap((state) => [
      message(`${state} young`, 29, state),
      message(`${state} old`, 31, state),
    ]),
    message("open old", 400, "open"),
  ]);
  expect(await left("messages")).toEqual(["failed young", "live young", "merged young", "open old", "undecided young"]);
});

const conversation = (id: string, days: number, last_id: string | null = id) =>
  ["conversations", id, days, { seq: 1, profile_id: "prof_1", key: id, private: { last_id } }] as const;

const messageIn = (conversation_id: string, id: string, days: number) =>
  ["messages", id, days, { state: "live", profile_id: "prof_1", key: id, conversation_id }] as const;

it("the cleanup deletes conversations without messages for a year, with their last message", async () => {
  const { left } = await rowsOf([
    conversation("young", 364),
    messageIn("young", "young first", 366),
    messageIn("young", "young last", 364),
    conversation("old", 366),
    messageIn("old", "old first", 400),
    messageIn("old", "old last", 366),
  ]);
  expect(await left("conversations")).toEqual(["young"]);
  expect(await left("messages")).toEqual(["young last"]);
});

it("the cleanup deletes a conversation in which everything was deleted a year after its newest message", async () => {
  const { left } = await rowsOf([
    // Its own date is the day on which it was first read.
    conversation("young", 340, null),
    messageIn("young", "young first", 367),
    messageIn("young", "young last", 364),
    conversation("old", 340, null),
    messageIn("old", "old last", 366),
  ]);
  expect(await left("conversations")).toEqual(["young"]);
});

it.each([
  ["keeps a conversation in which a message arrives", 0, true],
  ["deletes a conversation that is marked as read", 366, false],
] as const)("the cleanup %s while it is checked", async (_, days, isLeft) => {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  await storage.migrate();
  const sent_at = isoTime(clock.now() - 366 * dayMs);
  const row = { profile_id: "prof_1", created_at: sent_at };
  await storage.write([
    {
      kind: "insert",
      collection: "conversations",
      row: { ...row, id: "cnv_1", key: "a", last_at: sent_at, seq: 1, private: { last_id: "msg_1" } },
    },
    {
      kind: "insert",
      collection: "messages",
      row: { ...row, id: "msg_1", key: "b", conversation_id: "cnv_1", state: "live", sent_at },
    },
  ]);
  const change = { seq: 2, last_at: isoTime(clock.now() - days * dayMs) };
  let isBusy = true;
  const busy: Storage = {
    ...storage,
    async write(operations) {
      if (isBusy && operations.some(({ kind, collection }) => kind === "delete" && collection === "conversations")) {
        isBusy = false;
        await storage.write([{ kind: "update", collection: "conversations", id: "cnv_1", change, where: {} }]);
      }
      await storage.write(operations);
    },
  };
  await pruneInboxes({ storage: busy, messagesKeptMs });
  expect((await storage.get("conversations", "cnv_1")) !== null).toBe(isLeft);
});

it("the cleanup deletes received events after a week, unread ones after a month, and updates whose message never came", async () => {
  const event = (id: string, days: number, state: string) =>
    ["hook_events", id, days, { state, inbox_id: "inb_1", event_id: id }] as const;
  const stray = (id: string, days: number) =>
    ["pending_updates", id, days, { inbox_id: "inb_1", about: id, digest: id }] as const;
  const { left } = await rowsOf([
    event("done young", 6, "done"),
    event("done old", 8, "done"),
    event("aside young", 29, "aside"),
    event("aside old", 31, "aside"),
    event("new young", 29, "new"),
    event("new old", 31, "new"),
    stray("stray young", 6),
    stray("stray old", 8),
  ]);
  expect(await left("hook_events")).toEqual(["aside young", "done young", "new young"]);
  expect(await left("pending_updates")).toEqual(["stray young"]);
});
