import type { ProveOptions } from "./arguments.ts";
import { type CrashJob, crashJobs } from "./crash-jobs.ts";
import { runJobs } from "./pool.ts";
import { createProgress } from "./screen.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

/**
 * Virtual time: a publishing process dies before and after each call that it
 * makes to the outside, each family of trouble around it; then all pairs, in
 * which the process that recovers dies as well.
 */
export async function proveCrash({ pairs, series, seed }: ProveOptions): Promise<Tally> {
  const tally = emptyTally();
  const progress = createProgress("crash");
  const jobs = crashJobs({ pairs, series, seed });
  progress.say(`${jobs.length} series: ${100 * series} % of all, ${100 * pairs} % of the pairs, drawn by seed ${seed}`);
  await runJobs<CrashJob, Tally>("crash-worker.ts", jobs, (result, left) => {
    addTally(tally, result);
    progress.say(`${tally.tried} posts, ${tally.kills} deaths, ${left} series left`);
  });
  progress.end();
  return tally;
}
