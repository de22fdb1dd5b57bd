import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { afterAll, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { serveSandbox } from "../../src/sandbox/serve.ts";
import { startPostgres } from "../support/postgres.ts";
import { openPostgresService, type PostgresWorld } from "./postgres-service.ts";

const posts = 200;
const accounts = 10;
/** Between two blows, milliseconds: a kill -9, then a crash of the server, and so on. */
const blowEveryMs = 1_500;
/** Between two posts, milliseconds. */
const postEveryMs = 100;

// With its disk: what was committed must survive the server.
const server = await startPostgres([]);

afterAll(async () => {
  if (typeof server !== "string") await server.remove();
});

it.skipIf(typeof server === "string")(
  `publishes ${posts} posts exactly once from two processes, while these and their Postgres are killed`,
  async () => {
    if (typeof server === "string") return;
    const sandbox = createSandbox();
    const line = await serveSandbox(sandbox.http);
    const world: PostgresWorld = { postgresUrl: server.url, lineUrl: line.url };
    const pool = new Pool({ connectionString: server.url, max: 3 });
    pool.on("error", () => {});
    const social = openPostgresService(world, pool);
    const profiles: string[] = [];
    for (let number = 0; number < accounts; number++) {
      const { handle, password } = sandbox.bluesky.addAccount({ handle: `alice${number}.sandbox.example` });
      const credentials = { identifier: handle, app_password: password };
      profiles.push((await social.profiles.connect({ network: "bluesky", credentials })).id);
    }

    const wanted = Array.from({ length: posts }, (_, number) => ({
      idempotency_key: `post number ${number}`,
      text: `Post ${number}: only once, whatever happens.`,
      profile_ids: [profiles[number % accounts] ?? ""],
    }));
    const made = new Set<string>();
    const children = new Set<ChildProcess>();
    let isOver = false;
    const script = fileURLToPath(new URL("postgres-publisher.ts", import.meta.url));
    const env = { ...process.env, POSTRIDER_WORLD: JSON.stringify(world) };
    const start = (): void => {
      const child = fork(script, { env, execArgv: ["--import", "tsx"] });
      child.on("message", (message: { made?: string; ready?: true }) => {
        if (message.ready) children.add(child);
        if (message.made !== undefined) made.add(message.made);
      });
      child.once("exit", () => {
        children.delete(child);
        if (!isOver) start();
      });
    };
    start();
    start();
    while (children.size < 2) await wait(20);

    const blows = { kills: 0, crashes: 0 };
    const striking = (async () => {
      while (made.size < posts) {
        await wait(blowEveryMs);
        const [child] = children;
        child?.kill("SIGKILL");
        if (child !== undefined) blows.kills++;
        await wait(blowEveryMs);
        await server.crash();
        await server.start();
        blows.crashes++;
      }
    })();
    // Again until it is known to have been made, as a caller would.
    while (made.size < posts) {
      for (const body of wanted.filter(({ idempotency_key }) => !made.has(idempotency_key)).slice(0, 20)) {
        const able = [...children].filter(({ connected }) => connected);
        able[made.size % Math.max(1, able.length)]?.send(body);
        await wait(postEveryMs);
      }
    }
    await striking;

    const open = async (): Promise<number> => {
      const { rows } = await pool.query(
        "SELECT count(*)::int AS count FROM postrider_targets WHERE status IN ('pending', 'publishing')",
      );
      return rows[0].count;
    };
    while ((await open()) > 0) await wait(200);
    isOver = true;
    const ends = [...children].map((child) => once(child, "exit"));
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(ends);

    const shown = sandbox.bluesky.posts();
    const texts = shown.map(({ text }) => text).sort();
    expect(texts).toEqual(wanted.map(({ text }) => text).sort());
    const stored = (await pool.query("SELECT status, data FROM postrider_targets")).rows;
    const ids = stored.flatMap(({ data }) => JSON.parse(data).post_ids as string[]).sort();
    expect(stored.map(({ status }) => status)).toEqual(wanted.map(() => "published"));
    expect(ids).toEqual(shown.map(({ id }) => id).sort());
    console.log(`${posts} posts, ${blows.kills} kills, ${blows.crashes} crashes of Postgres: 0 twice, 0 lost`);
    expect(Math.min(blows.kills, blows.crashes)).toBeGreaterThan(2);
    await social.stop();
    await pool.end();
    await line.close();
  },
  300_000,
);
