import type { Clock } from "../ports/clock.ts";
import type { Storage } from "../storage/storage.ts";
import { type ClockReading, jumpBetween, readClocks } from "./clock-jump.ts";

export interface StoreTimePorts {
  storage: Storage;
  clock: Clock;
}

/** One moment on three clocks: the store's, which processes compare, and this machine's two. */
export interface StoreMoment extends ClockReading {
  /** The store's time, milliseconds. */
  now: number;
}

/** Read before anything is claimed, so that a slow store makes a lease look shorter, never longer. */
export async function storeMoment({ storage, clock }: StoreTimePorts): Promise<StoreMoment> {
  const reading = readClocks(clock);
  return { now: await storage.now(), ...reading };
}

/** When this machine's clock shows a moment of the store's time: an alarm rings by it, however far ahead it is. */
export function onMachineClock({ now, wall }: StoreMoment, storeMs: number): number {
  return wall + storeMs - now;
}

/** The store's time without asking the store. */
export interface StoreTime {
  /** Milliseconds; goes on with the monotonic clock. */
  now(): number;
  /** True when this machine's clock has been set, or the machine has slept: waits then start again. */
  hasClockJumped(): boolean;
  /** As `now`, but asks the store when this machine's clock has jumped: for what others go by. */
  checkedNow(): Promise<number>;
}

/** The store's time from a moment on. */
export function storeTimeFrom(moment: StoreMoment, { storage, clock }: StoreTimePorts): StoreTime {
  // Whole milliseconds, which is what rows hold; a monotonic clock may be finer.
  const now = (): number => Math.floor(moment.now + clock.monotonic() - moment.monotonic);
  const hasClockJumped = (): boolean => jumpBetween(moment, readClocks(clock)) !== 0;
  return {
    now,
    hasClockJumped,
    checkedNow: async () => (hasClockJumped() ? await storage.now() : now()),
  };
}
