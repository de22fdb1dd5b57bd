import { loadKy } from "../outbound/ky.ts";
import { type Clock, systemClock } from "../ports/clock.ts";
import { countSleep } from "./unsettled.ts";

/**
 * A clock that moves only when a test moves it. A call that waits for it, for example for a network's pause, does not
 * end until the clock moves. So await it as `clock.run(() => social.posts.create(post))`. Without that, a test
 * reaches its runner's time limit; a script ends with Node's exit code 13, and the console names the reason.
 */
export interface ManualClock extends Clock {
  /** Advances by `ms`. Wakes each sleeper at its time and lets its work settle before the next. */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock by `ms` without passing time, as an NTP step or an operator does. */
  jump(ms: number): void;
  /**
   * Runs `work`, and moves the clock to the next sleeper whenever everything else waits.
   *
   * @throws if `work` waits for something that no sleeper causes
   */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  /**
   * The same functions, but no time passes while a call to one of them is running. For ports that leave the process
   * (a database, a real server), which this clock cannot see. None of them may wait for this clock.
   *
   * @example
   * const storage = clock.watch(postgresStorage(pool));
   */
  watch<Port extends object>(port: Port): Port;
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
  /** Running calls to watched ports. */
  let underWay = 0;

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

  function remove(sleeper: Sleeper): void {
    if (sleepers.delete(sleeper)) countSleep(-1);
  }

  async function wake(sleeper: Sleeper): Promise<void> {
    passedMs = Math.max(passedMs, sleeper.wakeAt);
    remove(sleeper);
    sleeper.wake();
    await settle();
  }

  /**
   * Waits for everything that needs no time on this clock: scheduled turns of the event loop, file reads, DNS
   * lookups, calls to watched ports. Promises need no special treatment: all that can continue have done so when a
   * turn ends.
   */
  async function settle(): Promise<void> {
    let waitedMs = 0;
    for (let turns = 1; ; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      const open = process.getActiveResourcesInfo();
      // Sleeps, so that busy turning does not delay other threads.
      if (underWay > 0 || (waitedMs < maxWaitMs && open.some((name) => name.includes("Req")))) {
        waitedMs += 1;
        await systemClock.sleep(1);
      } else if (turns >= maxTurns || !open.includes("Immediate")) return;
    }
  }

  async function begin(): Promise<void> {
    // The service loads it with its first request, in real time, which this clock would not wait for.
    await loadKy();
    await settle();
  }

  async function untilAnswered(answer: unknown): Promise<unknown> {
    underWay += 1;
    try {
      return await answer;
    } finally {
      underWay -= 1;
    }
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
          remove(sleeper);
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
        countSleep(1);
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
          if (idleRounds > maxIdleRounds) throw new Error("The work waits for something that no sleeper will bring.");
          await systemClock.sleep(1);
          await settle();
        } else {
          idleRounds = 0;
          await wake(next);
        }
      }
      return finished;
    },
    watch<Port extends object>(port: Port): Port {
      const watched = Object.entries(port).map(([name, part]) => {
        if (typeof part !== "function") return [name, part];
        return [
          name,
          (...given: unknown[]) => {
            const answer: unknown = part.apply(port, given);
            return answer instanceof Promise ? untilAnswered(answer) : answer;
          },
        ];
      });
      return Object.fromEntries(watched) as Port;
    },
  };
}

/** How many milliseconds unwatched work outside the process may take when no sleeper is left. */
const maxIdleRounds = 1_000;

/** Maximum turns of the event loop: code that keeps it busy for longer, such as a polling loop, waits for time to pass. */
const maxTurns = 10_000;

/** How long to wait for a file read, milliseconds. A pipe, for example, may never end. */
const maxWaitMs = 10_000;
