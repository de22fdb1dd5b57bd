import type { Clock } from "../../ports/clock.ts";

/** How many requests are taken in one window of time, counted by whoever makes them. */
export interface RequestWindow {
  /** From now on so many are; null: as many as come. */
  limit(max: number | null): void;
  /** Counts one. Null: there is no limit. */
  take(by: string): RequestsLeft | null;
}

export interface RequestsLeft {
  max: number;
  /** Below 0: this one is too many. */
  left: number;
  /** Milliseconds. */
  resetsAt: number;
}

export function createRequestWindow(clock: Pick<Clock, "now">, windowMs: number): RequestWindow {
  let max: number | null = null;
  let window = 0;
  const taken = new Map<string, number>();
  return {
    limit(given) {
      max = given;
      taken.clear();
    },
    take(by) {
      if (max === null) return null;
      const current = Math.floor(clock.now() / windowMs);
      if (current !== window) taken.clear();
      window = current;
      const count = (taken.get(by) ?? 0) + 1;
      taken.set(by, count);
      return { max, left: max - count, resetsAt: (current + 1) * windowMs };
    },
  };
}
