import { isoTime } from "../ports/clock.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { Storage } from "../storage/storage.ts";

/** Deletes finished deliveries that are older than `deliveriesKeptMs`. */
export async function pruneDeliveries({
  storage,
  deliveriesKeptMs,
}: {
  storage: Storage;
  deliveriesKeptMs: number;
}): Promise<void> {
  const before = isoTime((await storage.now()) - deliveriesKeptMs);
  const where = { status: { in: ["delivered", "failed"] }, created_at: { lt: before } };
  await deleteFound(storage, "deliveries", where);
}
