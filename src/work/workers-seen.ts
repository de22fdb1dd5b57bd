import type { Storage } from "../storage/storage.ts";

const hourMs = 3_600_000;
/** Hours back in which a worker counts as seen. One that runs is noted once an hour, a few seconds late at times. */
const seenHours = 2;

type Counters = Pick<Storage, "now" | "increment">;

/** Notes that a worker runs on this store. Call it about once an hour. */
export async function noteWorker(storage: Counters): Promise<void> {
  const now = await storage.now();
  await count(storage, { hour: hourOf(now), by: 1, now });
}

/** True if a worker in any process has run on this store in the last two hours. */
export async function isWorkerSeen(storage: Counters): Promise<boolean> {
  const now = await storage.now();
  const hours = Array.from({ length: seenHours + 1 }, (_, back) => hourOf(now) - back);
  const counts = await Promise.all(hours.map((hour) => count(storage, { hour, by: 0, now })));
  return counts.some((each) => each > 0);
}

function hourOf(now: number): number {
  return Math.floor(now / hourMs);
}

function count(storage: Counters, { hour, by, now }: { hour: number; by: number; now: number }): Promise<number> {
  const expiresAt = (hour + seenHours + 2) * hourMs;
  return storage.increment({ key: `workers:${hour}`, by, now, expiresAt });
}
