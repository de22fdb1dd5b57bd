import { loadKy } from "../outbound/ky.ts";
import { type Clock, systemClock } from "../ports/clock.ts";

/**
 * A clock that moves only when a test moves it. A call that waits for it, such as
 * a network's pause, never ends unless the clock moves: await such calls as
 * `clock.run(() => social.posts.create(post))`. A test that forgets this runs
 * into the time limit of its test runner; a script ends with Node's exit code 13.
 */
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
  /**
   * The same functions, but no time passes while a call to one of them is
   * unanswered. For what leaves the process (a database, a real server), which
   * this clock cannot see. None of them may wait for this clock.
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
  /** Calls to what is watched. */
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

  async function wake(sleeper: Sleeper): Promise<void> {
    passedMs = Math.max(passedMs, sleeper.wakeAt);
    sleepers.delete(sleeper);
    sleeper.wake();
    await settle();
  }

  /**
   * Lets everything end that needs no time to pass: turns of the event loop
   * that somebody has asked for, files that are read, names that are looked
   * up, what is watched. Promises need no mention: all that can go on have
   * when a turn is over.
   */
  async function settle(): Promise<void> {
    let waitedMs = 0;
    for (let turns = 1; ; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      const open = process.getActiveResourcesInfo();
      // Others' threads are not to be kept from their work by our turning.
      if (underWay > 0 || (waitedMs < maxWaitMs && open.some((name) => name.includes("Req")))) {
        waitedMs += 1;
        await systemClock.sleep(1);
      } else if (turns >= maxTurns || !open.includes("Immediate")) return;
    }
  }

  async function begin(): Promise<void> {
    // The service loads it with its first request: real time, which this clock would not wait for.
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

/** What comes from outside the process, and nobody watches, may take this many milliseconds when no sleeper is left. */
const maxIdleRounds = 1_000;

/** Who keeps the event loop busy for longer, a loop that looks for something for instance, waits for time to pass. */
const maxTurns = 10_000;

/** A file that cannot be read for longer, a pipe for instance, is given up after this, milliseconds. */
const maxWaitMs = 10_000;
