import type { Clock } from "../clock.ts";
import { loadKy } from "../outbound/ky.ts";

/** A clock that moves only when it is told to. */
export interface ManualClock extends Clock {
  /** Moves on by `ms`, waking each sleeper at its moment and letting its work settle before the next. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock off by `ms` without any time passing: what an NTP step or an operator does. */
  jump(ms: number): void;
  /**
   * Runs `work`, moving the clock to the next sleeper whenever nothing else is going on.
   *
   * @throws when `work` waits for something that no sleeper will bring
   */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

interface Sleeper {
  wakeAt: number;
  order: number;
  wake: () => void;
}

/** A clock that starts at `start` (milliseconds since 1970, or ISO 8601). @default 2026-11-21T12:00:00.000Z */
export function manualClock(start: number | string = "2026-11-21T12:00:00.000Z"): ManualClock {
  const startMs = typeof start === "number" ? start : Date.parse(start);
  const sleepers = new Set<Sleeper>();
  let passedMs = 0;
  let jumpedMs = 0;
  let order = 0;

  function nextSleeper(): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of sleepers) {
      const earlier =
        next === undefined ||
        sleeper.wakeAt < next.wakeAt ||
        (sleeper.wakeAt === next.wakeAt && sleeper.order < next.order);
      if (earlier) next = sleeper;
    }
    return next;
  }

  async function wake(sleeper: Sleeper): Promise<void> {
    passedMs = Math.max(passedMs, sleeper.wakeAt);
    sleepers.delete(sleeper);
    sleeper.wake();
    await settle();
  }

  return {
    now: () => startMs + passedMs + jumpedMs,
    monotonic: () => passedMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          wakeAt: passedMs + Math.max(0, ms),
          order: order++,
          wake: () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        sleepers.add(sleeper);
      }),
    jump(ms) {
      jumpedMs += ms;
    },
    async advance(ms) {
      const until = passedMs + ms;
      await begin();
      for (let next = nextSleeper(); next !== undefined && next.wakeAt <= until; next = nextSleeper()) {
        await wake(next);
      }
      passedMs = until;
    },
    async run(work) {
      let done = false;
      const finished = work().finally(() => {
        done = true;
      });
      finished.catch(() => {});
      let idleRounds = 0;
      await begin();
      while (!done) {
        const next = nextSleeper();
        if (next === undefined) {
          idleRounds += 1;
          if (idleRounds > mostIdleRounds) throw new Error("The work waits for something that no sleeper will bring.");
          await settle();
        } else {
          idleRounds = 0;
          await wake(next);
        }
      }
      return finished;
    },
  };
}

/** Real input and output (files, child processes) may need this many turns of the event loop. */
const mostIdleRounds = 2_000;

/** Web streams and multipart parsing take several turns between two promises. */
const turnsToSettle = 6;

async function begin(): Promise<void> {
  // The service loads it with its first request: real time, which this clock would not wait for.
  await loadKy();
  await settle();
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < turnsToSettle; turn++) await new Promise((resolve) => setImmediate(resolve));
}
