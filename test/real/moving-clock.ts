import { type Clock, systemClock } from "../../src/ports/clock.ts";

/** The machine's clock, which can be moved ahead: for tests on real servers, where no test may wait for minutes. */
export interface MovingClock extends Clock {
  /** Moves ahead by `ms`, and wakes every sleeper that is due by then. Only while no work is under way. */
  advance(ms: number): void;
}

export function movingClock(): MovingClock {
  let aheadMs = 0;
  let moved = new AbortController();
  const monotonic = (): number => systemClock.monotonic() + aheadMs;
  return {
    now: () => systemClock.now() + aheadMs,
    monotonic,
    async sleep(ms, signal) {
      const wakeAt = monotonic() + ms;
      signal?.throwIfAborted();
      while (monotonic() < wakeAt) {
        const disturbed = signal === undefined ? moved.signal : AbortSignal.any([signal, moved.signal]);
        await systemClock.sleep(wakeAt - monotonic(), disturbed).catch(() => signal?.throwIfAborted());
      }
    },
    advance(ms) {
      aheadMs += ms;
      moved.abort();
      moved = new AbortController();
    },
  };
}
