import { loadKy } from "../../src/outbound/ky.ts";
import { type Clock, systemClock } from "../../src/ports/clock.ts";

/**
 * The machine's clock, which skips every wait: for tests on real servers, which
 * respond in real time, of an engine that waits for minutes. A request to the
 * outside world holds it, so that no deadline passes before a response that is
 * on its way.
 */
export interface SkippingClock extends Clock {
  /** How far ahead of the machine's clock it is, milliseconds. */
  aheadMs(): number;
  /** Holds the clock until the returned function is called. */
  hold(): () => void;
  /** Skips immediately: only while no work runs. */
  skip(ms: number): void;
  /** Skips to the next sleeper whenever no work runs, until `work` is done. */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

interface Sleeper {
  wakeAt: number;
  wake(): void;
}

/** Code that does nothing for this many turns of the event loop, and one millisecond, waits for time to pass. */
const turnsOfWork = 8;

export function skippingClock(): SkippingClock {
  const sleepers = new Set<Sleeper>();
  let ahead = 0;
  let held = 0;
  /** Counts the signs that work runs. */
  let stirs = 0;
  const monotonic = (): number => systemClock.monotonic() + ahead;

  function wakeNext(): void {
    const [next] = [...sleepers].sort((one, other) => one.wakeAt - other.wakeAt);
    if (next === undefined) return;
    // In whole milliseconds, like a wall clock.
    ahead += Math.max(0, Math.ceil(next.wakeAt - monotonic()));
    sleepers.delete(next);
    next.wake();
  }

  return {
    now: () => systemClock.now() + ahead,
    monotonic,
    aheadMs: () => ahead,
    skip(ms) {
      ahead += ms;
    },
    hold() {
      held += 1;
      let isHeld = true;
      return () => {
        if (isHeld) held -= 1;
        isHeld = false;
        stirs += 1;
      };
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        stirs += 1;
        const giveUp = (): void => {
          stirs += 1;
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          wakeAt: monotonic() + Math.max(0, ms),
          wake() {
            signal?.removeEventListener("abort", giveUp);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", giveUp, { once: true });
      }),
    async run(work) {
      // The service loads it with its first request: work that leaves no sign.
      await loadKy();
      let isDone = false;
      const finished = work().finally(() => {
        isDone = true;
      });
      finished.catch(() => undefined);
      while (!isDone) {
        const before = stirs;
        for (let turn = 0; turn < turnsOfWork; turn++) await new Promise((resolve) => setImmediate(resolve));
        await systemClock.sleep(1);
        if (!isDone && held === 0 && stirs === before) wakeNext();
      }
      return finished;
    },
  };
}
