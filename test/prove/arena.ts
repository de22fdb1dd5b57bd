import { demoClock } from "../../examples/demo/clock.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { serveSandbox } from "../../src/sandbox/serve.ts";
import type { SocialService } from "../../src/service.ts";
import type { Storage } from "../../src/storage/storage.ts";
import type { CreatedEndpoint } from "../../src/webhooks/schema.ts";
import { SocialError } from "../../src/wire/errors.ts";
import type { PostgresServer } from "../support/postgres.ts";
import { judgeArena } from "./arena-judge.ts";
import { makePosts, untilSettled, watch } from "./arena-posts.ts";
import { type ArenaProcesses, startProcesses } from "./arena-processes.ts";
import { openArenaService } from "./arena-service.ts";
import { createArenaStore, openArenaStore } from "./arena-store.ts";
import { createTimetable, type Timetable } from "./arena-timetable.ts";
import { type ArenaMachine, type PlannedPost, planPosts, type Schedule, type StorePlace } from "./arena-world.ts";
import { createKiller, type Killer } from "./killer.ts";
import type { Random } from "./random.ts";
import { createProgress } from "./screen.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";
import type { OpenVenue, VenueAccount, VenueReceiver } from "./venue.ts";

export interface ArenaOptions {
  name: string;
  random: Random;
  venue: OpenVenue;
  store: StorePlace["kind"];
  /** One process publishes on each. */
  machines: readonly ArenaMachine[];
  posts: number;
  /** Processes are killed this often while posts are made. */
  kills: number;
  /** What else befalls it meanwhile. */
  trouble?(stage: Stage): Promise<void>;
  /** The most accounts that one post is for. */
  maxProfiles: number;
  /** How many times as fast as the machine's clock all clocks run: leases and waits are spent sooner. */
  speed: number;
  /** What time it is there at first, milliseconds since 1970: to come. @default now */
  startsAt?: number;
  /**
   * `at once`: all posts are due at one moment. A number: so many are made in a
   * second of the machine's, at most. Null: one after the other, as long as
   * processes are killed.
   */
  pace: "at once" | number | null;
  /** Posts that are to go out later. @default none */
  schedule?: Schedule;
  /** How far the clock that signs deliveries may be off, seconds. */
  toleranceSeconds: number;
}

/** What trouble can be made with. */
export interface Stage {
  random: Random;
  killer: Killer;
  processes: ArenaProcesses;
  server: PostgresServer | null;
  tally: Tally;
  /** How many posts have been made. */
  made(): number;
  /** Aborted when everything has settled. */
  over: AbortSignal;
}

/** An arena: networks on loopback, a store, and processes that publish and are killed. */
export interface Arena {
  options: ArenaOptions;
  killer: Killer;
  accounts: (VenueAccount & { profile: Profile })[];
  /** Subscribed to everything, before the accounts are connected. */
  endpoint: CreatedEndpoint;
  receiver: VenueReceiver;
  social: SocialService;
  storage: Storage;
  server: PostgresServer | null;
  processes: ArenaProcesses;
  plan: PlannedPost[];
  timetable: Timetable;
  now(): number;
}

/** A machine so busy that a request lies there for a while, on a clock that runs fast, seconds. */
export const busySeconds = 900;

/** Runs it, waits until everything has settled, and counts. */
export async function runArena(options: ArenaOptions): Promise<Tally> {
  const { random, machines, speed } = options;
  const store = await createArenaStore(options.store);
  const time = { fastFrom: fastFrom(options), speed };
  const clock = demoClock([{ from: time.fastFrom, speed }]);
  const venue = await options.venue(clock);
  const { picture, blueskyService, receiver } = venue;
  const timetable = createTimetable(venue, clock);
  const killer = createKiller({ ...venue, http: timetable.http }, random);
  const line = await serveSandbox(killer.http);
  const world = { store: store.place, lineUrl: line.url, time, blueskyService };
  const storage = openArenaStore(world, clock);
  const social = openArenaService(world, { storage, clock });
  const processes = startProcesses({ machines, world, random, onMade: timetable.noteMade });
  try {
    const endpoint = await social.webhooks.create({ url: receiver.url });
    const accounts = await connectAccounts(social, venue.accounts);
    const addressable = accounts.map(({ profile, threads, needs }) => {
      return { profileId: profile.id, network: profile.network, threads, needs };
    });
    const plan = planPosts(options.posts, { ...options, accounts: addressable, picture });
    venue.spoil();
    await processes.ready();
    const settings = { endpoint, receiver, timetable, plan, now: clock.now };
    return await attack({ options, killer, accounts, social, storage, server: store.server, processes, ...settings });
  } finally {
    await processes.stop();
    await line.close();
    await venue.close();
    await storage.close();
    await store.remove();
  }
}

/** Time that has been running fast since then has arrived at `startsAt` now. */
function fastFrom({ startsAt, speed }: ArenaOptions): number {
  const now = Date.now();
  return startsAt === undefined ? now : now - (startsAt - now) / (speed - 1);
}

async function connectAccounts(social: SocialService, accounts: readonly VenueAccount[]): Promise<Arena["accounts"]> {
  const connected: Arena["accounts"] = [];
  for (const account of accounts) {
    connected.push({ ...account, profile: await connectAccount(social, account) });
  }
  return connected;
}

/** How often a login that took too long is repeated: on a clock that runs fast, a busy machine has a second for each request. */
const maxLogins = 10;

async function connectAccount(social: SocialService, { connection }: VenueAccount): Promise<Profile> {
  for (let login = 1; ; login++) {
    try {
      return await social.profiles.connect(connection);
    } catch (error) {
      const tookTooLong = SocialError.is(error) && error.details.some(({ code }) => code === "timeout");
      if (!tookTooLong || login === maxLogins) throw error;
    }
  }
}

async function attack(arena: Arena): Promise<Tally> {
  const { options, killer, processes, server, timetable } = arena;
  const tally = emptyTally();
  const over = new AbortController();
  const { random } = options;
  const trouble = options.trouble?.({
    random,
    killer,
    processes,
    server,
    tally,
    made: timetable.made,
    over: over.signal,
  });
  const ends = await Promise.allSettled([trouble, publish(arena, tally).finally(() => over.abort())]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  await judgeArena(arena, tally);
  return tally;
}

/** Resolves when everything has settled. */
async function publish(arena: Arena, tally: Tally): Promise<void> {
  const { options, killer, processes } = arena;
  const progress = createProgress(options.name);
  let kills = 0;
  const killing = (async () => {
    for (; kills < options.kills; kills++) {
      await killer.killOne(processes);
      addTally(tally, { kills: 1 });
    }
  })();
  const making = makePosts(arena, () => kills);
  const watching = watch(arena, (open, made) =>
    progress.say(`${made} posts made, ${open} targets open, ${tally.kills} kills`),
  );
  await Promise.all([making, killing]).finally(watching.stop);
  await untilSettled(arena, (open) => progress.say(`all made, ${open} targets and deliveries open`));
  progress.end();
}
