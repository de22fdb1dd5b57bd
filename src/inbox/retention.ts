import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { Row, Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { deleteMessages } from "./erase.ts";
import type { ConversationRow } from "./rows.ts";

const dayMs = 86_400_000;
/** How long answers that were not sent, or are not known to have been, are kept under their keys, milliseconds. */
const unsentMs = 30 * dayMs;
/** How long what came before its message waits for it, milliseconds. */
export const pendingUpdatesMs = 7 * dayMs;
/** How long it is remembered what a network has sent, since it may send it again, milliseconds. */
const hookEventsMs = 7 * dayMs;
/** How long what could not be read is kept, and what nobody could read since its profile needs attention, milliseconds. */
const unreadMs = 30 * dayMs;
/** How often a conversation may change while it is looked at. */
const maxConflicts = 20;

/**
 * Deletes messages that were sent longer ago than `messagesKeptMs`, conversations with their last one, and what nobody
 * waits for any more.
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
 * The conversations of messages that are about to be deleted, where nobody has written since. They are looked for here,
 * and not by when the last message came, because an index over that would change with each message.
 */
async function deleteOver(storage: Storage, messages: readonly Row[], oldest: string): Promise<void> {
  for (const id of new Set(messages.map(({ conversation_id }) => String(conversation_id))))
    await retryConflicts(() => deleteIfOver(storage, id, oldest), { max: maxConflicts });
}

/** A message may come at this moment, and then it stays; somebody may read it, and then it goes all the same. */
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
  // All were taken back: what is left of the newest says when that was written.
  const where = { conversation_id: id, state: "live", sent_at: { gte: oldest } };
  const order = { column: "sent_at", direction: "desc" } as const;
  const { rows } = await storage.find("messages", { where, order, limit: 1, isCounted: false });
  return rows.length === 0;
}
