import type { Clock } from "../../ports/clock.ts";

/** Reads that show what was written only after a while. */
export interface Lag {
  /** From now on it takes this long. */
  take(seconds: number): void;
  /** Do reads show what was written at this moment, milliseconds since 1970? */
  shows(writtenAt: number): boolean;
}

export function createLag(clock: Pick<Clock, "now">): Lag {
  let lagMs = 0;
  return {
    take(seconds) {
      lagMs = seconds * 1000;
    },
    shows: (writtenAt) => writtenAt + lagMs <= clock.now(),
  };
}

/** One page of a list, and where the next one begins; null: this is the last. */
export function pageAt<Item>(
  items: readonly Item[],
  { from, count }: { from: number; count: number },
): { items: Item[]; next: number | null } {
  const end = from + count;
  return { items: items.slice(from, end), next: end < items.length ? end : null };
}
