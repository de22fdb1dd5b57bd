import { describe, expect, it } from "vitest";
import type { Clock } from "../clock.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import { type ManualClock, manualClock } from "./clock.ts";

export interface SchedulerContractOptions {
  /** Heads the tests. */
  name: string;
  /** Called before each test, for a scheduler without alarms that takes all its time from `clock`. */
  create(ports: { clock: Clock }): TestedScheduler | Promise<TestedScheduler>;
  /** Tests that this scheduler cannot pass, by their names, each with the reason. */
  skip?: readonly { test: string; reason: string }[];
}

export interface TestedScheduler {
  scheduler: Scheduler;
  /** Called after each test; the scheduler has been stopped. */
  cleanup?(): void | Promise<void>;
}

interface SchedulerBench {
  scheduler: Scheduler;
  clock: ManualClock;
  /** The calls so far, each with the milliseconds since the test began. */
  calls: { key: string; afterMs: number }[];
  /** Writes each call down in `calls`. */
  record(key: string): Promise<void>;
}

interface SchedulerCase {
  test: string;
  run(bench: SchedulerBench): Promise<void>;
}

const alarmCases: readonly SchedulerCase[] = [
  {
    test: "rings at the moment, once, with the key",
    async run({ scheduler, clock, calls, record }) {
      await scheduler.start(record);
      scheduler.wake(clock.now() + 1_000, "prof_1");
      await clock.advance(999);
      expect(calls).toEqual([]);
      await clock.advance(60_000);
      expect(calls).toEqual([{ key: "prof_1", afterMs: 1_000 }]);
    },
  },
  {
    test: "rings at once for a moment in the past",
    async run({ scheduler, clock, calls, record }) {
      await scheduler.start(record);
      scheduler.wake(clock.now() - 60_000, "prof_1");
      await clock.advance(0);
      expect(calls).toEqual([{ key: "prof_1", afterMs: 0 }]);
    },
  },
  {
    test: "keeps an alarm that was asked for before it was started",
    async run({ scheduler, clock, calls, record }) {
      scheduler.wake(clock.now() + 1_000, "prof_1");
      scheduler.wake(clock.now() + 5_000, "prof_2");
      await clock.advance(2_000);
      expect(calls).toEqual([]);
      await scheduler.start(record);
      await clock.advance(3_000);
      expect(calls).toEqual([
        { key: "prof_1", afterMs: 2_000 },
        { key: "prof_2", afterMs: 5_000 },
      ]);
    },
  },
  {
    test: "rings once for two alarms of one key, at the earlier, whichever was asked for first",
    async run({ scheduler, clock, calls, record }) {
      await scheduler.start(record);
      scheduler.wake(clock.now() + 5_000, "late_first");
      scheduler.wake(clock.now() + 1_000, "late_first");
      scheduler.wake(clock.now() + 2_000, "early_first");
      scheduler.wake(clock.now() + 5_000, "early_first");
      await clock.advance(60_000);
      expect(calls).toEqual([
        { key: "late_first", afterMs: 1_000 },
        { key: "early_first", afterMs: 2_000 },
      ]);
    },
  },
  {
    test: "rings again for a key that has rung, also when its own work asks for it",
    async run({ scheduler, clock, calls, record }) {
      await scheduler.start(async (key) => {
        await record(key);
        if (calls.length === 1) scheduler.wake(clock.now() + 1_000, key);
      });
      scheduler.wake(clock.now() + 1_000, "prof_1");
      await clock.advance(5_000);
      expect(calls.map(({ afterMs }) => afterMs)).toEqual([1_000, 2_000]);
    },
  },
  {
    test: "rings for one key while the work for another goes on",
    async run({ scheduler, clock, calls, record }) {
      await scheduler.start(async (key) => {
        await record(key);
        await clock.sleep(60_000);
      });
      scheduler.wake(clock.now() + 1_000, "prof_1");
      scheduler.wake(clock.now() + 2_000, "prof_2");
      await clock.advance(3_000);
      expect(calls.map(({ key }) => key)).toEqual(["prof_1", "prof_2"]);
      await clock.advance(60_000);
    },
  },
  {
    test: "rings on after a handler threw, for other keys and for the same",
    async run({ scheduler, clock, calls, record }) {
      await scheduler.start(async (key) => {
        await record(key);
        if (calls.length === 1) throw new Error("the work failed");
      });
      for (const key of ["prof_1", "prof_2"]) scheduler.wake(clock.now() + 1_000, key);
      await clock.advance(2_000);
      scheduler.wake(clock.now() + 1_000, "prof_1");
      await clock.advance(2_000);
      expect(calls.map(({ key }) => key)).toEqual(["prof_1", "prof_2", "prof_1"]);
    },
  },
];

const stopCases: readonly SchedulerCase[] = [
  {
    test: "rings for nothing after stop",
    async run({ scheduler, clock, calls, record }) {
      await scheduler.start(record);
      scheduler.wake(clock.now() + 1_000, "prof_1");
      await scheduler.stop(0);
      await clock.advance(5_000);
      expect(calls).toEqual([]);
    },
  },
  {
    test: "waits in stop until the work under way is done",
    async run({ scheduler, clock, record }) {
      let done = false;
      await scheduler.start(async (key) => {
        await record(key);
        await clock.sleep(3_000);
        done = true;
      });
      scheduler.wake(clock.now(), "prof_1");
      await clock.advance(0);
      const startedAt = clock.now();
      await clock.run(() => scheduler.stop(10_000));
      expect(done).toBe(true);
      expect(clock.now() - startedAt).toBe(3_000);
    },
  },
  {
    test: "waits in stop no longer than the grace time",
    async run({ scheduler, clock, calls, record }) {
      const endless = new AbortController();
      await scheduler.start(async (key) => {
        await record(key);
        await clock.sleep(3_600_000, endless.signal).catch(() => {});
      });
      scheduler.wake(clock.now(), "prof_1");
      await clock.advance(0);
      const startedAt = clock.now();
      await clock.run(() => scheduler.stop(10_000));
      expect(calls).toHaveLength(1);
      expect(clock.now() - startedAt).toBe(10_000);
      endless.abort();
      await clock.advance(0);
    },
  },
  {
    test: "stops at once when nothing is under way, and a second time too",
    async run({ scheduler, clock, record }) {
      await scheduler.start(record);
      const startedAt = clock.now();
      await clock.run(() => scheduler.stop(10_000));
      await clock.run(() => scheduler.stop(10_000));
      expect(clock.now()).toBe(startedAt);
    },
  },
];

const cases: readonly SchedulerCase[] = [...alarmCases, ...stopCases];

/**
 * Everything that the rest of the package hopes for in a scheduler, as tests.
 * Call it at the top of a vitest file. The port itself asks for less (an alarm
 * may ring early, late, twice or never); a scheduler that must differ names
 * the test in `skip`.
 *
 * @throws Error when `skip` names a test that does not exist
 *
 * @example
 * schedulerContract({ name: "timer", create: ({ clock }) => ({ scheduler: timerScheduler({ clock }) }) });
 */
export function schedulerContract({ name, create, skip = [] }: SchedulerContractOptions): void {
  const misnamed = skip.find(({ test }) => !cases.some((known) => known.test === test));
  if (misnamed !== undefined) throw new Error(`The scheduler contract has no test "${misnamed.test}" to skip.`);

  describe(`scheduler contract: ${name}`, () => {
    for (const { test, run } of cases) {
      it(test, async (context) => {
        const skipped = skip.find((entry) => entry.test === test);
        if (skipped !== undefined) context.skip(skipped.reason);
        const clock = manualClock();
        const { scheduler, cleanup } = await create({ clock });
        const startedAt = clock.now();
        const calls: SchedulerBench["calls"] = [];
        const record = async (key: string): Promise<void> => {
          calls.push({ key, afterMs: clock.now() - startedAt });
        };
        try {
          await run({ scheduler, clock, calls, record });
        } finally {
          await scheduler.stop(0);
          await cleanup?.();
        }
      });
    }
  });
}
