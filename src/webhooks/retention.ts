import { isoTime } from "../ports/clock.ts";
import type { Operation, Storage } from "../storage/storage.ts";

/** How long settled deliveries stay in the log, milliseconds. */
const keptMs = 30 * 86_400_000;
/** Rows deleted in one write. */
const deletedAtOnce = 500;

/** Deletes what has been in the log for 30 days. */
export async function pruneDeliveries({ storage }: { storage: Storage }): Promise<void> {
  const before = isoTime((await storage.now()) - keptMs);
  const where = { status: { in: ["delivered", "failed"] }, created_at: { lt: before } };
  for (;;) {
    const { rows } = await storage.find("deliveries", { where, limit: deletedAtOnce, isCounted: false });
    await storage.write(rows.map(({ id }): Operation => ({ kind: "delete", collection: "deliveries", id })));
    if (rows.length < deletedAtOnce) return;
  }
}
