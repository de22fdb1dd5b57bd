import { describe, expect, it } from "vitest";
import { type PgBossLike, pgBossScheduler } from "../../src/scheduler/pg-boss.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { recordingLogger } from "../support/logger.ts";

interface Bench {
  scheduler: Scheduler;
  clock: ManualClock;
  lines: string[];
  /** The calls of the boss, in order, without fetches that found nothing. */
  calls: string[];
  /** How often the boss was asked for due alarms. */
  looks(): number;
  /** Jobs that are due. */
  due: { id: string; data: unknown }[];
}

function bench(boss: Partial<PgBossLike> = {}): Bench {
  const clock = manualClock();
  const logger = recordingLogger();
  const calls: string[] = [];
  const due: Bench["due"] = [];
  let looks = 0;
  let hasQueue = false;
  const scheduler = pgBossScheduler(
    {
      async createQueue(name, options) {
        calls.push(`create ${name} ${JSON.stringify(options)}`);
        hasQueue = true;
      },
      getQueue: async (name) => (hasQueue ? { name } : null),
      async send(_name, data, options) {
        calls.push(`send ${JSON.stringify(data)} ${JSON.stringify(options)}`);
        return "a job";
      },
      async fetch(_name, { batchSize }) {
        looks += 1;
        return due.splice(0, batchSize);
      },
      async deleteJob(_name, ids) {
        calls.push(`delete ${ids.join(" ")}`);
      },
      ...boss,
    },
    { clock, logger },
  );
  return { scheduler, clock, lines: logger.lines, calls, looks: () => looks, due };
}

function job(number: number): { id: string; data: object } {
  return { id: `job_${number}`, data: { key: `prof_${number}`, at: number } };
}

describe("the queue", () => {
  it("is created once, with the first alarm or the start, for jobs that run once and immediately", async () => {
    const { scheduler, clock, calls } = bench();
    const now = clock.now();
    scheduler.wake(now + 1_250, "prof_1");
    scheduler.wake(now + 90 * 86_400_000, "prof_2");
    await scheduler.start(async () => {});
    await clock.advance(0);
    expect(calls).toEqual([
      'create postrider-alarms {"name":"postrider-alarms","policy":"short","retryLimit":0,"expireInSeconds":60}',
      `send {"key":"prof_1","at":${now + 1_300}} {"singletonKey":"prof_1.${now + 1_300}","startAfter":1.3}`,
      `send {"key":"prof_2","at":${now + 7_776_000_000}} {"singletonKey":"prof_2.${now + 7_776_000_000}","startAfter":7776000}`,
    ]);
    await scheduler.stop(0);
  });

  it("may be created by another machine at the same moment", async () => {
    let isThere = false;
    const { scheduler } = bench({
      async createQueue() {
        isThere = true;
        throw new Error("deadlock detected");
      },
      getQueue: async (name) => (isThere ? { name } : null),
    });
    await scheduler.start(async () => {});
    await scheduler.stop(0);
  });

  it("that cannot be created fails the start, and the next start retries", async () => {
    let tries = 0;
    const { scheduler } = bench({
      async createQueue() {
        tries += 1;
        throw new Error("permission denied");
      },
    });
    for (let number = 0; number < 2; number++) {
      await expect(scheduler.start(async () => {})).rejects.toThrow(
        "pg-boss cannot be used (call its start() first): Error: permission denied",
      );
    }
    expect(tries).toBe(2);
  });

  it.each<[string, () => Promise<null>]>([
    ["returns null", async () => null],
    ["throws", () => Promise.reject(new Error("Queue postrider-alarms does not exist"))],
  ])("is created again when it is gone and the boss %s, and the alarm is sent again", async (_, answer) => {
    const sent: boolean[] = [];
    let isThere = false;
    const { scheduler, clock, lines } = bench({
      async createQueue() {
        isThere = true;
      },
      getQueue: async (name) => (isThere ? { name } : null),
      async send() {
        sent.push(isThere);
        return isThere ? "a job" : answer();
      },
    });
    await scheduler.start(async () => {});
    isThere = false;
    scheduler.wake(clock.now(), "prof_1");
    await clock.advance(0);
    expect(sent).toEqual([false, true]);
    expect(lines).toEqual([]);
    await scheduler.stop(0);
  });

  it("has the same alarm from another machine already: nothing is sent again", async () => {
    let sent = 0;
    const { scheduler, clock, lines } = bench({
      async send() {
        sent += 1;
        return null;
      },
    });
    scheduler.wake(clock.now(), "prof_1");
    await clock.advance(0);
    expect(sent).toBe(1);
    expect(lines).toEqual([]);
  });
});

describe("fetches of alarms", () => {
  it("are a second apart, and end with stop", async () => {
    const { scheduler, clock, looks } = bench();
    await scheduler.start(async () => {});
    await clock.advance(5_000);
    expect(looks()).toBe(6);
    await clock.run(() => scheduler.stop(10_000));
    await clock.advance(5_000);
    expect(looks()).toBe(6);
  });

  it("follow immediately while there are more, and leave nothing behind", async () => {
    const { scheduler, clock, calls, looks, due } = bench();
    const rung: string[] = [];
    due.push(...Array.from({ length: 45 }, (_, number) => job(number)));
    await scheduler.start(async (key) => void rung.push(key));
    await clock.advance(0);
    expect(rung).toHaveLength(45);
    expect(looks()).toBe(3);
    expect(calls.filter((call) => call.startsWith("delete")).map((call) => call.split(" ").length - 1)).toEqual([
      20, 20, 5,
    ]);
    await scheduler.stop(0);
  });

  it("also delete jobs that are not alarms", async () => {
    const { scheduler, clock, calls, due } = bench();
    due.push({ id: "job_1", data: null });
    await scheduler.start(async () => {});
    await clock.advance(0);
    expect(calls.at(-1)).toBe("delete job_1");
    await scheduler.stop(0);
  });

  it("continue after a failed one, which is logged", async () => {
    let looks = 0;
    const { scheduler, clock, lines } = bench({
      async fetch() {
        looks += 1;
        throw new Error("terminating connection");
      },
    });
    await scheduler.start(async () => {});
    await clock.advance(5_000);
    expect(looks).toBe(6);
    expect(lines).toEqual([expect.stringMatching(/^warn pg-boss cannot be polled for alarms; no work is lost/)]);
    await scheduler.stop(0);
  });

  it("are one more second apart when the jobs cannot be deleted, though each of them rings", async () => {
    const { scheduler, clock, due } = bench({ deleteJob: () => Promise.reject(new Error("busy")) });
    const rung: string[] = [];
    due.push(...Array.from({ length: 25 }, (_, number) => job(number)));
    await scheduler.start(async (key) => void rung.push(key));
    await clock.advance(0);
    expect(rung).toHaveLength(20);
    await clock.advance(1_000);
    expect(rung).toHaveLength(25);
    await scheduler.stop(0);
  });
});
