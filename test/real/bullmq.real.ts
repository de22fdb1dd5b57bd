import { afterAll, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/ports/clock.ts";
import {
  type BullmqSchedulerOptions,
  type BullQueue,
  type BullWorker,
  bullmqScheduler,
} from "../../src/scheduler/bullmq.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { schedulerContract } from "../../src/testing/scheduler.ts";
import { silentLogger } from "../support/logger.ts";
import { createMachines, latestMs } from "./machines.ts";
import { startRedis } from "./redis.ts";

/** The part of BullMQ and ioredis that is used here; their own types are installed only with `npm run test:real`. */
interface Queue extends BullQueue {
  name: string;
  getJobs(): Promise<unknown[]>;
  close(): Promise<void>;
}
interface Bullmq {
  Queue: new (name: string, options: { connection: Redis }) => Queue;
  Worker: new (
    name: string,
    process: (job: { data: unknown }) => Promise<void>,
    options: { connection: Redis },
  ) => BullWorker;
}
interface Redis {
  on(event: "error", listener: () => void): unknown;
  flushall(): Promise<unknown>;
  disconnect(): void;
}
interface Ioredis {
  Redis: new (options: { port: number; maxRetriesPerRequest: null }) => Redis;
}

const load = (name: string): Promise<unknown> => import(name);
const { Queue, Worker } = (await load("bullmq")) as Bullmq;
const { Redis } = (await load("ioredis")) as Ioredis;

const server = await startRedis();

/** The objects of one machine. */
function connect(): Redis {
  const connection = new Redis({ port: typeof server === "string" ? 0 : server.port, maxRetriesPerRequest: null });
  // A host's own part.
  connection.on("error", () => {});
  return connection;
}

const connections = typeof server === "string" ? [] : [connect(), connect()];
const [here, there] = connections as [Redis, Redis];
const opened: Queue[] = [];

afterAll(async () => {
  if (typeof server === "string") return;
  await Promise.all(opened.map((queue) => queue.close()));
  for (const connection of connections) connection.disconnect();
  await server.remove();
});

function openQueue(connection: Redis, name: string): Queue {
  const queue = new Queue(name, { connection });
  opened.push(queue);
  return queue;
}

function schedulerOn(connection: Redis, name: string, options: Partial<BullmqSchedulerOptions> = {}): Scheduler {
  return bullmqScheduler(openQueue(connection, name), {
    createWorker: (process) => new Worker(name, process, { connection }),
    logger: silentLogger,
    ...options,
  });
}

let names = 0;
const nextName = (): string => `alarms-${names++}`;

describe.skipIf(typeof server === "string")("BullMQ", () => {
  schedulerContract({
    name: "BullMQ",
    realTime: { lateMs: 1_500 },
    create: ({ clock }) => ({ scheduler: schedulerOn(here, nextName(), { clock }) }),
  });

  it("spreads alarms over the listening machines, each to one, and keeps none of them", async () => {
    const name = nextName();
    const heard = [new Set<string>(), new Set<string>()];
    const schedulers = [schedulerOn(here, name), schedulerOn(there, name)];
    let calls = 0;
    for (const [number, scheduler] of schedulers.entries()) {
      await scheduler.start(async (key) => {
        calls += 1;
        heard[number]?.add(key);
      });
    }
    const keys = Array.from({ length: 60 }, (_, number) => `prof_${number}`);
    // Both ask for each alarm, like two machines that know of one post.
    for (const [number, key] of keys.entries()) {
      for (const scheduler of schedulers) scheduler.wake(Date.now() + 500 + 20 * number, key);
    }
    while (heard.reduce((sum, { size }) => sum + size, 0) < keys.length) await systemClock.sleep(20);
    await systemClock.sleep(300);
    expect(calls).toBe(keys.length);
    for (const { size } of heard) expect(size).toBeGreaterThan(0);
    await Promise.all(schedulers.map((scheduler) => scheduler.stop(2_000)));
    expect(await jobsOf(name)).toEqual([]);
  });

  it("delivers the alarm for a post to another machine than the one that accepted it", async () => {
    const name = nextName();
    const machines = await createMachines({
      schedulers: connections.map((connection) => (clock) => schedulerOn(connection, name, { clock })),
      isSweepBlind: true,
    });
    // The first accepts posts and processes nothing.
    await machines.services[1]?.start();
    const texts = await machines.schedule(3, 1_000);
    await machines.untilShown(texts.length);
    expect(machines.shown()).toEqual(texts);
    await machines.stop();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["Redis is emptied", () => here.flushall()],
    ["Redis is killed and comes back", restart],
    ["Redis is killed and stays away", kill],
  ])("loses no post when %s while posts are scheduled", async (_, lose) => {
    const name = nextName();
    // Where BullMQ reports errors without a listener.
    const unheard = vi.spyOn(console, "error");
    const machines = await createMachines({
      schedulers: connections.map((connection) => (clock) => schedulerOn(connection, name, { clock })),
    });
    for (const service of machines.services) await service.start();
    const texts = await machines.schedule(10, 1_500);
    const dueAt = Date.now() + 1_500;
    await lose();
    await machines.untilShown(texts.length);
    expect(Date.now() - dueAt).toBeLessThan(latestMs);
    expect(machines.shown()).toEqual(texts);
    const stopsAt = Date.now();
    await machines.stop();
    expect(Date.now() - stopsAt).toBeLessThan(5_000);
    await kill();
    await start();
    expect(unheard).not.toHaveBeenCalled();
    unheard.mockRestore();
  });

  it("neither starts nor accepts a post more slowly while Redis is away, and delivers alarms when it is back", async () => {
    const name = nextName();
    await kill();
    const rung: string[] = [];
    const scheduler = schedulerOn(here, name);
    const beganAt = Date.now();
    await scheduler.start(async (key) => void rung.push(key));
    for (let number = 0; number < 2_000; number++) scheduler.wake(Date.now(), `prof_${number}`);
    // A connection would be waited for longer.
    expect(Date.now() - beganAt).toBeLessThan(2_000);
    await start();
    while (rung.length < 1_000) await systemClock.sleep(20);
    await scheduler.stop(2_000);
    expect(new Set(rung).size).toBe(1_000);
  });

  it("closes only its own worker: the host's queue keeps running", async () => {
    const done: unknown[] = [];
    const name = nextName();
    const queue = openQueue(here, name);
    const mail = openQueue(here, "mail");
    mail.on("error", () => {});
    const host = new Worker("mail", async ({ data }) => void done.push(data), { connection: here });
    const scheduler = bullmqScheduler(queue, {
      createWorker: (process) => new Worker(name, process, { connection: here }),
      logger: silentLogger,
    });
    await scheduler.start(async () => {});
    await scheduler.stop(2_000);
    await mail.add(
      "mail",
      { key: "bob", at: 0 },
      { jobId: "a", delay: 0, attempts: 1, removeOnComplete: true, removeOnFail: true },
    );
    while (done.length === 0) await systemClock.sleep(20);
    scheduler.wake(Date.now() + 60_000, "prof_1");
    while ((await jobsOf(name)).length === 0) await systemClock.sleep(20);
    await host.close();
  });
});

async function jobsOf(name: string): Promise<unknown[]> {
  const queue = new Queue(name, { connection: here });
  const jobs = await queue.getJobs();
  await queue.close();
  return jobs;
}

async function kill(): Promise<void> {
  if (typeof server !== "string") await server.kill();
}

async function start(): Promise<void> {
  if (typeof server !== "string") await server.start();
}

async function restart(): Promise<void> {
  await kill();
  await systemClock.sleep(300);
  await start();
}
