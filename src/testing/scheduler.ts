import { describe, expect, it } from "vitest";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import { createBench, machineTime, manualTime, type SchedulerBench } from "./scheduler-bench.ts";

/** The options of `schedulerContract`. */
export interface SchedulerContractOptions {
  /** The title of the tests. */
  name: string;
  /**
   * Creates a scheduler without alarms before each test. It must take all its time from `clock`. In real time,
   * several tests run concurrently: each needs separate alarms.
   */
  create(ports: { clock: Clock }): TestedScheduler | Promise<TestedScheduler>;
  /**
   * For a scheduler with its own time: the clock is the machine's, and the tests wait. An alarm may ring up to
   * `lateMs` after its moment, never before; moments are twice as far apart. One requirement is looser than with a
   * manual clock: of two alarms of one key, the later may ring as well, at its moment, if it was set first. An engine
   * need not be able to withdraw an alarm.
   */
  realTime?: { lateMs: number };
  /** Tests that this scheduler cannot pass, by name, each with the reason. */
  skip?: readonly { test: string; reason: string }[];
}

/** A scheduler for one test. */
export interface TestedScheduler {
  /** The tested scheduler. */
  scheduler: Scheduler;
  /** Called after each test, when the scheduler has been stopped. */
  cleanup?(): void | Promise<void>;
}

/** Time limit of one test, milliseconds. */
const patienceMs = 30_000;

interface SchedulerCase {
  test: string;
  run(bench: SchedulerBench): Promise<void>;
}

const alarmCases: readonly SchedulerCase[] = [
  {
    test: "rings once, at the requested time, with the key",
    async run({ scheduler, at, before, after, long, record, expectRings }) {
      await scheduler.start(record);
      scheduler.wake(at(1), "prof_1");
      await before(1);
      expectRings();
      await after(long);
      expectRings({ key: "prof_1", moment: 1 });
    },
  },
  {
    test: "rings immediately for a time in the past",
    async run({ scheduler, at, after, record, expectRings }) {
      await scheduler.start(record);
      scheduler.wake(at(-60), "prof_1");
      await after(0);
      expectRings({ key: "prof_1", moment: 0 });
    },
  },
  {
    test: "keeps an alarm that was requested before start",
    async run({ scheduler, at, on, after, record, expectRings }) {
      scheduler.wake(at(1), "prof_1");
      scheduler.wake(at(5), "prof_2");
      await on(2);
      expectRings();
      await scheduler.start(record);
      await after(5);
      expectRings({ key: "prof_1", moment: 2 }, { key: "prof_2", moment: 5 });
    },
  },
  {
    test: "rings once for two alarms of one key, at the earlier time, in either order of the requests",
    async run({ scheduler, at, after, long, record, expectRings }) {
      await scheduler.start(record);
      scheduler.wake(at(4), "late_first");
      scheduler.wake(at(1), "late_first");
      scheduler.wake(at(2), "early_first");
      scheduler.wake(at(4), "early_first");
      await after(long);
      expectRings(
        { key: "late_first", moment: 1 },
        { key: "early_first", moment: 2 },
        { key: "late_first", moment: 4, mayFollow: true },
      );
    },
  },
  {
    test: "rings again for a key that has rung, also if the running work requests it",
    async run({ scheduler, at, after, keys, record, expectRings }) {
      await scheduler.start(async (key) => {
        await record(key);
        if (keys().length === 1) scheduler.wake(at(2), key);
      });
      scheduler.wake(at(1), "prof_1");
      await after(5);
      expectRings({ key: "prof_1", moment: 1 }, { key: "prof_1", moment: 2 });
    },
  },
  {
    test: "accepts an alarm for a key that has another alarm pending",
    async run({ scheduler, at, after, record, expectRings }) {
      await scheduler.start(record);
      scheduler.wake(at(1), "prof_1");
      scheduler.wake(at(3), "prof_2");
      await after(1);
      scheduler.wake(at(2), "prof_1");
      scheduler.wake(at(2), "prof_2");
      await after(2);
      expectRings({ key: "prof_1", moment: 1 }, { key: "prof_1", moment: 2 }, { key: "prof_2", moment: 2 });
    },
  },
  {
    test: "rings for one key while the work for another is running",
    async run({ scheduler, clock, stepMs, at, after, long, record, expectRings }) {
      await scheduler.start(async (key) => {
        await record(key);
        await clock.sleep(long * stepMs);
      });
      scheduler.wake(at(1), "prof_1");
      scheduler.wake(at(2), "prof_2");
      await after(3);
      expectRings({ key: "prof_1", moment: 1 }, { key: "prof_2", moment: 2 });
      await after(2 + long);
    },
  },
  {
    test: "continues to ring after a handler threw, for the same key and for others",
    async run({ scheduler, at, after, keys, record, expectRings }) {
      await scheduler.start(async (key) => {
        await record(key);
        if (keys().length === 1) throw new Error("the work failed");
      });
      for (const key of ["prof_1", "prof_2"]) scheduler.wake(at(1), key);
      await after(2);
      scheduler.wake(at(3), "prof_1");
      await after(4);
      expectRings({ key: "prof_1", moment: 1 }, { key: "prof_2", moment: 1 }, { key: "prof_1", moment: 3 });
    },
  },
];

const stopCases: readonly SchedulerCase[] = [
  {
    test: "rings no more after stop",
    async run({ scheduler, at, after, record, expectRings }) {
      await scheduler.start(record);
      scheduler.wake(at(1), "prof_1");
      await scheduler.stop(0);
      await after(5);
      expectRings();
    },
  },
  {
    test: "can be started again after stop",
    async run({ scheduler, stepMs, at, after, measure, record, expectRings }) {
      await scheduler.start(record);
      await measure(() => scheduler.stop(stepMs));
      await scheduler.start(record);
      scheduler.wake(at(2), "prof_1");
      await after(4);
      expectRings({ key: "prof_1", moment: 2 });
    },
  },
  {
    test: "waits in stop until the running work has ended",
    async run({ scheduler, clock, stepMs, after, measure, record }) {
      let done = false;
      await scheduler.start(async (key) => {
        await record(key);
        await clock.sleep(3 * stepMs);
        done = true;
      });
      scheduler.wake(clock.now(), "prof_1");
      await after(0);
      expect(await measure(() => scheduler.stop(10 * stepMs))).toBe(3);
      expect(done).toBe(true);
    },
  },
  {
    test: "waits in stop no longer than the grace time",
    async run({ scheduler, clock, stepMs, after, measure, keys, record }) {
      const endless = new AbortController();
      await scheduler.start(async (key) => {
        await record(key);
        await clock.sleep(3_600_000, endless.signal).catch(() => {});
      });
      scheduler.wake(clock.now(), "prof_1");
      await after(0);
      expect(await measure(() => scheduler.stop(4 * stepMs))).toBe(4);
      expect(keys()).toHaveLength(1);
      endless.abort();
      await after(0);
    },
  },
  {
    test: "stops immediately if no work is running, also a second time",
    async run({ scheduler, stepMs, measure, record }) {
      await scheduler.start(record);
      expect(await measure(() => scheduler.stop(10 * stepMs))).toBe(0);
      expect(await measure(() => scheduler.stop(10 * stepMs))).toBe(0);
    },
  },
];

const cases: readonly SchedulerCase[] = [...alarmCases, ...stopCases];

/**
 * Tests what the package expects of a scheduler. Call it at the top of a vitest file. The port itself requires less
 * (an alarm may ring early, late, twice or never); a scheduler that must differ lists the test in `skip`.
 *
 * @throws Error if `skip` names a test that does not exist
 *
 * @example
 * schedulerContract({ name: "timer", create: ({ clock }) => ({ scheduler: timerScheduler({ clock }) }) });
 */
export function schedulerContract({ name, create, realTime, skip = [] }: SchedulerContractOptions): void {
  const misnamed = skip.find(({ test }) => !cases.some((known) => known.test === test));
  if (misnamed !== undefined) throw new Error(`The scheduler contract has no test "${misnamed.test}" to skip.`);

  // In real time, the tests wait concurrently.
  const test = realTime === undefined ? it : it.concurrent;
  describe(`scheduler contract: ${name}`, () => {
    for (const { test: sentence, run } of cases) {
      test(sentence, { timeout: patienceMs }, async (context) => {
        const skipped = skip.find((entry) => entry.test === sentence);
        if (skipped !== undefined) context.skip(skipped.reason);
        const time = realTime === undefined ? manualTime() : machineTime(realTime);
        const { scheduler, cleanup } = await create(time);
        try {
          await run(createBench(scheduler, time));
        } finally {
          await scheduler.stop(0);
          await cleanup?.();
        }
      });
    }
  });
}
