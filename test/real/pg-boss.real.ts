import { Pool } from "pg";
import PgBoss from "pg-boss";
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/ports/clock.ts";
import { type PgBossSchedulerOptions, pgBossScheduler } from "../../src/scheduler/pg-boss.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { schedulerContract } from "../../src/testing/scheduler.ts";
import { recordingLogger, silentLogger } from "../support/logger.ts";
import { startPostgres } from "../support/postgres.ts";
import { createMachines, latestMs } from "./machines.ts";

const server = await startPostgres();
const url = typeof server === "string" ? "" : server.url;
const pool = new Pool({ connectionString: url, max: 2 });
pool.on("error", () => {});

const pollMs = 100;
const queues: string[] = [];
const nextQueue = (): string => queues.pop() ?? "";

/** A boss like a host's, on a separate connection pool. */
async function startBoss(schema = "pgboss"): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, schema, max: 3 });
  boss.on("error", () => {});
  await boss.start();
  return boss;
}

/** Each like on another machine. */
const bosses = typeof server === "string" ? [] : [await startBoss(), await startBoss()];
const [here, there] = bosses as [PgBoss, PgBoss];
afterAll(async () => {
  if (typeof server === "string") return;
  await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })));
  await pool.end();
  await server.remove();
});

function schedulerOn(boss: PgBoss, options: PgBossSchedulerOptions = {}): Scheduler {
  return pgBossScheduler(boss, { pollMs, logger: silentLogger, ...options });
}

// One after the other: Postgres ends one of two processes that create tables of pg-boss 10 concurrently.
for (let number = 0; number < 20 && here !== undefined; number++) {
  const queue = `alarms-${number}`;
  const scheduler = schedulerOn(here, { queue });
  await scheduler.start(async () => {});
  await scheduler.stop(1_000);
  queues.push(queue);
}

describe.skipIf(typeof server === "string")("pg-boss", () => {
  schedulerContract({
    name: "pg-boss",
    realTime: { lateMs: 1_500 },
    create({ clock }) {
      return { scheduler: schedulerOn(here, { clock, queue: nextQueue() }) };
    },
  });

  it("delivers each alarm to one of the listening machines, and all to the last one", async () => {
    const queue = nextQueue();
    const heard = [new Set<string>(), new Set<string>()];
    const schedulers = [schedulerOn(here, { queue }), schedulerOn(there, { queue })] as const;
    let calls = 0;
    for (const [number, scheduler] of schedulers.entries()) {
      await scheduler.start(async (key) => {
        calls += 1;
        heard[number]?.add(key);
      });
    }
    // Both ask for each alarm, like two machines that know of one post; early enough that both
    // have asked before any is due.
    const first = Date.now() + 3_000;
    for (let number = 0; number < 60; number++) {
      for (const scheduler of schedulers) scheduler.wake(first + 40 * number, `prof_${number}`);
    }
    const sumHeard = (): number => heard.reduce((sum, { size }) => sum + size, 0);
    while (sumHeard() < 60) await systemClock.sleep(20);
    await systemClock.sleep(3 * pollMs);
    expect(calls).toBe(60);
    const [stopped, left] = schedulers;
    await stopped.stop(1_000);
    left.wake(Date.now(), "prof_60");
    while (sumHeard() < 61) await systemClock.sleep(20);
    expect(heard[1]).toContain("prof_60");
    await left.stop(1_000);
    expect(await jobsOf(queue)).toEqual([]);
  });

  it("makes one job of the same alarm from several machines, and keeps a job that is due months ahead", async () => {
    const queue = "made-by-both";
    const schedulers = [schedulerOn(here, { queue }), schedulerOn(there, { queue })];
    const at = Date.now() + 90 * 86_400_000;
    for (const scheduler of schedulers) scheduler.wake(at, "prof_1");
    // Waits for requests under way.
    await Promise.all(schedulers.map((scheduler) => scheduler.stop(5_000)));
    await here.maintain();
    const [job, ...others] = await jobsOf(queue);
    expect(others).toEqual([]);
    expect(job?.state).toBe("created");
    expect(Math.abs(Number(job?.start_after) - at)).toBeLessThan(1_000);
    expect(Number(job?.keep_until)).toBeGreaterThan(at);
  });

  it("delivers the alarm for a post to another machine than the one that accepted it", async () => {
    const queue = nextQueue();
    const machines = await createMachines({
      schedulers: bosses.map((boss) => (clock) => schedulerOn(boss, { queue, clock })),
      isSweepBlind: true,
    });
    // The first accepts posts and processes nothing.
    await machines.services[1]?.start();
    const texts = await machines.schedule(3, 1_000);
    await machines.untilShown(texts.length);
    expect(machines.shown()).toEqual(texts);
    await machines.stop();
  });

  it.each<[string, (boss: PgBoss, queue: string) => Promise<unknown>]>([
    ["the queue is dropped", dropQueue],
    ["the schema is dropped", () => dropSchema("lost")],
    ["the boss is stopped", (boss) => boss.stop({ graceful: false })],
  ])("loses no post when %s while posts are scheduled", async (_, lose) => {
    const queue = "alarms";
    const boss = await startBoss("lost");
    const machines = await createMachines({
      schedulers: [1, 2].map(() => (clock) => schedulerOn(boss, { queue, clock })),
    });
    for (const service of machines.services) await service.start();
    const texts = await machines.schedule(10, 1_500);
    await lose(boss, queue);
    const dueAt = Date.now() + 1_500;
    await machines.untilShown(texts.length);
    expect(Date.now() - dueAt).toBeLessThan(latestMs);
    expect(machines.shown()).toEqual(texts);
    await machines.stop();
    await boss.stop({ graceful: false });
  });

  it("creates a dropped queue again with the next alarm", async () => {
    const queue = nextQueue();
    const rung: string[] = [];
    const scheduler = schedulerOn(here, { queue });
    await scheduler.start(async (key) => void rung.push(key));
    await dropQueue(here, queue);
    scheduler.wake(Date.now(), "prof_1");
    while (rung.length === 0) await systemClock.sleep(20);
    await scheduler.stop(1_000);
    expect(rung).toEqual(["prof_1"]);
  });

  it("does not touch the host's own queues and workers", async () => {
    const done: object[] = [];
    await here.createQueue("mail");
    await here.work<object>("mail", { pollingIntervalSeconds: 0.5 }, async (jobs) => {
      for (const { data } of jobs) done.push(data);
    });
    const scheduler = schedulerOn(here, { queue: nextQueue() });
    await scheduler.start(async () => {});
    scheduler.wake(Date.now() + 60_000, "prof_1");
    await here.send("mail", { to: "alice" });
    await scheduler.stop(1_000);
    await here.send("mail", { to: "bob" });
    while (done.length < 2) await systemClock.sleep(20);
    expect(done).toEqual([{ to: "alice" }, { to: "bob" }]);
    await here.offWork("mail");
  });

  it("tells the host to start the boss when it is not started", async () => {
    const boss = new PgBoss({ connectionString: url });
    const logger = recordingLogger();
    const scheduler = schedulerOn(boss, { logger });
    await expect(scheduler.start(async () => {})).rejects.toThrow("call its start() first");
    scheduler.wake(Date.now(), "prof_1");
    await scheduler.stop(1_000);
    expect(logger.lines).toEqual([
      expect.stringMatching(/^warn pg-boss has not accepted an alarm; no work is lost: the worker/),
    ]);
  });
});

/**
 * A concurrent fetch of alarms locks the same tables in another order, or changes them: Postgres
 * then ends one of the two.
 */
async function dropSchema(name: string): Promise<void> {
  await pool.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`).catch((error: { code?: string }) => {
    if (error.code !== "40P01" && error.code !== "XX000") throw error;
    return dropSchema(name);
  });
}

/** pg-boss 10 drops no queue that has jobs, and another may come meanwhile. */
async function dropQueue(boss: PgBoss, queue: string): Promise<void> {
  await boss.purgeQueue(queue);
  await boss.deleteQueue(queue).catch(() => dropQueue(boss, queue));
}

interface JobRow {
  state: string;
  /** Milliseconds since 1970. */
  start_after: string;
  keep_until: string;
}

async function jobsOf(queue: string): Promise<JobRow[]> {
  const { rows } = await pool.query(
    `SELECT state, extract(epoch FROM start_after) * 1000 AS start_after, extract(epoch FROM keep_until) * 1000 AS keep_until
     FROM pgboss.job WHERE name = $1`,
    [queue],
  );
  return rows;
}
