/**
 * What a second worker and a fourth cost: processes on one Postgres, as a host
 * runs them by `start()`, with posts that are all due at one moment. Counted are
 * messages to the server and the workers' own time on the processor, for each
 * post, beside those of one worker; the network answers after 20 ms, within the
 * process. The floor is pg-boss with jobs that do nothing: `fetch` and `complete`.
 *
 * A post is due on one of 500 profiles, and each worker has done some before.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import PgBoss from "pg-boss";
import type { BenchOptions } from "./arguments.ts";
import { type Built, builtUrl, importBuilt } from "./built.ts";
import { openPostgres, type PostgresDatabase } from "./database.ts";
import { createFill } from "./fill-scheduled.ts";
import { createInstantService } from "./instant.ts";
import type { BenchResult } from "./result.ts";
import { bossQueue, type WorkerReport, type WorkerTask } from "./workers-task.ts";

const profiles = 500;
/** For each worker, before and in a measurement: where it does more its code is faster. */
const postsEach = 800;
const workerCounts = [1, 2, 4] as const;
/** What is reached, at most, as a multiple of one worker's. */
const goals = { statements: { 2: 1.15, 4: 1.3 }, cpuMs: { 2: 1.25, 4: 1.25 } } as const;
/** How often it is looked whether all is done, milliseconds. */
const lookEveryMs = 200;

/** Something that several workers do. */
interface Work {
  kind: WorkerTask["kind"];
  /** What there is so many of, as in "post". */
  unit: string;
  /** Makes so many due. */
  fill(count: number): Promise<void>;
  /** True when all of it is done. */
  isDone(): Promise<boolean>;
}

/** For each post or job. */
interface Cost {
  statements: number;
  cpuMs: number;
  perSecond: number;
}

export async function benchWorkers(_options: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const database = await openPostgres(built);
  try {
    const results: BenchResult[] = [];
    for (const work of [await postsOn(database, built), await jobsOn(database)]) {
      const costs: [workers: number, cost: Cost][] = [];
      for (const workers of workerCounts) costs.push([workers, await costOf(work, workers, database)]);
      results.push(...resultsOf(work, costs));
    }
    return results;
  } finally {
    await database.remove();
  }
}

async function costOf(work: Work, count: number, { url, run }: PostgresDatabase): Promise<Cost> {
  const names = { core: "index", postgres: "storage/postgres", network: "networks/bluesky" };
  const built = { core: builtUrl(names.core), postgres: builtUrl(names.postgres), network: builtUrl(names.network) };
  const task: WorkerTask = { kind: work.kind, url, built };
  const file = fileURLToPath(new URL("workers-process.ts", import.meta.url));
  const workers = Array.from({ length: count }, () => fork(file, [JSON.stringify(task)]));
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    await runOnce(work, workers, count * postsEach);
    await run("VACUUM ANALYZE");
    await run("CHECKPOINT");
    return await runOnce(work, workers, count * postsEach);
  } finally {
    for (const worker of workers) worker.kill();
  }
}

/** Lets all of them work until so many are done. */
async function runOnce(work: Work, workers: readonly ChildProcess[], count: number): Promise<Cost> {
  await work.fill(count);
  const startedAt = performance.now();
  for (const worker of workers) worker.send("start");
  while (!(await work.isDone())) await setTimeout(lookEveryMs);
  const seconds = (performance.now() - startedAt) / 1_000;
  const reports = await Promise.all(workers.map(stopOne));
  const done = reports.flatMap((report) => report.done);
  const isOnce = work.kind !== "postrider" || new Set(done).size === count;
  if (done.length !== count || !isOnce) throw new Error(`${done.length} were done of ${count}, or some of them twice.`);
  const sum = (value: (report: WorkerReport) => number): number =>
    reports.reduce((all, report) => all + value(report), 0) / count;
  return {
    statements: sum(({ statements }) => statements),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    perSecond: count / seconds,
  };
}

async function stopOne(worker: ChildProcess): Promise<WorkerReport> {
  const reported = once(worker, "message");
  worker.send("stop");
  const [report] = (await reported) as [WorkerReport];
  await once(worker, "message");
  return report;
}

async function postsOn(database: PostgresDatabase, built: Built): Promise<Work> {
  const { storage } = database;
  const { social, profileIds } = await createInstantService(built, { storage, profiles, onPost() {} });
  const fillScheduled = await createFill(database, social, profileIds[0] ?? "");
  let filled = 0;
  return {
    kind: "postrider",
    unit: "post",
    async fill(count) {
      const dueAt = await storage.now();
      const from = filled;
      filled += count;
      await fillScheduled(function* () {
        for (let number = from; number < filled; number++)
          yield { number, dueAt, profileId: profileIds[number % profiles] ?? "" };
      });
    },
    async isDone() {
      return (await storage.find("posts", { where: { status: "published" }, limit: 1 })).total >= filled;
    },
  };
}

async function jobsOn({ pool }: PostgresDatabase): Promise<Work> {
  const db = { executeSql: (text: string, values: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(bossQueue);
  return {
    kind: "pg-boss",
    unit: "job",
    fill: (count) => boss.insert(Array.from({ length: count }, (_, number) => ({ name: bossQueue, data: { number } }))),
    async isDone() {
      const { rows } = await pool.query("SELECT count(*)::int AS left FROM pgboss.job WHERE state < 'completed'");
      return rows[0]?.left === 0;
    },
  };
}

function resultsOf({ kind, unit }: Work, costs: readonly [workers: number, cost: Cost][]): BenchResult[] {
  const [, one] = costs[0] ?? [1, { statements: Number.NaN, cpuMs: Number.NaN, perSecond: Number.NaN }];
  return costs.flatMap(([workers, cost]) =>
    (["statements", "cpuMs"] as const).map((measure): BenchResult => {
      const ratio = cost[measure] / one[measure];
      const goal = kind === "postrider" && workers !== 1 ? goals[measure][workers as 2 | 4] : null;
      const what = measure === "cpuMs" ? "ms of the processor" : "statements";
      return {
        name: `${kind}, ${workers} of one machine: ${what} a ${unit}`,
        ours: cost[measure].toFixed(2),
        floor: `${cost.perSecond.toFixed(0)} ${unit}s/s`,
        reached: `${ratio.toFixed(2)}×`,
        goal: goal === null ? "" : `≤${goal.toFixed(2)}×`,
        isMet: goal === null || ratio <= goal,
        raw: cost,
      };
    }),
  );
}
