import { expect, it } from "vitest";
import { type BullmqSchedulerOptions, bullmqScheduler } from "../../src/scheduler/bullmq.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { recordingLogger } from "../support/logger.ts";

interface Bench {
  scheduler: Scheduler;
  clock: ManualClock;
  lines: string[];
  added: unknown[];
  /** Processes a job through the newest worker. */
  process(data: unknown): Promise<void>;
  /** Reports an error of the queue or the newest worker. */
  fail(what: "queue" | "worker", error: Error): void;
  /** The events of the workers. */
  workers: string[];
}

function bench(options: Partial<BullmqSchedulerOptions> = {}): Bench {
  const clock = manualClock();
  const logger = recordingLogger();
  const added: unknown[] = [];
  const workers: string[] = [];
  const listeners: Partial<Record<"queue" | "worker", (error: Error) => void>> = {};
  const listenTo = (what: "queue" | "worker") => ({
    on(_event: "error", listener: (error: Error) => void): void {
      listeners[what] = listener;
    },
  });
  let process: (job: { data: unknown }) => Promise<void> = async () => {};
  const scheduler = bullmqScheduler(
    { ...listenTo("queue"), add: async (...job) => added.push(job) },
    {
      createWorker(nextProcess) {
        workers.push("made");
        process = nextProcess;
        return { ...listenTo("worker"), close: async () => void workers.push("closed") };
      },
      clock,
      logger,
      ...options,
    },
  );
  return {
    scheduler,
    clock,
    lines: logger.lines,
    added,
    workers,
    process: (data) => process({ data }),
    fail: (what, error) => listeners[what]?.(error),
  };
}

it("the scheduler adds a job that runs once and leaves nothing behind, under an id without a colon", async () => {
  const { scheduler, clock, added } = bench();
  const at = clock.now() + 90 * 86_400_000;
  scheduler.wake(at, "prof_1");
  await clock.advance(0);
  const options = {
    jobId: `prof_1.${at}`,
    delay: 7_776_000_000,
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  };
  expect(added).toEqual([["alarm", { key: "prof_1", at }, options]]);
});

it("a job ends while its work continues", async () => {
  const { scheduler, clock, process } = bench();
  let isDone = false;
  await scheduler.start(async () => {
    await clock.sleep(60_000);
    isDone = true;
  });
  await process({ key: "prof_1", at: clock.now() });
  expect(isDone).toBe(false);
  await clock.advance(60_000);
  expect(isDone).toBe(true);
});

it("each start creates a worker and each stop closes it", async () => {
  const { scheduler, workers } = bench();
  for (let number = 0; number < 2; number++) {
    await scheduler.start(async () => {});
    await scheduler.stop(0);
  }
  expect(workers).toEqual(["made", "closed", "made", "closed"]);
});

it("errors of queue and worker are logged, the same text once a minute", async () => {
  const { scheduler, clock, lines, fail } = bench();
  await scheduler.start(async () => {});
  for (let times = 0; times < 3; times++) fail("queue", new Error("connect ECONNREFUSED"));
  await clock.advance(60_000);
  fail("worker", new Error("connect ECONNREFUSED"));
  const line = expect.stringMatching(/^warn BullMQ reports an error; no work is lost.*connect ECONNREFUSED/);
  expect(lines).toEqual([line, line]);
});

it("the start fails when no worker can be created", async () => {
  const { scheduler } = bench({
    createWorker() {
      throw new Error("Worker requires a connection");
    },
  });
  await expect(scheduler.start(async () => {})).rejects.toThrow("Worker requires a connection");
});
