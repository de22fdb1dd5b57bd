/**
 * `npx tsx test/upgrade/leave.ts 0.1.0`: leaves a store in the middle of
 * everything, as today's version does. To be run before a version is released,
 * and kept: `upgrade.test.ts` lets every later version go on with it.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import Database from "libsql";
import { Pool } from "pg";
import { inboxIdOf } from "../../src/inbox/rows.ts";
import { isoTime } from "../../src/ports/clock.ts";
import type { InboxScene } from "../../src/sandbox/inbox-scene.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { inboxAdapters } from "../prove/inbox-people.ts";
import { seededIds, seededRandom } from "../prove/random.ts";
import { startPostgres } from "../support/postgres.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { testNetworks } from "../support/service.ts";
import { type LeftCase, leftCases } from "./cases.ts";
import { dumpSql } from "./dump.ts";
import { createLeavingProcess, type LeavingProcessOptions, sendHooksTo } from "./leaving-process.ts";
import { type Left, type LeftInbox, postgresFile, sqliteFile, writeLeft } from "./left.ts";
import { replyOf } from "./people.ts";
import { type LeftWorld, type Login, openLeftWorld } from "./world.ts";

const secondMs = 1_000;
/** More than two looks, a minute apart, need. */
const maxWorkMs = 600 * secondMs;
/** Until networks have confirmed that they send, and until their lists were read after that. */
const readMs = 300 * secondMs;

type Shared = Pick<LeavingProcessOptions, "world" | "storage" | "ids" | "steps">;

/** Plays everything on a store, one thing after the other, and leaves it. */
async function leave(world: LeftWorld, opened: Storage): Promise<Left> {
  const { clock, sandbox } = world;
  const storage = { ...opened, migrate: () => opened.migrate(), now: async () => clock.now() };
  const shared: Shared = { world, storage, ids: seededIds(seededRandom(16)), steps: [] };
  return clock.run(async () => {
    const idle = createLeavingProcess({ ...shared, networks: testNetworks(), left: null, profileId: "" });
    const { secret } = await idle.social.webhooks.create({ url: sandbox.receivers.url("upgrade") });
    const inboxes: LeftInbox[] = [];
    for (const scene of world.scenes) inboxes.push(await readInbox(shared, scene));
    const posts: string[] = [];
    for (const each of world.logins) posts.push(await leavePost(shared, each));
    await leaveWaiting(shared);
    for (const [number, scene] of world.scenes.entries())
      await leaveReply(shared, scene, inboxes[number]?.profileId ?? "");
    return { leftAt: clock.now(), secret, steps: shared.steps, posts, inboxes };
  });
}

/** Connects an account and reads its inbox while people write to it. */
async function readInbox(shared: Shared, scene: InboxScene): Promise<LeftInbox> {
  const { network, credentials } = scene;
  const networks = inboxAdapters();
  const { social } = createLeavingProcess({ ...shared, networks, left: null, profileId: "" });
  const { id: profileId } = await social.profiles.connect({ network, credentials });
  const process = createLeavingProcess({ ...shared, networks, left: null, profileId, readsInbox: true });
  sendHooksTo(shared.world.sandbox, process);
  await runFor(shared, process, readMs);
  act(shared, (deed) => deed.scene === scene && deed.when === "read");
  await runFor(shared, process, readMs);
  process.kill();
  const inbox = await shared.storage.get("inboxes", inboxIdOf(profileId));
  return { profileId, seq: Number(inbox?.seq) };
}

async function runFor({ world: { clock } }: Shared, { social }: SimulatedProcess, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 20 * secondMs) {
    await clock.sleep(20 * secondMs);
    await social.runDue();
  }
}

/** Makes the post of a case until its process dies; returns the post's id. */
async function leavePost(shared: Shared, [left, login]: readonly [LeftCase, Login]): Promise<string> {
  const { world, storage } = shared;
  const networks = testNetworks();
  const { social } = createLeavingProcess({ ...shared, networks, left: null, profileId: "" });
  const { id: profileId } = await social.profiles.connect(login);
  const process = createLeavingProcess({ ...shared, networks, left, profileId });
  world.sandbox[left.network].rateLimit(left.limitSeconds ?? 0);
  await Promise.race([publish(world, { process, left, profileId }), process.died]);
  process.kill();
  await world.clock.sleep(((left.limitSeconds ?? 0) + 1) * secondMs);
  const { rows } = await storage.find("targets", { where: { profile_id: profileId } });
  return String(rows[0]?.post_id);
}

/** Until the case says that its process dies; if it does not say so, until its post is made. */
async function publish(
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

/** People write; what networks send is stored, and nobody reads it. */
async function leaveWaiting(shared: Shared): Promise<void> {
  sendHooksTo(
    shared.world.sandbox,
    createLeavingProcess({ ...shared, networks: inboxAdapters(), left: null, profileId: "" }),
  );
  act(shared, ({ when }) => when === "waiting");
  await shared.world.clock.sleep(secondMs);
}

/** Answers somebody; the network has the answer, and the process dies before it hears so. */
async function leaveReply(shared: Shared, { network }: InboxScene, profileId: string): Promise<void> {
  const left = { diesAt: "after_request" } as const;
  const { social, died } = createLeavingProcess({ ...shared, networks: inboxAdapters(), left, profileId });
  // Of a whisper Twitch tells nobody later that it was sent.
  const kind = network === "twitch" ? "mention" : "dm";
  const { rows } = await shared.storage.find("conversations", { where: { profile_id: profileId, kind } });
  const reply = social.inbox.conversations.reply(rows.at(-1)?.id ?? "", { text: replyOf(network) });
  await Promise.race([died, reply.then(() => Promise.reject(new Error(`${network}: its reply was heard of.`)))]);
  // Until what the network sends of it is stored.
  await shared.world.clock.sleep(secondMs);
}

/** All that people do then, in order. */
function act({ world, steps }: Shared, isMeant: (deed: LeftWorld["deeds"][number]) => boolean): void {
  for (const [number, deed] of world.deeds.entries()) {
    if (!isMeant(deed)) continue;
    steps.push({ at: world.clock.now(), deed: number });
    deed.do();
  }
}

async function main(version: string): Promise<void> {
  rmSync(dirname(sqliteFile(version)), { recursive: true, force: true });
  mkdirSync(dirname(sqliteFile(version)), { recursive: true });
  const world = openLeftWorld();
  const database = new Database(":memory:");
  const left = await leave(world, world.clock.watch(sqliteStorage(database, { clock: world.clock })));
  database.exec(`VACUUM INTO '${sqliteFile(version)}'`);
  writeLeft(version, left);

  const server = await startPostgres();
  if (typeof server === "string") throw new Error(server);
  const pool = new Pool({ connectionString: server.url, max: 1 });
  const other = openLeftWorld();
  const again = await leave(other, other.clock.watch(postgresStorage(pool)));
  if (!isDeepStrictEqual(again, left)) throw new Error("On Postgres something else was left than on SQLite.");
  writeFileSync(postgresFile(version), await dumpSql(pool));
  await pool.end();
  await server.remove();
  console.log(`${leftCases.length} cases, ${left.steps.length} steps, left at ${isoTime(left.leftAt)}`);
}

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error("Name the version: npx tsx test/upgrade/leave.ts 0.1.0");
await main(version);
