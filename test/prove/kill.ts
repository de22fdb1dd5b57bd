import { busySeconds, runArena } from "./arena.ts";
import { rightMachines, type StorePlace } from "./arena-world.ts";
import type { ProveOptions } from "./arguments.ts";
import { seededRandom } from "./random.ts";
import { sandboxVenue } from "./sandbox-venue.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

interface Run {
  store: StorePlace["kind"];
  processes: number;
}

const runs: readonly Run[] = [
  { store: "sqlite", processes: 1 },
  { store: "sqlite", processes: 2 },
  { store: "sqlite", processes: 4 },
  { store: "postgres", processes: 1 },
  { store: "postgres", processes: 2 },
  { store: "postgres", processes: 4 },
];
const numbered = [...runs.entries()];
/** Side by side, for much of each is waiting; never four processes beside four. */
const lanes = [
  numbered.filter(([, { store }]) => store === "sqlite"),
  numbered.filter(([, { store }]) => store === "postgres").reverse(),
];

/**
 * One, two and four real processes, on one SQLite file and on a Postgres of
 * their own, publish to simulated networks on loopback, which lose, delay and
 * garble answers, and so does a receiver of webhooks; kill -9 at random moments
 * and at the worst ones.
 */
export async function proveKill(options: ProveOptions): Promise<Tally> {
  const tallies: Tally[] = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [index, run] of lane) tallies[index] = await proveRun(options, run, index);
    }),
  );
  const sum = emptyTally();
  for (const tally of tallies) addTally(sum, tally);
  return sum;
}

async function proveRun(options: ProveOptions, { store, processes }: Run, index: number): Promise<Tally> {
  const { posts, kills, seed } = options;
  const random = seededRandom(seed + index);
  const name = `${store}, ${processes} ${processes === 1 ? "process" : "processes"}`;
  const tally = await runArena({
    name: `kill, ${name}`,
    random,
    venue: sandboxVenue({ accounts: 4, faults: { commits: 0.15, reads: 0.05, deliveries: 0.05 }, random }),
    store,
    machines: rightMachines(processes, options.beside),
    posts: shareOf(posts, index),
    kills: shareOf(kills, index),
    maxProfiles: 3,
    speed: 20,
    pace: null,
    toleranceSeconds: busySeconds,
  });
  tally.notes.push(`${name}: ${tally.tried} posts, ${tally.kills} kills, ${tally.unanswered} answers lost`);
  return tally;
}

/** All shares make the whole. */
function shareOf(whole: number, index: number): number {
  const upTo = (runsBefore: number): number => Math.round((whole * runsBefore) / runs.length);
  return upTo(index + 1) - upTo(index);
}
