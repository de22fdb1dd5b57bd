/**
 * What a network sends, verified, stored and answered with 200, against a bare handler on Hono that verifies the same
 * HMAC; on SQLite it inserts the row as well.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { systemClock } from "../../src/ports/clock.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testBaseUrl, testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { openSqlite } from "./database.ts";
import type { Pair } from "./measure.ts";
import { type BenchResult, ratioOf } from "./result.ts";

const calls = 3_000;
const app = { client_id: "2204567890123456", client_secret: "facebook-app-secret" };
const url = `${testBaseUrl}/hooks/facebook/${app.client_id}`;

export async function benchHook({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const name = "a webhook of Facebook's, stored, against Hono";
  const memory = built.memoryStorage();
  const sqlite = await openSqlite(built);
  await sqlite.run("CREATE TABLE bench_hooks (id INTEGER PRIMARY KEY, body TEXT)");
  const statement = sqlite.handle.prepare("INSERT INTO bench_hooks (body) VALUES (?)");
  const insert = (body: string): void => void statement.run(body);
  try {
    return [
      await benchOn(memory, { built, name: `${name}, memory`, goal: 0.4, pairs, insert: null }),
      await benchOn(sqlite.storage, { built, name: `${name}, SQLite`, goal: 0.4, pairs, insert }),
    ];
  } finally {
    await sqlite.remove();
  }
}

async function benchOn(
  storage: Storage,
  options: { built: Built; name: string; goal: number; pairs: number; insert: ((body: string) => void) | null },
): Promise<BenchResult> {
  const { built, name, goal, pairs, insert } = options;
  const sandbox = built.createSandbox({ clock: systemClock });
  const { http, untrustedHttp } = sandbox;
  const networks = [built.facebook({ app, scopes: ["publish", "inbox"] })];
  const service = { storage, networks, encryptionKey: testKey, logger: silentLogger, http, untrustedHttp };
  const social = built.createSocialService({ ...service, baseUrl: testBaseUrl });
  const { access_token, external_id: page } = sandbox.facebook.addPage({ name: "The Fox" });
  const credentials = { access_token, client_id: app.client_id };
  await social.profiles.connect({ network: "facebook", credentials });
  const handler = built.createHandler(social);
  const hono = new Hono().post("/hooks/facebook/:app", async (context) => {
    const bytes = Buffer.from(await context.req.arrayBuffer());
    const right = Buffer.from(`sha256=${createHmac("sha256", app.client_secret).update(bytes).digest("hex")}`);
    const given = Buffer.from(context.req.header("x-hub-signature-256") ?? "");
    if (given.length !== right.length || !timingSafeEqual(given, right)) return context.text("", 403);
    const body = bytes.toString();
    JSON.parse(body);
    insert?.(body);
    return context.text("");
  });
  let count = 0;

  /** Of a message that was not sent before. */
  async function send(fetch: (request: Request) => Response | Promise<Response>): Promise<void> {
    count += 1;
    const message = { mid: `m_${count}`, text: "Do you ship to Norway?" };
    const messaging = {
      sender: { id: "4001" },
      recipient: { id: page },
      timestamp: 1_795_000_000_000 + count,
      message,
    };
    const body = JSON.stringify({
      object: "page",
      entry: [{ id: page, time: 1_795_000_000_000, messaging: [messaging] }],
    });
    const signature = createHmac("sha256", app.client_secret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
    const response = await fetch(new Request(url, { method: "POST", headers, body }));
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  }

  const pair: Pair = {
    ours: () => send(handler),
    floor: () => send((request) => hono.fetch(request)),
    calls,
    warmUp: calls,
  };
  return ratioOf(name, pair, { goal, pairs });
}
