import type { Clock } from "../../ports/clock.ts";

/** How many requests are accepted in one window of time, counted per caller. */
export interface RequestWindow {
  /** Sets the limit; null: no limit. */
  limit(max: number | null): void;
  /** Counts a request. Null: there is no limit. */
  take(by: string): RequestsLeft | null;
}

export interface RequestsLeft {
  max: number;
  /** Below 0: this request exceeds the limit. */
  left: number;
  /** When the window ends, milliseconds. */
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
