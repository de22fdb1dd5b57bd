import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type Storage, type Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { pausesMs } from "./outcome.ts";
import type { DeliveryRow } from "./rows.ts";

/** Deliveries that are changed together. */
const atOnce = 200;
/** How often these may change between being read and written. */
const maxConflicts = 20;

/**
 * After this machine's clock was put back: what was named by a clock that ran ahead
 * is due no later than if it had been named now, and its endpoint is looked at
 * again. A longer pause that a receiver had asked for is forgotten.
 *
 * @param now the store's time, milliseconds
 */
export async function bringDeliveriesForward(storage: Storage, now: number): Promise<void> {
  const { rows } = await storage.find("endpoints", { where: {}, isCounted: false });
  for (const { id } of rows) {
    if (await bringEndpointForward(storage, id, now)) await lookAnew(storage, id, now);
  }
}

/** As the index has them. */
const order = { column: "due_at", direction: "asc" } as const;

/** False: nothing of this endpoint's lies ahead. */
async function bringEndpointForward(storage: Storage, webhook_id: string, now: number): Promise<boolean> {
  const ahead = { webhook_id, due_at: { gte: now + 1 } };
  const { total } = await storage.find("deliveries", { where: ahead, order, limit: 1, isCounted: false });
  if (total === 0) return false;
  for (const [attempts, pauseMs] of pausesMs.entries()) {
    // What is tried by hand has more attempts than there are pauses.
    const isLast = attempts === pausesMs.length - 1;
    await bringForward(storage, { webhook_id, attempts: isLast ? { gte: attempts } : attempts }, now + pauseMs);
  }
  return true;
}

/** Nothing of these is due later than `latest`. */
async function bringForward(storage: Storage, where: Where, latest: number): Promise<void> {
  const late = { ...where, due_at: { gte: latest + 1 } };
  const bringBatch = async (): Promise<boolean> => {
    const { rows } = await storage.find("deliveries", { where: late, order, limit: atOnce, isCounted: false });
    const operations = rows.map((row): Operation => {
      const { id, due_at } = fromRow<DeliveryRow>(row);
      return { kind: "update", collection: "deliveries", id, change: { due_at: latest }, where: { due_at } };
    });
    if (operations.length > 0) await storage.write(operations);
    return operations.length > 0;
  };
  while (await retryConflicts(bringBatch, { max: maxConflicts }));
}

async function lookAnew(storage: Storage, id: string, now: number): Promise<void> {
  try {
    await storage.write([{ kind: "update", collection: "endpoints", id, change: { due_at: now }, where: {} }]);
  } catch (error) {
    // Deleted meanwhile.
    if (!isConflictIn("endpoints", error)) throw error;
  }
}
