import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type Storage, type Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { pausesMs } from "./outcome.ts";
import type { DeliveryRow } from "./rows.ts";

/** Deliveries changed in one write. */
const atOnce = 200;
/** How often the deliveries may change between read and write. */
const maxConflicts = 20;

/**
 * Call this after the machine's clock was set back. Deliveries that were scheduled by a clock that was ahead become
 * due no later than if they were scheduled now, and their endpoints are checked again. A longer pause that a receiver
 * requested is lost.
 *
 * @param now the store's time, milliseconds
 */
export async function bringDeliveriesForward(storage: Storage, now: number): Promise<void> {
  const { rows } = await storage.find("endpoints", { where: {}, isCounted: false });
  for (const { id } of rows) {
    if (await bringEndpointForward(storage, id, now)) await lookAnew(storage, id, now);
  }
}

/** The order of the index. */
const order = { column: "due_at", direction: "asc" } as const;

/** False: the endpoint has no future deliveries. */
async function bringEndpointForward(storage: Storage, webhook_id: string, now: number): Promise<boolean> {
  const ahead = { webhook_id, due_at: { gte: now + 1 } };
  const { total } = await storage.find("deliveries", { where: ahead, order, limit: 1, isCounted: false });
  if (total === 0) return false;
  for (const [attempts, pauseMs] of pausesMs.entries()) {
    // Manual retries make more attempts than there are pauses.
    const isLast = attempts === pausesMs.length - 1;
    await bringForward(storage, { webhook_id, attempts: isLast ? { gte: attempts } : attempts }, now + pauseMs);
  }
  return true;
}

/** Makes these deliveries due at `latest` or earlier. */
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
