import type { ProveOptions } from "./arguments.ts";
import { runJobs } from "./pool.ts";
import { createProgress } from "./screen.ts";
import type { SimulateJob } from "./simulate-weeks.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

const seedsPerJob = 20;

/**
 * Virtual time: three processes, a store, networks and receivers for one week
 * per seed, with faults at every port and people who change their minds. The
 * first week's seed is `seed`, so a failing one is repeated by its own number.
 */
export async function proveSimulate({ seeds, seed }: ProveOptions): Promise<Tally> {
  const tally = emptyTally();
  const progress = createProgress("simulate");
  const jobs: SimulateJob[] = [];
  for (let from = 0; from < seeds; from += seedsPerJob) {
    jobs.push({ from: seed + from, to: seed + Math.min(from + seedsPerJob, seeds) });
  }
  let weeks = 0;
  await runJobs<SimulateJob, Tally & { weeks: number }>("simulate-worker.ts", jobs, ({ weeks: more, ...result }) => {
    addTally(tally, result);
    weeks += more;
    progress.say(`${weeks} of ${seeds} weeks, ${tally.tried} posts, ${tally.kills} deaths`);
  });
  progress.end();
  tally.notes.push(`${weeks} virtual weeks, one per seed from ${seed} on; a seed alone: --seed N --seeds 1`);
  return tally;
}
