import type { Clock } from "../../ports/clock.ts";

/** The delay until reads show what was written. */
export interface Lag {
  /** Sets the delay. */
  take(seconds: number): void;
  /** True: reads show what was written at this time, milliseconds since 1970. */
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

/** One page of a list, and where the next page begins; null: this is the last page. */
export function pageAt<Item>(
  items: readonly Item[],
  { from, count }: { from: number; count: number },
): { items: Item[]; next: number | null } {
  const end = from + count;
  return { items: items.slice(from, end), next: end < items.length ? end : null };
}
