import { isoTime } from "../ports/clock.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { Storage } from "../storage/storage.ts";

/** How long finished deliveries are kept in the log, milliseconds. */
const keptMs = 30 * 86_400_000;

/** Deletes finished deliveries that are older than 30 days. */
export async function pruneDeliveries({ storage }: { storage: Storage }): Promise<void> {
  const before = isoTime((await storage.now()) - keptMs);
  const where = { status: { in: ["delivered", "failed"] }, created_at: { lt: before } };
  await deleteFound(storage, "deliveries", where);
}
