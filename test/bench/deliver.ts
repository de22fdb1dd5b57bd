/**
 * Deliveries for each second of this process's work, against the loop that one
 * would write without us: claim 64, sign, POST with `fetch`, settle them in one
 * transaction. And, without a goal, the same loop on bare `node:http`.
 */
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import type { BenchOptions } from "./arguments.ts";
import { importBuilt } from "./built.ts";
import { cpuMs } from "./measure.ts";
import { type BenchResult, ratioOf } from "./result.ts";
import { bodyOf, createSender, type Sender, startReceiver } from "./sender.ts";

/** Deliveries in one measurement, and the endpoints that they go to. */
const deliveries = 1_024;
const endpoints = 16;

export async function benchDeliver({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const receiver = await startReceiver();
  const { place } = receiver;
  const urls = Array.from({ length: endpoints }, (_, index) => `http://${place}/${index}`);
  try {
    const ours = await createSender(await importBuilt(), { file: join(folder, "ours.db"), place, urls, deliveries });
    const results: BenchResult[] = [];
    for (const { by, post, goal } of [
      { by: "a loop on fetch", post: postByFetch, goal: 0.5 },
      { by: "a loop on node:http", post: createPostByHttp(), goal: null },
    ]) {
      const bare = createBare(join(folder, `${results.length}.db`), { urls, post });
      const pair = {
        ours: ours.deliver,
        floor: bare.deliver,
        prepare: [ours.fill, bare.fill],
        calls: 1,
        // Until the compiler has seen all of it.
        warmUp: 10,
      } as const;
      const name = `1,024 deliveries on SQLite against ${by}, CPU time`;
      results.push(await ratioOf(name, pair, { goal, pairs, now: cpuMs }));
      await assertAll(bare, pairs + pair.warmUp);
      await assertAll(ours, results.length * (pairs + pair.warmUp));
      await bare.close();
    }
    await ours.close();
    return results;
  } finally {
    receiver.process.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function assertAll(sender: Sender, fillings: number): Promise<void> {
  const delivered = await sender.countDelivered();
  if (delivered !== fillings * deliveries) throw new Error(`${delivered} of ${fillings * deliveries} were delivered.`);
}

interface Claimed {
  id: string;
  url: string;
  body: string;
}

type Post = (delivery: Claimed) => Promise<{ status: number; text: string }>;

/** Claims 64, signs, posts them side by side, and settles them in one transaction. */
function createBare(file: string, { urls, post }: { urls: readonly string[]; post: Post }): Sender {
  const database = new Database(file);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" +
      "CREATE TABLE deliveries (id TEXT PRIMARY KEY, url TEXT, body TEXT, status TEXT, attempts INTEGER, due_at INTEGER, lease_until INTEGER, response_status INTEGER, response_body TEXT);" +
      "CREATE INDEX due ON deliveries (status, due_at)",
  );
  const insert = database.prepare("INSERT INTO deliveries VALUES (?, ?, ?, 'pending', 0, ?, 0, NULL, NULL)");
  const claim = database.prepare(
    "UPDATE deliveries SET lease_until = ? WHERE id IN (SELECT id FROM deliveries WHERE status = 'pending' AND due_at <= ? AND lease_until <= ? ORDER BY due_at LIMIT 64) RETURNING id, url, body",
  );
  const settle = database.prepare(
    "UPDATE deliveries SET status = 'delivered', attempts = attempts + 1, response_status = ?, response_body = ? WHERE id = ?",
  );
  const count = database.prepare("SELECT COUNT(*) AS total FROM deliveries WHERE status = 'delivered'");
  let filled = 0;
  return {
    async fill() {
      database.exec("BEGIN");
      for (let index = 0; index < deliveries; index++) {
        const id = `dlv_${filled++}`;
        insert.run(id, urls[index % urls.length], bodyOf(id), Date.now());
      }
      database.exec("COMMIT");
    },
    async deliver() {
      for (;;) {
        const now = Date.now();
        const claimed = claim.all(now + 30_000, now, now) as Claimed[];
        if (claimed.length === 0) return;
        const answers = await Promise.all(claimed.map(post));
        database.exec("BEGIN IMMEDIATE");
        for (const [index, { id }] of claimed.entries()) settle.run(answers[index]?.status, answers[index]?.text, id);
        database.exec("COMMIT");
      }
    },
    async countDelivered() {
      return (count.get() as { total: number }).total;
    },
    async close() {
      database.close();
    },
  };
}

function headersOf({ id, body }: Claimed): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", "whsec_bare").update(`${timestamp}.${body}`).digest("hex");
  return {
    "content-type": "application/json",
    "service-delivery": id,
    "service-signature": `t=${timestamp},v1=${signature}`,
  };
}

async function postByFetch(delivery: Claimed): Promise<{ status: number; text: string }> {
  const init = { method: "POST", headers: headersOf(delivery), body: delivery.body };
  const answer = await fetch(delivery.url, init);
  return { status: answer.status, text: await answer.text() };
}

/** On connections that are kept. */
function createPostByHttp(): Post {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (delivery) =>
    new Promise((resolve, reject) => {
      const headers = { ...headersOf(delivery), "content-length": Buffer.byteLength(delivery.body) };
      const message = request(delivery.url, { method: "POST", agent, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      message.once("error", reject);
      message.end(delivery.body);
    });
}
