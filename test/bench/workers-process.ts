/** One of several workers on one database: works until it is told to end, then tells what that took. */
import { setTimeout } from "node:timers/promises";
import { Client, Pool } from "pg";
import PgBoss from "pg-boss";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import { numberIn } from "./fill-scheduled.ts";
import { instantHttp } from "./instant.ts";

/** What a worker tells at its end. */
export interface WorkerReport {
  /** Messages to the server with a statement or several. */
  statements: number;
  /** Of this process, in user and system mode, milliseconds. */
  cpuMs: number;
  /** What was done, in its order: the numbers of the posts that were sent, or one for each job. */
  done: number[];
}

/** What a worker works on. */
export interface WorkerTask {
  kind: "postrider" | "pg-boss";
  url: string;
  /** Addresses of built modules. */
  built: Record<"core" | "postgres" | "network", string>;
}

/** The time that the network takes to answer, milliseconds. */
const answerMs = 20;

let statements = 0;
const tally = new Map<string, number>();
function shorten(t: string): string {
  const tables = [...t.matchAll(/(FROM|INTO|UPDATE) "(\w+)"/g)].map((m) => m[1]![0] + ":" + m[2]).filter((x) => !/written|settings|locked|given/.test(x));
  return (t.startsWith("BEGIN") || t === "COMMIT" || t === "ROLLBACK" ? t.slice(0, 8) : [...new Set(tables)].join(" ") + (/LATERAL/.test(t) ? " together" : "") + (/SKIP LOCKED/.test(t) ? " skip" : "")) || t.slice(0, 60);
}
const { query } = Client.prototype;
Client.prototype.query = function count(this: Client, ...given: unknown[]) {
  statements += 1;
  if (process.env.TALLY) { const q: any = given[0]; const t = String(typeof q === "string" ? q : q.text).replace(/"(count|number|part)_?\d+"/g, "").replace(/postrider_/g, ""); const k = shorten(t); tally.set(k, (tally.get(k) ?? 0) + 1); }
  return (query as (...given: unknown[]) => unknown).apply(this, given);
} as typeof query;

const task = JSON.parse(process.argv[2] ?? "{}") as WorkerTask;
const done: number[] = [];
const pool = new Pool({ connectionString: task.url });
pool.on("error", () => {});
const worker = task.kind === "postrider" ? await ours(task) : await boss();

async function ours({ built }: WorkerTask) {
  const { createSocialService } = (await import(built.core)) as typeof import("../../src/index.ts");
  const { postgresStorage } = (await import(built.postgres)) as typeof import("../../src/storage/postgres/index.ts");
  const { bluesky } = (await import(built.network)) as typeof import("../../src/networks/bluesky/index.ts");
  const answer = instantHttp(
    async () => new Response(null, { status: 503 }),
    (text) => void done.push(numberIn(text) ?? -1),
  );
  const http: typeof fetch = async (input, init) => {
    await setTimeout(answerMs);
    return answer(input, init);
  };
  return createSocialService({
    storage: postgresStorage(pool),
    networks: [bluesky()],
    encryptionKey: testKey,
    logger: silentLogger,
    http,
    untrustedHttp: http,
  });
}

async function boss() {
  const db = { executeSql: (text: string, values: unknown[]) => pool.query(text, values) };
  const queue = new PgBoss({ db, supervise: false, schedule: false, migrate: false });
  return {
    async start(): Promise<void> {
      await queue.start();
      // One job at a time, as each post is by itself; as many polls at once as places for them.
      for (let place = 0; place < 10; place++) {
        await queue.work("publish", { batchSize: 1, pollingIntervalSeconds: 0.5 }, async () => void done.push(1));
      }
    },
    stop: () => queue.stop({ graceful: false, close: false }),
  };
}

process.once("message", async () => {
  statements = 0;
  const before = process.cpuUsage();
  process.once("message", async () => {
    const { user, system } = process.cpuUsage(before);
    const report: WorkerReport = { statements, cpuMs: (user + system) / 1_000, done };
    if (process.env.TALLY) console.error([...tally].sort((a, b) => b[1] - a[1]).slice(0, 22).map(([k, n]) => `${n}\t${k}`).join("\n") + "\n");
    await worker.stop();
    process.send?.(report, () => process.exit(0));
  });
  await worker.start();
});
process.send?.("ready");
