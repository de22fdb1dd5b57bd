import type { Clock } from "../ports/clock.ts";
import { type ClaimableCollection, type Operation, type Storage, StorageConflict } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";

// A machine's clock may be set ahead or back, and a machine may sleep. What was
// counted by such a clock is found here, and here it is decided what of it still holds.

/** This machine's clocks, read at one moment, milliseconds. */
export interface ClockReading {
  wall: number;
  monotonic: number;
}

export function readClocks(clock: Clock): ClockReading {
  return { monotonic: clock.monotonic(), wall: clock.now() };
}

/** The wall clock is corrected by this much at most while nothing is wrong, milliseconds. */
const maxCorrectionMs = 5_000;

/** How far the clock was set ahead between two readings, or how long the machine slept; below zero: set back; zero: neither. */
export function jumpBetween(earlier: ClockReading, later: ClockReading): number {
  const byMs = later.wall - later.monotonic - (earlier.wall - earlier.monotonic);
  return Math.abs(byMs) > maxCorrectionMs ? byMs : 0;
}

/** Calls `onJump` when the clock has jumped since the last jump that was handled; one is handled once `onJump` has succeeded. */
export function createJumpWatch(
  clock: Clock,
): (reading: ClockReading, onJump: (byMs: number) => Promise<void>) => Promise<void> {
  let before = readClocks(clock);
  return async (reading, onJump) => {
    const byMs = jumpBetween(before, reading);
    if (byMs === 0) return;
    await onJump(byMs);
    before = reading;
  };
}

/**
 * From when on a holder may trust the start of a wait. A lease from before a jump
 * goes by the time before it: no wait of its own may seem older than itself.
 *
 * @param jumpAt when a jump was last seen, by the store's time; 0: never
 * @param now by the holder's lease
 */
export function waitsTrustedSince(jumpAt: number, now: number): number {
  return Math.min(jumpAt, now);
}

/** A wait that starts later than this from now was counted by a clock that has been set back, milliseconds. */
const maxAheadMs = 5_000;

/** True for a wait whose start was read on a clock that has jumped since: it starts again. */
export function isWaitVoid(since: number, { now, waitsSince }: { now: number; waitsSince: number }): boolean {
  return since < waitsSince || since > now + maxAheadMs;
}

/** The longest that a lease can rightly be: the longest exchange and its margin, milliseconds. */
const maxLeaseMs = 15 * 60_000;

/** Leases that end later than any rightly could were made by a clock that ran ahead: they count from now. */
export async function shortenLeasesAhead(
  storage: Storage,
  collection: ClaimableCollection,
  {
    now,
    alongside,
  }: {
    /** The store's time, milliseconds. */
    now: number;
    /** What goes into the same write: what that clock said is due has the same fault. */
    alongside(id: string): Promise<Operation[]>;
  },
): Promise<void> {
  const until = now + maxLeaseMs;
  const ahead = await storage.find(collection, { where: { lease_until: { gte: until + 1 } }, limit: 100 });
  for (const { id, epoch } of ahead.rows.map((row) => fromRow<{ id: string; epoch: number }>(row))) {
    const change = { lease_until: until, due_at: until };
    const shorten: Operation = { kind: "update", collection, id, change, where: { epoch } };
    await storage.write([shorten, ...(await alongside(id))]).catch((error: unknown) => {
      // Claimed by another meanwhile.
      if (!(error instanceof StorageConflict)) throw error;
    });
  }
}
