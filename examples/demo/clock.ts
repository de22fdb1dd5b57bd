import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "postrider";

/** From a moment on, milliseconds since 1970, time runs this many times as fast as the machine's. */
export interface Pace {
  from: number;
  speed: number;
}

/** How fast time runs, the earliest pace first; before that, as the machine's. Processes that are given the same agree. */
export type DemoTime = Pace[];

/** The machine's clock at the paces of `time`, to which further ones may be added. */
export function demoClock(time: DemoTime): Clock {
  // Both readings of a Clock come from this one, so that they never part.
  const real = (): number => performance.timeOrigin + performance.now();
  const endOf = (index: number): number => time[index + 1]?.from ?? Number.POSITIVE_INFINITY;

  function now(): number {
    const at = real();
    const gained = time.map(
      ({ from, speed }, index) => (Math.min(Math.max(at, from), endOf(index)) - from) * (speed - 1),
    );
    return Math.floor(gained.reduce((sum, ms) => sum + ms, at));
  }

  /** How long the machine has to wait for as much of this time; until the pace changes at most. */
  function realWait(ms: number): number {
    const at = real();
    const index = time.findLastIndex(({ from }) => from <= at);
    return Math.min(ms / (time[index]?.speed ?? 1), endOf(index) - at);
  }

  return {
    now,
    monotonic: now,
    async sleep(ms, signal) {
      const until = now() + ms;
      do {
        await wait(Math.max(0, realWait(until - now())), undefined, { signal }).catch(() => {
          throw signal?.reason;
        });
      } while (now() < until);
    },
  };
}

/** Adds a pace from now, or from so many milliseconds later. */
export function setPace(time: DemoTime, speed: number, laterMs = 0): void {
  time.push({ from: Date.now() + laterMs, speed });
}

/** How much time has gone by: `+41 s`; null: nobody counts. */
export function elapsed(since: number | null, clock: Clock): string {
  return since === null ? "" : `+${Math.round((clock.now() - since) / 1000)} s`;
}
