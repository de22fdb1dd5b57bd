/** Deliveries for each second of this process's work, against the loop that one would write without us. */
import { type ChildProcess, fork } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { cpuMs } from "./measure.ts";
import { type BenchResult, ratioOf } from "./result.ts";

/** Deliveries in one measurement. */
const deliveries = 1_024;
const endpoints = 16;

export async function benchDeliver({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const receiver = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)));
  try {
    const place = `127.0.0.1:${await portOf(receiver)}`;
    const ours = await createOurs(await importBuilt(), { file: join(folder, "ours.db"), place });
    const bare = createBare({ file: join(folder, "bare.db"), place });
    const pair = {
      ours: ours.deliver,
      floor: bare.deliver,
      prepare: [ours.fill, bare.fill],
      calls: 1,
      warmUp: 2,
    } as const;
    const result = await ratioOf("1,024 deliveries on SQLite, CPU time", pair, { goal: 0.5, pairs, now: cpuMs });
    await ours.close();
    await bare.close();
    return [result];
  } finally {
    receiver.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function portOf(receiver: ChildProcess): Promise<number> {
  const [port] = (await once(receiver, "message")) as [number];
  return port;
}

interface Sender {
  /** Puts the deliveries there. */
  fill(): Promise<void>;
  /** Delivers them all. */
  deliver(): Promise<void>;
  close(): Promise<void> | void;
}

const body = (id: string): string =>
  JSON.stringify({
    id,
    type: "post.published",
    created_at: "2026-11-21T12:00:00.000Z",
    data: { text: "x".repeat(1_000) },
  });

async function createOurs(built: Built, { file, place }: { file: string; place: string }): Promise<Sender> {
  const storage = built.sqliteStorage(file);
  const social = built.createSocialService({
    storage,
    encryptionKey: testKey,
    logger: silentLogger,
    allowHosts: [place],
  });
  const ids: string[] = [];
  for (let index = 0; index < endpoints; index++) {
    ids.push((await social.webhooks.create({ url: `http://${place}/${index}` })).id);
  }
  let filled = 0;
  return {
    async fill() {
      const now = Date.now();
      const rows = Array.from({ length: deliveries }, (_, index) => {
        const id = `dlv_${filled++}`;
        return {
          id,
          account_id: "default",
          webhook_id: ids[index % endpoints] ?? "",
          event: "post.published",
          status: "pending",
          attempts: 0,
          due_at: now,
          created_at: new Date(now).toISOString(),
          private: { body: body(id) },
        };
      });
      await storage.write([
        ...rows.map((row) => ({ kind: "insert", collection: "deliveries", row }) as const),
        ...ids.map(
          (id) => ({ kind: "update", collection: "endpoints", id, change: { due_at: now }, where: {} }) as const,
        ),
      ]);
    },
    async deliver() {
      await social.runDue();
      const { total } = await storage.find("deliveries", { where: { status: "delivered" }, limit: 1 });
      if (total !== filled) throw new Error(`${total} of ${filled} were delivered.`);
    },
    close: () => storage.close(),
  };
}

/** Claims 64, signs, posts them side by side on kept connections, and settles them in one transaction. */
function createBare({ file, place }: { file: string; place: string }): Sender {
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
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let filled = 0;
  return {
    async fill() {
      database.exec("BEGIN");
      for (let index = 0; index < deliveries; index++) {
        const id = `dlv_${filled++}`;
        insert.run(id, `http://${place}/${index % endpoints}`, body(id), Date.now());
      }
      database.exec("COMMIT");
    },
    async deliver() {
      for (;;) {
        const now = Date.now();
        const claimed = claim.all(now + 30_000, now, now) as { id: string; url: string; body: string }[];
        if (claimed.length === 0) return;
        const answers = await Promise.all(claimed.map((each) => post(agent, each)));
        database.exec("BEGIN IMMEDIATE");
        for (const [index, { id }] of claimed.entries()) settle.run(answers[index]?.status, answers[index]?.text, id);
        database.exec("COMMIT");
      }
    },
    close() {
      agent.destroy();
      database.close();
    },
  };
}

function post(
  agent: Agent,
  delivery: { id: string; url: string; body: string },
): Promise<{ status: number; text: string }> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", "whsec_bare").update(`${timestamp}.${delivery.body}`).digest("hex");
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(delivery.body),
    "service-delivery": delivery.id,
    "service-signature": `t=${timestamp},v1=${signature}`,
  };
  return new Promise((resolve, reject) => {
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
