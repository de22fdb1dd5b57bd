import { isoTime } from "../ports/clock.ts";
import { deleteFound } from "../storage/delete-found.ts";
import { isConflictIn, type Operation, type Storage } from "../storage/storage.ts";
import { deleteMessages } from "./erase.ts";

const dayMs = 86_400_000;
/** How long messages are kept after they were sent, milliseconds. */
const messagesMs = 365 * dayMs;
/** How long answers that were not sent, or are not known to have been, are kept under their keys, milliseconds. */
const unsentMs = 30 * dayMs;
/** How long what came before its message waits for it, milliseconds. */
export const straysMs = 7 * dayMs;
/** How long it is remembered what a network has sent, since it may send it again, milliseconds. */
const hookEventsMs = 7 * dayMs;
/** How long what could not be read is kept, and what nobody could read since its profile needs attention, milliseconds. */
const unreadMs = 30 * dayMs;
/** Conversations looked at in one round. */
const readAtOnce = 500;

/** Deletes messages that were sent a year ago, conversations that nobody wrote in since, and what nobody waits for any more. */
export async function pruneInboxes({ storage }: { storage: Storage }): Promise<void> {
  const now = await storage.now();
  const oldest = isoTime(now - messagesMs);
  const before = (ms: number) => ({ lt: isoTime(now - ms) });
  await deleteMessages(storage, { state: "live", sent_at: { lt: oldest } }, { along: "sent_at" });
  for (const state of ["failed", "undecided", "merged"])
    await deleteMessages(storage, { state, sent_at: before(unsentMs) }, { along: "sent_at" });
  await deleteFound(storage, "strays", { created_at: before(straysMs) });
  await deleteFound(storage, "hook_events", { state: "done", created_at: before(hookEventsMs) });
  for (const state of ["aside", "new"])
    await deleteFound(storage, "hook_events", { state, created_at: before(unreadMs) });
  await pruneConversations(storage, oldest);
}

/** One by one: a message may come into it at this moment, and then it stays. */
async function pruneConversations(storage: Storage, oldest: string): Promise<void> {
  const where = { last_at: { lt: oldest } };
  const { rows } = await storage.find("conversations", { where, limit: readAtOnce, isCounted: false });
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
