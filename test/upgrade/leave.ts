/**
 * `npx tsx test/upgrade/leave.ts 2026-11`: leaves a store in the middle of
 * everything, as today's version does. To be run before what is stored
 * changes, and kept: `upgrade.test.ts` lets every later version go on with it.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Database from "libsql";
import { Pool } from "pg";
import { isoTime } from "../../src/ports/clock.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { seededIds, seededRandom } from "../prove/random.ts";
import { startPostgres } from "../support/postgres.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { type LeftCase, leftCases } from "./cases.ts";
import { dumpSql } from "./dump.ts";
import { createLeavingProcess } from "./leaving-process.ts";
import { type Left, postgresFile, sqliteFile, writeLeft } from "./left.ts";
import { type LeftWorld, openLeftWorld } from "./world.ts";

const secondMs = 1_000;
/** More than two looks, a minute apart, need. */
const maxWorkMs = 600 * secondMs;

/** Plays all cases on a store, one after the other, and leaves it. */
async function leave(world: LeftWorld, opened: Storage): Promise<Left> {
  const { clock, sandbox } = world;
  const storage = { ...opened, migrate: () => opened.migrate(), now: async () => clock.now() };
  const shared = { world, storage, ids: seededIds(seededRandom(16)), requests: [] };
  const posts: string[] = [];
  const { social } = createLeavingProcess({ ...shared, left: null, profileId: "" });
  return clock.run(async () => {
    const { secret } = await social.webhooks.create({ url: sandbox.receivers.url("upgrade") });
    for (const [left, login] of world.logins) {
      const { id: profileId } = await social.profiles.connect(login);
      const process = createLeavingProcess({ ...shared, left, profileId });
      sandbox[left.network].rateLimit(left.limitSeconds ?? 0);
      await Promise.race([work(world, { process, left, profileId }), process.died]);
      process.kill();
      await clock.sleep(((left.limitSeconds ?? 0) + 1) * secondMs);
      const { rows } = await storage.find("targets", { where: { profile_id: profileId } });
      posts.push(String(rows[0]?.post_id));
    }
    return { leftAt: clock.now(), secret, requests: shared.requests, posts };
  });
}

/** Until the case says that its process dies; if it does not say so, until its post is made. */
async function work(
  { clock, picture }: LeftWorld,
  { process, left, profileId }: { process: SimulatedProcess; left: LeftCase; profileId: string },
): Promise<void> {
  const { texts, hasPicture, scheduledMs, diesAt, network, name } = left;
  await process.social.posts.create({
    profile_ids: [profileId],
    ...(texts.length > 1 ? { thread: [...texts] } : { text: texts[0] ?? "" }),
    media: hasPicture === true ? [{ url: picture, alt: "A square." }] : [],
    scheduled_at: scheduledMs === undefined ? null : isoTime(clock.now() + scheduledMs),
  });
  if (diesAt === undefined) return;
  for (let passedMs = 0; passedMs < maxWorkMs; passedMs += 20 * secondMs) {
    await clock.sleep(20 * secondMs);
    await process.social.runDue();
  }
  throw new Error(`${network}, ${name}: its process never came to ${diesAt}.`);
}

async function main(when: string): Promise<void> {
  rmSync(dirname(sqliteFile(when)), { recursive: true, force: true });
  mkdirSync(dirname(sqliteFile(when)), { recursive: true });
  const world = openLeftWorld();
  const database = new Database(":memory:");
  const left = await leave(world, world.clock.watch(sqliteStorage(database, { clock: world.clock })));
  database.exec(`VACUUM INTO '${sqliteFile(when)}'`);
  writeLeft(when, left);

  const server = await startPostgres();
  if (typeof server === "string") throw new Error(server);
  const pool = new Pool({ connectionString: server.url, max: 1 });
  const other = openLeftWorld();
  const again = await leave(other, other.clock.watch(postgresStorage(pool)));
  if (!isDeepStrictEqual(again, left)) throw new Error("On Postgres something else was left than on SQLite.");
  writeFileSync(postgresFile(when), await dumpSql(pool));
  await pool.end();
  await server.remove();
  console.log(`${leftCases.length} cases, ${left.requests.length} requests, left at ${isoTime(left.leftAt)}`);
}

const [when] = process.argv.slice(2);
if (when === undefined) throw new Error("Name the folder: npx tsx test/upgrade/leave.ts 2026-11");
await main(when);
