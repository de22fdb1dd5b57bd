import type { ProveOptions } from "./arguments.ts";
import type { InboxJob } from "./inbox-worker.ts";
import { runJobs } from "./pool.ts";
import { createProgress } from "./screen.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

const daysPerJob = 5;

/**
 * Virtual time: three processes, a store and four networks, on which people write, change their minds and are answered,
 * with faults at every port. The first day's seed is `seed`, so a failing one is repeated by its own number.
 */
export async function proveInbox({ days, seed }: ProveOptions): Promise<Tally> {
  const tally = emptyTally();
  const progress = createProgress("inbox");
  const jobs: InboxJob[] = [];
  for (let from = 0; from < days; from += daysPerJob)
    jobs.push({ from: seed + from, to: seed + Math.min(from + daysPerJob, days) });
  let letters = 0;
  let done = 0;
  await runJobs<InboxJob, Tally & { letters: number; days: number }>(
    "inbox-worker.ts",
    jobs,
    ({ letters: more, days: ended, ...result }) => {
      addTally(tally, result);
      letters += more;
      done += ended;
      progress.say(`${done} of ${days} days, ${letters} messages, ${tally.tried} answers, ${tally.kills} deaths`);
    },
  );
  progress.end();
  tally.notes.push(`${letters} messages of people; a seed alone: --seed N --days 1`);
  return tally;
}
