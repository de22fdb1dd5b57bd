import { isoTime } from "../ports/clock.ts";
import { type FindQuery, isConflictIn, type Operation, type Storage } from "../storage/storage.ts";

const dayMs = 86_400_000;
/** How long messages are kept after they were sent, milliseconds. */
const messagesMs = 365 * dayMs;
/** How long answers that were not sent, or are not known to have been, are kept under their keys, milliseconds. */
const unsentMs = 30 * dayMs;
/** How long what came before its message waits for it, milliseconds. */
const straysMs = 7 * dayMs;
/** How long it is remembered what a network has sent, since it may send it again, milliseconds. */
const hookEventsMs = 7 * dayMs;
/** How long what could not be read is kept, and what nobody could read since its profile needs attention, milliseconds. */
const unreadMs = 30 * dayMs;
/** Rows deleted in one write. */
const deletedAtOnce = 500;

/** Deletes messages that were sent a year ago, conversations that nobody wrote in since, and what nobody waits for any more. */
export async function pruneInboxes({ storage }: { storage: Storage }): Promise<void> {
  const now = await storage.now();
  const oldest = isoTime(now - messagesMs);
  const before = (ms: number) => ({ lt: isoTime(now - ms) });
  await prune(storage, "messages", { where: { state: "live", sent_at: { lt: oldest } } });
  for (const state of ["failed", "undecided", "merged"])
    await prune(storage, "messages", { where: { state, sent_at: before(unsentMs) } });
  await prune(storage, "strays", { where: { created_at: before(straysMs) } });
  await prune(storage, "hook_events", { where: { state: "done", created_at: before(hookEventsMs) } });
  for (const state of ["aside", "new"])
    await prune(storage, "hook_events", { where: { state, created_at: before(unreadMs) } });
  await pruneConversations(storage, oldest);
}

async function prune(
  storage: Storage,
  collection: "messages" | "strays" | "hook_events",
  query: FindQuery,
): Promise<void> {
  for (;;) {
    const { rows } = await storage.find(collection, { ...query, limit: deletedAtOnce, isCounted: false });
    await storage.write(rows.map(({ id }): Operation => ({ kind: "delete", collection, id })));
    if (rows.length < deletedAtOnce) return;
  }
}

/** One by one: a message may come into it at this moment, and then it stays. */
async function pruneConversations(storage: Storage, oldest: string): Promise<void> {
  const where = { last_at: { lt: oldest } };
  const { rows } = await storage.find("conversations", { where, limit: deletedAtOnce, isCounted: false });
  for (const { id, seq } of rows) {
    const operations: Operation[] = [
      { kind: "check", collection: "conversations", id, where: { seq: Number(seq) } },
      { kind: "delete", collection: "conversations", id },
    ];
    await storage.write(operations).catch((error: unknown) => {
      if (!isConflictIn("conversations", error)) throw error;
    });
  }
}
