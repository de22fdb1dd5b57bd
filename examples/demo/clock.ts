import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "postrider";

/** The demo's time; all its processes are given the same. */
export interface DemoTime {
  /** The moment from which time runs fast, milliseconds since 1970; null: not yet. */
  fastFrom: number | null;
  /** How many times as fast as the machine's clock. */
  speed: number;
  /** The moment from which it no longer does. */
  slowFrom?: number;
}

/** The machine's clock; from `time.fastFrom` to `time.slowFrom` it runs `time.speed` times as fast. */
export function demoClock(time: DemoTime): Clock {
  function now(): number {
    // Both readings of a Clock come from this one, so that they never part.
    const real = performance.timeOrigin + performance.now();
    const { fastFrom, speed, slowFrom = real } = time;
    if (fastFrom === null || real < fastFrom) return Math.floor(real);
    return Math.floor(real + (slowFrom - fastFrom) * (speed - 1));
  }

  return {
    now,
    monotonic: now,
    async sleep(ms, signal) {
      const realMs = time.fastFrom === null || time.slowFrom !== undefined ? ms : ms / time.speed;
      await wait(Math.max(0, realMs), undefined, { signal }).catch(() => {
        throw signal?.reason;
      });
    },
  };
}

/** How long time has been running fast: `+41 s`. */
export function elapsed({ fastFrom }: DemoTime, clock: Clock): string {
  return fastFrom === null ? "" : `+${Math.round((clock.now() - fastFrom) / 1000)} s`;
}
