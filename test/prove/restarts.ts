import { setTimeout as wait } from "node:timers/promises";
import { busySeconds, runArena, type Stage } from "./arena.ts";
import type { ArenaMachine } from "./arena-world.ts";
import type { ProveOptions } from "./arguments.ts";
import { nextClockChange } from "./daylight.ts";
import { seededRandom } from "./random.ts";
import { sandboxVenue } from "./sandbox-venue.ts";
import { addTally, type Tally } from "./tally.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const zone = "Europe/Berlin";

/** Two are ten minutes apart, and none has the server's time. */
const machines: readonly ArenaMachine[] = [
  { offMs: 5 * minuteMs, zone },
  { offMs: -5 * minuteMs, zone: "America/New_York" },
  { offMs: 2 * minuteMs, zone: "Pacific/Auckland" },
  { offMs: -90_000, zone: null },
];

/** Two processes of one machine: SQLite has no time but the machine's. */
const together: readonly ArenaMachine[] = [
  { offMs: 5 * minuteMs, zone },
  { offMs: 5 * minuteMs, zone: "America/New_York" },
];
/** The share of all posts that goes out on SQLite. */
const shareOnSqlite = 0.04;

/**
 * Four real processes on one Postgres, which crashes or is shut down every 5 to
 * 10 s, on machines whose clocks are wrong and jump by a day, across the night
 * in which the clocks in one of their zones are changed; kill -9 now and then.
 * A part of the posts is scheduled. Beside it two processes on one SQLite file, on a
 * machine whose clock, which is the store's, is put a day back and right again.
 */
export async function proveRestarts({ publications, seed }: ProveOptions): Promise<Tally> {
  const onSqlite = Math.round(publications * shareOnSqlite);
  const [tally, more] = await Promise.all([onPostgres(publications - onSqlite, seed), onOneFile(onSqlite, seed)]);
  addTally(tally, more);
  return tally;
}

function onPostgres(posts: number, seed: number): Promise<Tally> {
  const random = seededRandom(seed);
  const faults = { commits: 0.02, reads: 0.02, deliveries: 0.01, limits: 0.003 };
  return runArena({
    name: "restarts",
    random,
    venue: sandboxVenue({ accounts: 10, faults, random }),
    store: "postgres",
    machines,
    posts,
    kills: 0,
    trouble: (stage) => makeTrouble(stage, posts),
    maxProfiles: 1,
    speed: 10,
    startsAt: nextClockChange(zone, Date.now()) - 3 * minuteMs,
    pace: 15,
    schedule: { share: 0.3, soonest: 90, latest: 300, zone },
    toleranceSeconds: busySeconds,
  });
}

async function onOneFile(posts: number, seed: number): Promise<Tally> {
  const random = seededRandom(seed);
  const tally = await runArena({
    name: "clocks",
    random,
    // Without the webhook. A jump ends all leases, so a living process is taken for dead; where nobody can be asked
    // its post may be live, then is: two settlements, and the store, which is judged by, keeps the second.
    venue: sandboxVenue({
      accounts: 2,
      withUnaskable: false,
      faults: { commits: 0.05, reads: 0.02, deliveries: 0.02 },
      random,
    }),
    store: "sqlite",
    machines: together,
    posts,
    kills: 0,
    trouble: (stage) => jump(stage, posts, [-1, -1]),
    maxProfiles: 2,
    speed: 20,
    pace: 10,
    // What is signed by a clock that is a day off is a day off.
    toleranceSeconds: busySeconds + dayMs / 1_000,
  });
  tally.notes.push(`${posts} posts on SQLite, by a clock that was put a day back and right again`);
  return tally;
}

async function makeTrouble(stage: Stage, posts: number): Promise<void> {
  await Promise.all([restart(stage), killSometimes(stage), jump(stage, posts, [1, -1])]);
}

/** The server crashes and is shut down by turns, every 5 to 10 s. */
export async function restart({ random, server, over, tally }: Stage): Promise<void> {
  if (server === null) throw new Error("There is no server to restart.");
  let crashes = 0;
  let shutDowns = 0;
  for (;;) {
    await pause(random.between(5_000, 10_000), over);
    if (over.aborted) break;
    if (crashes <= shutDowns) {
      await server.crash();
      crashes += 1;
    } else {
      await server.shutDown();
      shutDowns += 1;
    }
    await wait(random.between(0, 2_000));
    await server.start();
  }
  addTally(tally, { notes: [`Postgres crashed ${crashes} times and was shut down ${shutDowns} times`] });
}

async function killSometimes({ random, killer, processes, over, tally }: Stage): Promise<void> {
  for (;;) {
    await pause(random.between(8_000, 15_000), over);
    if (over.aborted) return;
    await killer.killOne(processes);
    addTally(tally, { kills: 1 });
  }
}

/**
 * In the middle each machine's clock jumps by so many days, by index, and later
 * back.
 */
async function jump({ processes, over, made }: Stage, posts: number, days: readonly number[]): Promise<void> {
  for (const [share, sign] of [
    [0.4, 1],
    [0.7, -1],
  ] as const) {
    while (made() < posts * share && !over.aborted) await pause(100, over);
    for (const [machine, by] of days.entries()) processes.jump(machine, sign * by * dayMs);
  }
}

/** Ends early when all is over. */
async function pause(ms: number, over: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: over }).catch(() => undefined);
}
