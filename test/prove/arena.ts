import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { demoClock } from "../../examples/demo/clock.ts";
import type { Post } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { IntentRow } from "../../src/publishing/intent.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { serveSandbox } from "../../src/sandbox/serve.ts";
import type { SocialService } from "../../src/service.ts";
import { sqliteStorage } from "../../src/storage/sqlite.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { CreatedEndpoint } from "../../src/webhooks/schema.ts";
import { judgeDeliveries } from "../support/delivery-verdict.ts";
import { settlementsOf } from "../support/settlement-watch.ts";
import { judgeTarget } from "../support/verdict.ts";
import { type ArenaProcesses, startProcesses } from "./arena-processes.ts";
import { openArenaService } from "./arena-service.ts";
import { type ArenaWorld, type PlannedPost, planPosts } from "./arena-world.ts";
import { createKiller, type Killer } from "./killer.ts";
import type { Random } from "./random.ts";
import { createProgress } from "./screen.ts";
import { addFindings, addTally, emptyTally, type Tally } from "./tally.ts";
import type { OpenVenue, VenueAccount, VenueReceiver } from "./venue.ts";

export interface ArenaOptions {
  name: string;
  random: Random;
  venue: OpenVenue;
  posts: number;
  kills: number;
  processes: number;
  /** The most accounts that one post is for. */
  mostProfiles: number;
  /** How many times as fast as the machine's clock all clocks run: leases and waits are spent sooner. */
  speed: number;
  /** All posts are due at one moment; else they are made one after the other, as long as processes are killed. */
  atOnce: boolean;
}

/** An arena: networks on loopback, one SQLite file, and processes that publish and are killed. */
interface Arena {
  options: ArenaOptions;
  killer: Killer;
  accounts: (VenueAccount & { profile: Profile })[];
  /** Subscribed to everything, before the accounts are connected. */
  endpoint: CreatedEndpoint;
  receiver: VenueReceiver;
  social: SocialService;
  storage: Storage;
  processes: ArenaProcesses;
  plan: PlannedPost[];
  now(): number;
}

/** Runs it, waits until everything has settled, and counts. */
export async function runArena(options: ArenaOptions): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "postrider-arena-"));
  const { random } = options;
  const time = { fastFrom: Date.now(), speed: options.speed };
  const clock = demoClock(time);
  const venue = await options.venue(clock);
  const { picture, blueskyService, receiver } = venue;
  const killer = createKiller(venue, random);
  const line = await serveSandbox(killer.http);
  const world: ArenaWorld = { database: join(folder, "arena.db"), lineUrl: line.url, time, blueskyService };
  const social = openArenaService(world);
  const storage = sqliteStorage(world.database);
  const processes = startProcesses(options.processes, world, random);
  try {
    const endpoint = await social.webhooks.create({ url: receiver.url });
    const accounts = await connectAccounts(social, venue.accounts);
    const addressable = accounts.map(({ profile, threads }) => ({ profileId: profile.id, threads }));
    const plan = planPosts(options.posts, { ...options, accounts: addressable, picture });
    venue.spoil();
    await processes.ready();
    const told = { endpoint, receiver };
    return await attack({ options, killer, accounts, ...told, social, storage, processes, plan, now: clock.now });
  } finally {
    await processes.stop();
    await line.close();
    await venue.close();
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function connectAccounts(social: SocialService, accounts: readonly VenueAccount[]): Promise<Arena["accounts"]> {
  const connected: Arena["accounts"] = [];
  for (const account of accounts) {
    connected.push({ ...account, profile: await social.profiles.connect(account.connection) });
  }
  return connected;
}

async function attack(arena: Arena): Promise<Tally> {
  const progress = createProgress(arena.options.name);
  let kills = 0;
  const killing = (async () => {
    for (; kills < arena.options.kills; kills++) await arena.killer.killOne(arena.processes);
  })();
  const making = makePosts(arena, () => kills);
  const watching = watch(arena, (open, made) =>
    progress.say(`${made} posts made, ${open} targets open, ${kills} kills`),
  );
  await Promise.all([making, killing]).finally(watching.stop);
  await untilSettled(arena, (open) => progress.say(`all made, ${open} targets and deliveries open`));
  progress.end();
  const tally = emptyTally();
  addTally(tally, { kills });
  const posts = await judge(arena, tally);
  await judgeTelling(arena, posts, tally);
  return tally;
}

const pollMs = 100;

function watch(arena: Arena, say: (open: number, made: number) => void): { stop(): void } {
  const done = new AbortController();
  void (async () => {
    while (!done.signal.aborted) {
      const { total } = await arena.storage.find("posts", { where: {}, limit: 1 });
      say(await countOpen(arena), total);
      await wait(1_000);
    }
  })();
  return { stop: () => done.abort() };
}

/** While posts are made one after the other, so many targets are open at once. */
const openAtOnce = 60;

async function makePosts(arena: Arena, kills: () => number): Promise<void> {
  const { options, processes, plan } = arena;
  if (options.atOnce) return makeAtOnce(arena);
  for (const [index, { body }] of plan.entries()) {
    // Spread over the kills, so that there is always something to interrupt.
    while ((index / plan.length) * options.kills > kills() + 1 && (await countOpen(arena)) > 0) await wait(pollMs);
    while ((await countOpen(arena)) + processes.unmade() >= openAtOnce) await wait(pollMs);
    processes.make(body);
  }
  while (processes.unmade() > 0) await wait(pollMs);
}

/** Far enough ahead to store them all, milliseconds of the arena's clock for each post. */
const leadMs = 60;

async function makeAtOnce({ plan, social, now }: Arena): Promise<void> {
  const scheduled_at = new Date(now() + 120_000 + plan.length * leadMs).toISOString();
  for (const { body } of plan) await social.posts.create({ ...body, scheduled_at });
}

async function countOpen({ storage }: Arena): Promise<number> {
  const open = await storage.find("targets", { where: { status: { in: ["pending", "publishing"] } }, limit: 1 });
  return open.total;
}

/** Nothing of the engine takes longer than this, seconds by the machine's clock. */
const longestWaitSeconds = 600;

/** Targets first, then what is to be told of them. */
async function untilSettled(arena: Arena, say: (open: number) => void): Promise<void> {
  const until = performance.now() + longestWaitSeconds * 1_000;
  for (const count of [countOpen, countUndelivered]) {
    for (let open = await count(arena); open > 0 && performance.now() < until; open = await count(arena)) {
      say(open);
      await wait(pollMs);
    }
  }
}

async function countUndelivered({ storage }: Arena): Promise<number> {
  return (await storage.find("deliveries", { where: { status: "pending" }, limit: 1 })).total;
}

/** Judges what the networks show; returns the posts as they have ended. */
async function judge({ options, accounts, social, storage, plan }: Arena, tally: Tally): Promise<Post[]> {
  const intents = await storage.find("intents", { where: {} });
  const unheard = intents.rows.filter((row) => fromRow<IntentRow>(row).private.unknown_since !== null).length;
  addTally(tally, { unheard });
  const stored = await storage.find("posts", { where: {} });
  const shown = new Map<string, SandboxPost[]>();
  for (const { profile, posts } of accounts) shown.set(profile.id, await posts());
  const ended: Post[] = [];
  const idOf = new Map(stored.rows.map((row) => [row.idempotency_key, row.id]));
  for (const { key, body, texts } of plan) {
    addTally(tally, { tried: 1 });
    const id = idOf.get(key);
    const post = id === undefined ? null : await social.posts.get(id);
    if (post !== null) ended.push(post);
    else addFindings(tally, `${options.name}, ${key}`, [{ what: "lost", words: "it was never stored" }]);
    for (const profileId of body.profile_ids) {
      const account = accounts.find(({ profile }) => profile.id === profileId);
      if (account === undefined) throw new Error(`No account has the profile ${profileId}.`);
      const { findings, ...ends } = judgeTarget({
        name: account.name,
        canBeAsked: account.canBeAsked,
        expected: { texts, media: body.media?.length ?? 0 },
        target: post?.targets.find((target) => target.profile_id === profileId),
        shown: (shown.get(profileId) ?? []).filter(
          (each) => each.account === account.profile.external_id && texts.includes(each.text),
        ),
        wasHeard: false,
      });
      addTally(tally, ends);
      addFindings(tally, `${options.name}, ${key}`, findings);
    }
  }
  return ended;
}

/** A machine so busy that a request lies there for a while, on a clock that runs fast, seconds. */
const toleranceSeconds = 900;

/** Judges what the receiver was told of it. */
async function judgeTelling(arena: Arena, posts: readonly Post[], tally: Tally): Promise<void> {
  const { options, accounts, endpoint, receiver, social, storage } = arena;
  const profiles = await Promise.all(accounts.map(({ profile }) => social.profiles.get(profile.id)));
  const { rows } = await storage.find("deliveries", { where: {} });
  const { findings, ...ends } = judgeDeliveries({
    posts,
    settlements: settlementsOf(posts),
    profiles,
    endpoint,
    rows: rows.map((row) => fromRow<DeliveryRow>(row)),
    received: receiver.taken(),
    toleranceSeconds,
  });
  addTally(tally, ends);
  addFindings(tally, `${options.name}, deliveries`, findings);
}
