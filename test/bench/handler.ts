/** `GET /v1/posts/{id}` with its key and its limit, against the same answer through Hono without either. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { type Clock, systemClock } from "../../src/ports/clock.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { type BenchResult, ratioOf } from "./result.ts";

export async function benchHandler({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  try {
    const built = await importBuilt();
    const clock = hurryingClock();
    const memory = built.memoryStorage({ clock });
    const sqlite = built.sqliteStorage(join(folder, "social.db"), { clock });
    const name = "GET /v1/posts/{id} against Hono";
    const results = [
      await benchOn(memory, { built, clock, name: `${name}, memory`, calls: 5_000, goal: 0.5, pairs }),
      await benchOn(sqlite, { built, clock, name: `${name}, SQLite`, calls: 1_000, goal: null, pairs }),
    ];
    await sqlite.close();
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each look at it is a second later, so that a minute's budget of requests is never spent. */
function hurryingClock(): Clock {
  let now = systemClock.now();
  return {
    ...systemClock,
    now() {
      now += 1_000;
      return now;
    },
  };
}

async function benchOn(
  storage: Storage,
  options: { built: Built; clock: Clock; name: string; calls: number; goal: number | null; pairs: number },
): Promise<BenchResult> {
  const { built, clock, name, calls, goal, pairs } = options;
  const sandbox = built.createSandbox({ clock });
  const { http, untrustedHttp } = sandbox;
  const social = built.createSocialService({
    storage,
    clock,
    networks: [built.mastodon()],
    encryptionKey: testKey,
    logger: silentLogger,
    http,
    untrustedHttp,
  });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  const profile = await social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } });
  const post = await social.posts.create({ profile_ids: [profile.id], text: "Three rows of blue hills." });
  const { key } = await social.keys.create();
  const handler = built.createHandler(social);
  const answer = { data: post };
  const hono = new Hono().get("/v1/posts/:id", (context) => context.json(answer));
  const url = `https://app.example.com/v1/posts/${post.id}`;
  const headers = { Authorization: `Bearer ${key}` };

  async function ask(fetch: (request: Request) => Response | Promise<Response>): Promise<void> {
    const response = await fetch(new Request(url, { headers }));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  }

  const pair = {
    ours: () => ask(handler),
    floor: () => ask((request) => hono.fetch(request)),
    calls,
    warmUp: calls * 2,
  };
  return ratioOf(name, pair, { goal, pairs });
}
