import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { verify } from "../../src/signature/node.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { seededIds, seededRandom } from "../prove/random.ts";
import { startPostgres } from "../support/postgres.ts";
import { createProcess } from "../support/process.ts";
import { leftCases } from "./cases.ts";
import { resend } from "./leaving-process.ts";
import { type Left, leftStores, postgresFile, readLeft, sqliteFile } from "./left.ts";
import { type LeftWorld, openLeftWorld } from "./world.ts";

const server = await startPostgres();
const skipped = typeof server === "string" ? ` (skipped: ${server})` : "";
const folder = mkdtempSync(join(tmpdir(), "postrider-upgrade-"));

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (typeof server !== "string") await server.remove();
});

/** Longer than what is scheduled lies ahead, and than all looks and deliveries take. */
const longEnoughMs = 36 * 3_600_000;

/** What became of each case when today's code went on with the store. */
async function goOn(left: Left, open: (world: LeftWorld) => Storage) {
  const world = openLeftWorld();
  const { clock, sandbox } = world;
  const opened = open(world);
  const storage = { ...opened, migrate: () => opened.migrate(), now: async () => clock.now() };
  await clock.run(async () => {
    for (const request of left.requests) {
      await clock.sleep(request.at - clock.now());
      const { status } = await resend(sandbox.http, request);
      expect(status, `${request.method} ${request.url}`).toBeLessThan(300);
    }
    await clock.sleep(left.leftAt - clock.now());
  });
  const { social } = createProcess({ clock, sandbox, storage, service: { ids: seededIds(seededRandom(17)) } });
  await clock.run(async () => {
    await social.start();
    await clock.sleep(longEnoughMs);
    await social.stop();
  });
  const shown = [sandbox.bluesky, sandbox.mastodon, sandbox.discord].flatMap((network) => network.posts());
  const ends = await Promise.all(
    leftCases.map(async ({ network, name, texts }, place) => {
      const { targets } = await social.posts.get(left.posts[place] ?? "");
      const times = texts.map((text) => shown.filter((post) => post.text === text).length);
      return { case: `${network}, ${name}`, ends: targets.map(({ status }) => status), times };
    }),
  );
  return { ends, social, received: sandbox.receivers.deliveries("upgrade") };
}

const expected = leftCases.map(({ network, name, texts, ends, times }) => ({
  case: `${network}, ${name}`,
  ends: [ends],
  times: texts.map(() => times),
}));

describe.each(leftStores)("a store that a version left in the middle of everything, %s", (when) => {
  const left = readLeft(when);

  async function judge({ ends, received }: Awaited<ReturnType<typeof goOn>>): Promise<void> {
    expect(ends).toEqual(expected);
    const events = await Promise.all(
      received.map(({ body, signature, at }) => verify(body, signature, { secret: left.secret, now: at / 1_000 })),
    );
    expect(events).not.toContain(null);
    const settled = events.flatMap((event) => {
      const { type, data } = event as { type: string; data: { post?: { id: string } } };
      return data.post === undefined ? [] : [`${type} ${data.post.id}`];
    });
    const owed = leftCases.map(({ ends: status }, place) => `post.${status} ${left.posts[place]}`);
    expect(settled.sort()).toEqual(owed.sort());
  }

  it("is finished on SQLite: everything is there once, and told once", async () => {
    const file = join(folder, `${when}.db`);
    copyFileSync(sqliteFile(when), file);
    await judge(await goOn(left, ({ clock }) => clock.watch(sqliteStorage(file, { clock }))));
  });

  it.skipIf(skipped !== "")(`is finished on Postgres: everything is there once, and told once${skipped}`, async () => {
    const pool = new Pool({ connectionString: typeof server === "string" ? "" : server.url, max: 4 });
    try {
      await pool.query(readFileSync(postgresFile(when), "utf8"));
      await judge(await goOn(left, ({ clock }) => clock.watch(postgresStorage(pool))));
    } finally {
      await pool.end();
    }
  });
});
