import { busySeconds, runArena } from "./arena.ts";
import { rightMachines } from "./arena-world.ts";
import type { ProveOptions } from "./arguments.ts";
import { seededRandom } from "./random.ts";
import { sandboxVenue } from "./sandbox-venue.ts";
import type { Tally } from "./tally.ts";

/** Four real processes on one SQLite file; all posts are due at one moment, and processes are killed while they go out. */
export function proveWorkers({ burst, burstKills, seed }: ProveOptions): Promise<Tally> {
  const random = seededRandom(seed);
  return runArena({
    name: "workers",
    random,
    venue: sandboxVenue({ accounts: 10, faults: { commits: 0.02, reads: 0.02, deliveries: 0.01 }, random }),
    store: "sqlite",
    machines: rightMachines(4),
    posts: burst,
    kills: burstKills,
    maxProfiles: 1,
    speed: 5,
    pace: "at once",
    toleranceSeconds: busySeconds,
  });
}
