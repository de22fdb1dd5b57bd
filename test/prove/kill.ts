import { runArena } from "./arena.ts";
import type { ProveOptions } from "./arguments.ts";
import { seededRandom } from "./random.ts";
import { sandboxVenue } from "./sandbox-venue.ts";
import type { Tally } from "./tally.ts";

/**
 * Two real processes on one SQLite file publish to simulated networks on
 * loopback, which lose, delay and garble answers, and so does a receiver of webhooks; kill -9 at random moments and
 * at the worst ones.
 */
export function proveKill({ posts, kills, seed }: ProveOptions): Promise<Tally> {
  const random = seededRandom(seed);
  return runArena({
    name: "kill",
    random,
    venue: sandboxVenue({ accounts: 4, faults: { commits: 0.15, reads: 0.05, deliveries: 0.05 }, random }),
    posts,
    kills,
    processes: 2,
    mostProfiles: 3,
    speed: 20,
    atOnce: false,
  });
}
