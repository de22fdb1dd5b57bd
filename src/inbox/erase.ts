import type { IntentRow } from "../sending/intent.ts";
import { type DeleteOptions, deleteFound } from "../storage/delete-found.ts";
import type { Operation, Storage, Where } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";

/** Deletes messages, and the records of sending replies. */
export function deleteMessages(
  storage: Storage,
  where: Where,
  options: Omit<DeleteOptions, "alongside">,
): Promise<void> {
  return deleteFound(storage, "messages", where, { ...options, alongside: (ids) => deleteSent(storage, ids) });
}

async function deleteSent(storage: Storage, messageIds: readonly string[]): Promise<Operation[]> {
  const where = { subject_id: { in: messageIds } };
  const found = await Promise.all(
    (["intents", "publications"] as const).map(async (collection) => {
      const { rows } = await storage.find(collection, { where, isCounted: false });
      return rows.map(({ id }): Operation => ({ kind: "delete", collection, id }));
    }),
  );
  return found.flat();
}

/** Deletes an inbox's pending updates and webhook events. */
export async function eraseWaiting(storage: Storage, inboxId: string, options: Pick<DeleteOptions, "before"> = {}) {
  await deleteFound(storage, "pending_updates", { inbox_id: inboxId }, { ...options, along: "about" });
  await deleteFound(storage, "hook_events", { inbox_id: inboxId }, { ...options, along: "state" });
}

/** Deletes the messages and conversations of a profile. */
export async function eraseMessages(storage: Storage, profileId: string, options: Pick<DeleteOptions, "before"> = {}) {
  const where = { profile_id: profileId };
  await deleteMessages(storage, where, { ...options, along: "seq" });
  await deleteFound(storage, "conversations", where, { ...options, along: "seq" });
}

/** The operations that erase the content of sent replies from their intents. The intents remain. */
export async function clearSent(storage: Storage, messageIds: readonly string[]): Promise<Operation[]> {
  if (messageIds.length === 0) return [];
  const where = { subject_id: { in: messageIds } };
  const { rows } = await storage.find("intents", { where, isCounted: false });
  return rows.map((row) => {
    const { id, state, private: record } = fromRow<IntentRow>(row);
    const { body: _, hash: __, ...kept } = record;
    return { kind: "update", collection: "intents", id, change: toChange({ private: kept }), where: { state } };
  });
}
