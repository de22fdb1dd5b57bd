import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "postrider";

/** From a moment on, milliseconds since 1970, time runs this many times as fast as the machine's. */
export interface Pace {
  from: number;
  speed: number;
}

/** A timer for longer rings at once (2^31 − 1 ms, 24.8 days). */
const maxTimerMs = 2_147_483_647;

/** How fast time runs, the earliest pace first; before that, as the machine's. Processes that are given the same agree. */
export type DemoTime = Pace[];

/**
 * The machine's clock at the paces of `time`, to which further ones may be added.
 *
 * @param maxWaitMs a pace that is added while somebody waits is noticed after this long, by the machine's clock. @default never
 */
export function demoClock(time: DemoTime, maxWaitMs = Number.POSITIVE_INFINITY): Clock {
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
    return Math.min(ms / (time[index]?.speed ?? 1), endOf(index) - at, maxWaitMs, maxTimerMs);
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

/** Time that runs faster, but not while a request is under way: on a slow machine none shall take too long for that. */
export interface Hurry {
  send: typeof fetch;
  /** From now on, whenever nothing is under way. */
  begin(speed: number): void;
  end(): void;
}

export function createHurry(time: DemoTime): Hurry {
  let speed = 1;
  let underWay = 0;
  function count(change: 1 | -1): void {
    underWay += change;
    if (speed !== 1 && underWay < 2) setPace(time, underWay === 0 ? speed : 1);
  }
  return {
    async send(input, init) {
      count(1);
      try {
        const response = await fetch(input, init);
        return new Response(response.body === null ? null : await response.arrayBuffer(), response);
      } finally {
        count(-1);
      }
    },
    begin(wanted) {
      speed = wanted;
      if (underWay === 0) setPace(time, speed);
    },
    end() {
      speed = 1;
      setPace(time, 1);
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
