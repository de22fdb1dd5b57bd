import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { Row, Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { deleteMessages } from "./erase.ts";
import type { ConversationRow } from "./rows.ts";

const dayMs = 86_400_000;
/** Retention of replies that were not sent, whose outcome is unknown, or that were merged, milliseconds. */
const unsentMs = 30 * dayMs;
/** Retention of an update that waits for its message, milliseconds. */
export const pendingUpdatesMs = 7 * dayMs;
/** Retention of the ids of processed events, because a network may send them again, milliseconds. */
const hookEventsMs = 7 * dayMs;
/**
 * Retention of unreadable events, and of events that are unread because their profile needs attention, milliseconds.
 */
const unreadMs = 30 * dayMs;
/** Maximum number of times that a conversation may change between reading and deleting. */
const maxConflicts = 20;

/**
 * Deletes messages that were sent longer ago than `messagesKeptMs`, conversations with their last message, and expired
 * replies, updates and events.
 */
export async function pruneInboxes({
  storage,
  messagesKeptMs,
}: {
  storage: Storage;
  messagesKeptMs: number;
}): Promise<void> {
  const now = await storage.now();
  const oldest = isoTime(now - messagesKeptMs);
  const before = (ms: number) => ({ lt: isoTime(now - ms) });
  await deleteMessages(
    storage,
    { state: "live", sent_at: { lt: oldest } },
    { along: "sent_at", before: (messages) => deleteOver(storage, messages, oldest) },
  );
  for (const state of ["failed", "undecided", "merged"])
    await deleteMessages(storage, { state, sent_at: before(unsentMs) }, { along: "sent_at" });
  await deleteFound(storage, "pending_updates", { created_at: before(pendingUpdatesMs) });
  await deleteFound(storage, "hook_events", { state: "done", created_at: before(hookEventsMs) });
  for (const state of ["aside", "new"])
    await deleteFound(storage, "hook_events", { state, created_at: before(unreadMs) });
}

/**
 * Deletes the conversations of messages that are about to be deleted, unless they have newer messages. It does not
 * search by the time of the last message, because an index on that would change with each message.
 */
async function deleteOver(storage: Storage, messages: readonly Row[], oldest: string): Promise<void> {
  for (const id of new Set(messages.map(({ conversation_id }) => String(conversation_id))))
    await retryConflicts(() => deleteIfOver(storage, id, oldest), { max: maxConflicts });
}

/**
 * Deletes a conversation, but not if a message arrives concurrently. After other changes `retryConflicts` repeats it.
 */
async function deleteIfOver(storage: Storage, id: string, oldest: string): Promise<void> {
  const row = await storage.get("conversations", id);
  if (row === null || !(await isOver(storage, fromRow<ConversationRow>(row), oldest))) return;
  await storage.write([
    { kind: "check", collection: "conversations", id, where: { seq: Number(row.seq) } },
    { kind: "delete", collection: "conversations", id },
  ]);
}

async function isOver(
  storage: Storage,
  { id, last_at, private: { last_id } }: ConversationRow,
  oldest: string,
): Promise<boolean> {
  if (last_at < oldest) return true;
  if (last_id !== null) return false;
  // All messages are deleted; the rows left of them still have their times.
  const where = { conversation_id: id, state: "live", sent_at: { gte: oldest } };
  const order = { column: "sent_at", direction: "desc" } as const;
  const { rows } = await storage.find("messages", { where, order, limit: 1, isCounted: false });
  return rows.length === 0;
}
