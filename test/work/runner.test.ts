import { getEventListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { DueWorkBegun } from "../../src/work/due-worker.ts";
import { createRunner, type Runner, type RunnerPorts } from "../../src/work/runner.ts";
import { recordingLogger } from "../support/logger.ts";

interface Bench {
  clock: ManualClock;
  runner: Runner;
  /** The events, in order. */
  calls: string[];
  lines: string[];
  /** The result of each alarm for the scheduler. */
  ring(key: string): Promise<void>;
}

function bench(
  given: {
    posts?: number[];
    profiles?: number[];
    endpoints?: number[];
    work?: () => Promise<void>;
    ports?: Partial<RunnerPorts>;
  } = {},
): Bench {
  const clock = manualClock();
  const logger = recordingLogger();
  const calls: string[] = [];
  const posts = [...(given.posts ?? [])];
  const profiles = [...(given.profiles ?? [])];
  const endpoints = [...(given.endpoints ?? [])];
  let handler: ((key: string) => Promise<void>) | null = null;
  const accountId = "default";
  const begun = (count = 0): DueWorkBegun[] =>
    Array.from({ length: count }, () => ({ accountId, done: given.work?.() ?? Promise.resolve() }));
  const runner = createRunner({
    clock,
    logger,
    scheduler: {
      async start(nextHandler) {
        calls.push("scheduler starts");
        handler = nextHandler;
      },
      wake: () => {},
      async stop() {
        calls.push("scheduler stops");
        handler = null;
      },
    },
    workers: {
      profiles: {
        accountOf: async () => accountId,
        async work(id) {
          calls.push(`profile ${id}`);
        },
        async claimDue(limit, exceptAccounts = []) {
          calls.push(`due ${[limit, ...exceptAccounts.map((id) => `but of ${id}`)].join(" ")}`);
          return exceptAccounts.includes(accountId) ? [] : begun(profiles.shift());
        },
      },
      inboxes: { accountOf: async () => accountId, work: async () => {}, claimDue: async () => [] },
      endpoints: {
        accountOf: async () => accountId,
        async work(id) {
          calls.push(`endpoint ${id}`);
        },
        claimDue: async () => begun(endpoints.shift()),
      },
    },
    async hourly() {
      calls.push("hourly");
    },
    async startDuePosts(limit) {
      calls.push(`posts ${limit}`);
      return Array.from({ length: posts.shift() ?? 0 }, () => ({ accountId, profileIds: Promise.resolve([]) }));
    },
    async untilNextDue(withinMs) {
      calls.push("asked");
      return [posts, profiles, endpoints].some(([next = 0]) => next > 0) ? 0 : withinMs;
    },
    untilIdle: async () => {},
    ...given.ports,
  });
  return {
    clock,
    runner,
    calls,
    lines: logger.lines,
    async ring(key) {
      await handler?.(key);
    },
  };
}

/** How often a sweep that found no more work asked for the next due time. */
function sweeps({ calls }: Bench): number {
  return calls.filter((call) => call === "asked").length;
}

/** The delay that a pool filled by one account returns, once a second. */
function looksPast(times: number): string[] {
  return Array.from({ length: times }, () => "due 50 but of default");
}

/** How often the due work was claimed. */
function claims({ calls }: Bench): number {
  return calls.filter((call) => call === "posts 50").length;
}

describe("runDue", () => {
  it("starts due posts, then processes due profiles and endpoints, and returns their numbers", async () => {
    const given = bench({ posts: [3], profiles: [2], endpoints: [0, 4] });
    expect(await given.runner.runDue()).toEqual({ posts: 3, profiles: 2, inboxes: 0, endpoints: 4, hasMore: false });
    expect(given.calls.slice(0, 2)).toEqual(["posts 50", "due 100"]);
  });

  it("continues until no work is due", async () => {
    const given = bench({ posts: [50, 50, 5], profiles: [1, 20, 20, 7] });
    expect(await given.runner.runDue()).toEqual({ posts: 105, profiles: 48, inboxes: 0, endpoints: 0, hasMore: false });
    expect(claims(given)).toBe(5);
  });

  it("claims more when a quarter of the running work has ended, or a second later", async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const given = bench({ profiles: [8], work });
    const run = given.runner.runDue();
    const looksAfter = async (ms: number): Promise<number> => {
      await given.clock.advance(ms);
      return given.calls.filter((call) => call.startsWith("posts ")).length;
    };
    const first = await looksAfter(1);
    ends[0]?.();
    expect(await looksAfter(1)).toBe(first);
    ends[1]?.();
    expect(await looksAfter(1)).toBe(first + 1);
    expect(await looksAfter(1_000)).toBe(first + 2);
    for (const end of ends) end();
    expect(await run).toMatchObject({ profiles: 8, hasMore: false });
  });

  it("begins at most the given number, waits for these, and says that there is more", async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const given = bench({ posts: [2], profiles: [3], work, ports: { untilNextDue: async () => 0 } });
    const run = given.runner.runDue({ atMost: 5 });
    await given.clock.advance(3_600_000);
    expect(given.calls).toEqual(["posts 5", "due 3"]);
    for (const end of ends) end();
    expect(await run).toEqual({ posts: 2, profiles: 3, inboxes: 0, endpoints: 0, hasMore: true });
  });

  it("begins nothing once its time is over, and waits at most 10 s for running work", async () => {
    // One becomes due after 2 s, and one after 5 s.
    const given = bench({ profiles: [1, 1, 0, 0, 1, 0, 0, 0, 1], work: () => new Promise(() => {}) });
    const report = await given.clock.run(() => given.runner.runDue({ forMs: 5_000 }));
    expect(given.clock.monotonic()).toBe(15_000);
    expect(report).toEqual({ posts: 0, profiles: 3, inboxes: 0, endpoints: 0, hasMore: true });
  });

  it("says that nothing is left when its limits were wide enough", async () => {
    const given = bench({ posts: [1], profiles: [1], ports: { untilNextDue: async () => 60_000 } });
    const report = await given.runner.runDue({ forMs: 60_000, atMost: 2 });
    expect(report).toEqual({ posts: 1, profiles: 1, inboxes: 0, endpoints: 0, hasMore: false });
  });

  it("rethrows the error that stops it", async () => {
    const startDuePosts = () => Promise.reject(new Error("the store is gone"));
    await expect(bench({ ports: { startDuePosts } }).runner.runDue()).rejects.toThrow("the store is gone");
  });

  it("needs no start, and counts as running for a minute", async () => {
    const { runner, clock } = bench();
    expect(runner.isRunning()).toBe(false);
    await runner.runDue();
    await clock.advance(59_999);
    expect(runner.isRunning()).toBe(true);
    await clock.advance(1);
    expect(runner.isRunning()).toBe(false);
  });
});

describe("a started runner", () => {
  it("sweeps immediately and then every 25 s", async () => {
    const given = bench();
    await given.runner.start();
    await given.clock.advance(0);
    expect(sweeps(given)).toBe(1);
    await given.clock.advance(24_999);
    expect(sweeps(given)).toBe(1);
    await given.clock.advance(1);
    expect(sweeps(given)).toBe(2);
    await given.clock.advance(250_000);
    expect(sweeps(given)).toBe(12);
    expect(given.runner.isRunning()).toBe(true);
  });

  it.each([
    ["earlier when work is due before that", 7_000, 7_000],
    ["after 20 ms at the earliest", 3, 20],
    ["at the latest after 25 s", 600_000, 25_000],
  ])("sweeps %s", async (_, untilDueMs, pauseMs) => {
    let asked = 0;
    const untilNextDue = async (withinMs: number): Promise<number> => {
      asked += 1;
      return Math.min(withinMs, untilDueMs);
    };
    const given = bench({ ports: { untilNextDue } });
    await given.runner.start();
    await given.clock.advance(pauseMs - 1);
    expect(asked).toBe(1);
    await given.clock.advance(1);
    expect(asked).toBe(2);
  });

  it("claims immediately, when work is due, and every five minutes in any case", async () => {
    let isDue = false;
    const given = bench({ ports: { untilNextDue: async (withinMs) => (isDue ? 0 : withinMs) } });
    await given.runner.start();
    await given.clock.advance(299_999);
    expect(claims(given)).toBe(1);
    await given.clock.advance(1);
    expect(claims(given)).toBe(2);
    isDue = true;
    await given.clock.advance(25_000);
    expect(claims(given)).toBe(3);
  });

  it("removes all of its listeners from the signal that ends it", async () => {
    const listening = vi.spyOn(EventTarget.prototype, "addEventListener");
    onTestFinished(() => listening.mockRestore());
    const given = bench();
    await given.runner.start();
    await given.clock.advance(3_600_000);
    const signals = listening.mock.contexts.filter((target) => target instanceof AbortSignal);
    const left = [...new Set(signals)].map((signal) => getEventListeners(signal, "abort").length);
    expect(signals.length).toBeGreaterThan(100);
    // The current pause.
    expect(Math.max(...left)).toBe(1);
  });

  it("continues with due work while one profile takes long", async () => {
    const given = bench({ profiles: [1, 0, 3], work: () => new Promise(() => {}) });
    await given.runner.start();
    await given.clock.advance(30_000);
    expect(given.calls.filter((call) => call.startsWith("due"))).toEqual(["due 100", "due 99", "due 99", "due 96"]);
  });

  it("starts at most a hundred profiles of one account at the same time, and the next as soon as one is done", async () => {
    let finish = (): void => {};
    const work = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    const given = bench({ profiles: [100, 1], work });
    await given.runner.start();
    await given.clock.advance(10_000);
    expect(given.calls.filter((call) => call.startsWith("due"))).toEqual(["due 100", ...looksPast(11)]);
    finish();
    await given.clock.advance(0);
    expect(given.calls.filter((call) => call.startsWith("due"))).toEqual(["due 100", ...looksPast(11), "due 1"]);
  });

  it("is not started a second time", async () => {
    const given = bench();
    await Promise.all([given.runner.start(), given.runner.start()]);
    await given.runner.start();
    await given.clock.advance(30_000);
    expect(given.calls.filter((call) => call === "scheduler starts")).toHaveLength(1);
    expect(sweeps(given)).toBe(2);
  });

  it("continues to sweep after a failed sweep, and logs it", async () => {
    let count = 0;
    const given = bench({
      ports: {
        async startDuePosts() {
          count += 1;
          if (count === 1) throw new Error("busy");
          return [];
        },
      },
    });
    await given.runner.start();
    await given.clock.advance(30_000);
    expect(count).toBe(2);
    expect(given.lines).toEqual([
      expect.stringContaining("the search for due work failed; the worker repeats it within 25 s"),
    ]);
  });

  it("starts due posts and processes the profile when its alarm rings", async () => {
    const given = bench();
    await given.runner.start();
    await given.clock.advance(0);
    given.calls.length = 0;
    await given.ring("prof_1");
    expect(given.calls).toEqual(["posts 50", "profile prof_1"]);
  });

  it("processes the endpoint when its alarm rings", async () => {
    const given = bench();
    await given.runner.start();
    await given.clock.advance(0);
    given.calls.length = 0;
    await given.ring("wh_1");
    expect(given.calls).toEqual(["endpoint wh_1"]);
  });

  it("leaves alarms without room to the next sweep, and sweeps as soon as there is room", async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const given = bench({ endpoints: [99, 0, 0], work });
    const { runner, clock } = given;
    await runner.start();
    await clock.advance(0);
    const swept = sweeps(given);
    const slow = given.ring("wh_slow");
    await given.ring("wh_missed");
    expect(given.calls.filter((call) => call.startsWith("endpoint"))).toEqual(["endpoint wh_slow"]);
    await slow;
    await clock.advance(0);
    expect(sweeps(given)).toBe(swept + 1);
  });

  it("cleans up immediately and then every hour", async () => {
    const given = bench();
    await given.runner.start();
    await given.clock.advance(3_599_999);
    expect(given.calls.filter((call) => call === "hourly")).toHaveLength(1);
    await given.clock.advance(30_000);
    expect(given.calls.filter((call) => call === "hourly")).toHaveLength(2);
  });

  it("continues to sweep while the cleanup hangs, and ends with its grace period", async () => {
    const given = bench({ ports: { hourly: () => new Promise<void>(() => {}) } });
    await given.runner.start();
    await given.clock.advance(120_000);
    expect(sweeps(given)).toBeGreaterThanOrEqual(4);
    await given.clock.run(() => given.runner.stop(1_000));
    const report = await given.clock.run(() => given.runner.runDue({ forMs: 1_000 }));
    expect(report).toMatchObject({ posts: 0, hasMore: false });
  });

  it("logs a failed cleanup, and runs the next hour's", async () => {
    let times = 0;
    const hourly = async (): Promise<void> => {
      times += 1;
      throw new Error("The store is down.");
    };
    const given = bench({ ports: { hourly } });
    await given.runner.start();
    await given.clock.advance(1_800_000);
    expect(given.lines.filter((line) => line.includes("The store is down."))).toHaveLength(1);
    await given.clock.advance(3_600_000);
    expect(times).toBe(2);
    // A cron job gets its error once.
    const other = bench({ ports: { hourly } });
    await expect(other.clock.run(() => other.runner.runDue())).rejects.toThrow("The store is down.");
    expect(await other.clock.run(() => other.runner.runDue())).toMatchObject({ posts: 0 });
  });
});

describe("a runner whose scheduler does not start", () => {
  /** A scheduler that starts only at the given attempt, and the record of its calls. */
  function startsLate(startsAt: number): { scheduler: Scheduler; calls: string[]; ring(key: string): Promise<void> } {
    const calls: string[] = [];
    let handler: ((key: string) => Promise<void>) | null = null;
    return {
      calls,
      ring: async (key) => handler?.(key),
      scheduler: {
        async start(nextHandler) {
          calls.push("start");
          if (calls.length < startsAt) throw new Error("no connection");
          handler = nextHandler;
        },
        wake: () => {},
        async stop() {
          calls.push("stop");
        },
      },
    };
  }

  it("sweeps all the same, and logs once what to do", async () => {
    const given = bench({ ports: { scheduler: startsLate(100).scheduler } });
    await given.runner.start();
    expect(given.runner.isRunning()).toBe(true);
    await given.clock.advance(60_000);
    expect(sweeps(given)).toBe(3);
    expect(given.lines).toEqual([
      expect.stringMatching(/^error the scheduler does not start; .* the worker finds .*reachable.*no connection/),
    ]);
  });

  it("retries with each sweep until it does, handles alarms from then on, and logs it", async () => {
    const { scheduler, calls, ring } = startsLate(3);
    const given = bench({ ports: { scheduler } });
    await given.runner.start();
    await given.clock.advance(120_000);
    expect(calls).toEqual(["start", "start", "start"]);
    await ring("prof_1");
    expect(given.calls.at(-1)).toBe("profile prof_1");
    expect(given.lines.slice(1)).toEqual([expect.stringMatching(/^info the scheduler has started after all/)]);
  });

  it("sweeps while the start is pending, and makes no second attempt beside it", async () => {
    let starts = 0;
    const start = () => {
      starts += 1;
      return new Promise<void>(() => {});
    };
    const given = bench({ ports: { scheduler: { start, wake: () => {}, stop: async () => {} } } });
    void given.runner.start();
    await given.clock.advance(60_000);
    expect(sweeps(given)).toBe(3);
    expect(starts).toBe(1);
  });

  it("can be stopped, and started again", async () => {
    const { scheduler, calls } = startsLate(3);
    const given = bench({ ports: { scheduler } });
    await given.runner.start();
    await given.runner.stop();
    await given.runner.start();
    expect(calls).toEqual(["start", "stop", "start"]);
  });

  it("may be stopped while it starts: the scheduler is stopped when it has started", async () => {
    const calls: string[] = [];
    const given = bench();
    const scheduler: Scheduler = {
      async start() {
        await given.clock.sleep(1_000);
        calls.push("started");
      },
      wake: () => {},
      async stop() {
        calls.push("stopped");
      },
    };
    const slow = bench({ ports: { clock: given.clock, scheduler } });
    const starting = slow.runner.start();
    await given.clock.run(() => Promise.all([starting, slow.runner.stop()]));
    expect(calls).toEqual(["started", "stopped"]);
    const swept = sweeps(slow);
    await given.clock.advance(300_000);
    expect(sweeps(slow)).toBe(swept);
  });
});

describe("a stopped runner", () => {
  it("sweeps no more and ignores alarms", async () => {
    const given = bench();
    await given.runner.start();
    await given.clock.advance(0);
    await given.runner.stop();
    expect(given.calls.at(-1)).toBe("scheduler stops");
    expect(given.runner.isRunning()).toBe(true);
    given.calls.length = 0;
    await given.clock.advance(300_000);
    await given.ring("prof_1");
    expect(given.calls).toEqual([]);
    expect(given.runner.isRunning()).toBe(false);
  });

  it("waits for the sweep that is under way", async () => {
    let isDone = false;
    const given = bench();
    const slow = bench({
      ports: {
        clock: given.clock,
        async startDuePosts() {
          await given.clock.sleep(5_000);
          isDone = true;
          return [];
        },
      },
    });
    await slow.runner.start();
    await given.clock.advance(1_000);
    await given.clock.run(() => slow.runner.stop());
    expect(isDone).toBe(true);
    expect(given.clock.monotonic()).toBe(5_000);
  });

  it.each([{ graceMs: 3_000 }, { graceMs: undefined }])(
    "waits no longer than its grace period: $graceMs",
    async ({ graceMs }) => {
      const { clock } = bench();
      const stuck = bench({ ports: { clock, startDuePosts: () => new Promise<never>(() => {}) } });
      await stuck.runner.start();
      await clock.run(() => stuck.runner.stop(graceMs));
      expect(clock.monotonic()).toBe(graceMs ?? 10_000);
    },
  );

  it("waits for the work of a call, started or not", async () => {
    const { clock } = bench();
    const busy = bench({ ports: { clock, untilIdle: () => clock.sleep(5_000) } });
    await clock.run(() => busy.runner.stop());
    expect(clock.monotonic()).toBe(5_000);
  });

  it("tolerates a stop before the start, and a second stop", async () => {
    const given = bench();
    await given.runner.stop();
    await given.runner.start();
    await given.runner.stop();
    await given.runner.stop();
    expect(given.calls.filter((call) => call === "scheduler stops")).toHaveLength(1);
  });

  it("can be started again", async () => {
    const given = bench();
    await given.runner.start();
    await given.clock.advance(0);
    await given.runner.stop();
    given.calls.length = 0;
    await given.runner.start();
    await given.clock.advance(30_000);
    expect(sweeps(given)).toBe(2);
    expect(given.calls).toContain("scheduler starts");
  });
});
