/** One of several workers on one database. Works between two messages, and after the second tells what that took. */
import { setTimeout } from "node:timers/promises";
import { Client, Pool } from "pg";
import PgBoss from "pg-boss";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import { numberIn } from "./fill-scheduled.ts";
import { instantHttp } from "./instant.ts";
import { bossQueue, type WorkerReport, type WorkerTask } from "./workers-task.ts";

/** How long the network takes to answer, milliseconds. */
const answerMs = 20;
/** Jobs that one worker of pg-boss takes side by side, one at a time each: as many as its pool has connections. */
const bossPlaces = 10;

interface Worker {
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
}

const task = JSON.parse(process.argv[2] ?? "") as WorkerTask;
const done: number[] = [];
let statements = 0;
countStatements();
const pool = new Pool({ connectionString: task.url });
pool.on("error", () => {});
const worker = task.kind === "postrider" ? await createOurs(task) : await createBoss();

function countStatements(): void {
  const query = Client.prototype.query as (...given: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    statements += 1;
    return query.apply(this, given);
  } as typeof Client.prototype.query;
}

async function createOurs({ built }: WorkerTask): Promise<Worker> {
  const { createSocialService } = (await import(built.core)) as typeof import("../../src/index.ts");
  const { postgresStorage } = (await import(built.postgres)) as typeof import("../../src/storage/postgres/index.ts");
  const { bluesky } = (await import(built.network)) as typeof import("../../src/networks/bluesky/index.ts");
  // The logins are fresh: nothing but posts is sent.
  const others: typeof fetch = async () => new Response(null, { status: 503 });
  const answer = instantHttp(others, (text) => void done.push(numberIn(text) ?? -1));
  const http: typeof fetch = async (input, init) => {
    await setTimeout(answerMs);
    return answer(input, init);
  };
  const storage = postgresStorage(pool);
  const ports = { http, untrustedHttp: http, logger: silentLogger, encryptionKey: testKey };
  return createSocialService({ storage, networks: [bluesky()], ...ports });
}

async function createBoss(): Promise<Worker> {
  const db = { executeSql: (text: string, values: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, supervise: false, schedule: false, migrate: false });
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  let isStopped = false;
  // Without the pauses of `boss.work`, which takes one job in each.
  async function workOne(): Promise<void> {
    while (!isStopped) {
      const [job] = await boss.fetch(bossQueue, { batchSize: 1 });
      if (job === undefined) return;
      await boss.complete(bossQueue, job.id);
      done.push(1);
    }
  }
  return {
    async start() {
      isStopped = false;
      for (let place = 0; place < bossPlaces; place++) void workOne();
    },
    async stop() {
      isStopped = true;
    },
  };
}

/** Works until the next message. */
async function workOnce(): Promise<void> {
  statements = 0;
  done.length = 0;
  const before = process.cpuUsage();
  const ended = new Promise((resolve) => process.once("message", resolve));
  await worker.start();
  await ended;
  const { user, system } = process.cpuUsage(before);
  const report: WorkerReport = { statements, cpuMs: (user + system) / 1_000, done };
  process.send?.(report);
  await worker.stop();
  process.once("message", workOnce);
  process.send?.("ready");
}

process.once("message", workOnce);
process.send?.("ready");
