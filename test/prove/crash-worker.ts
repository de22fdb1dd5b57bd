/** Works off the jobs of the phase `crash`, one message each. */
import { countUnanswered } from "../support/crash.ts";
import {
  crashCases,
  crashFamilies,
  crashPairs,
  crashRuns,
  crashServers,
  type NamedRun,
} from "../support/crash-families.ts";
import { verdictOn } from "../support/verdict.ts";
import type { CrashJob } from "./crash-jobs.ts";
import { seededRandom } from "./random.ts";
import { addFindings, addTally, emptyTally, type Tally } from "./tally.ts";

process.on("message", (job: CrashJob) => {
  void work(job).then((tally) => process.send?.(tally));
});

async function work(job: CrashJob): Promise<Tally> {
  const tally = emptyTally();
  for await (const named of runsOf(job)) await count(tally, named);
  return tally;
}

function runsOf(job: CrashJob): AsyncIterable<NamedRun> {
  if (job.what === "servers") return crashServers(named(crashFamilies, job.family), job);
  const crashCase = named(crashCases, job.crashCase);
  if (job.what === "family")
    return crashRuns(named(crashFamilies, job.family), crashCase, { max: job.max ?? Number.POSITIVE_INFINITY });
  return crashPairs(crashCase, { share: job.share, random: seededRandom(job.seed) });
}

async function count(tally: Tally, { name, run }: NamedRun): Promise<void> {
  const { findings, ...ends } = verdictOn(run);
  const kills = [run.process, run.recovery].filter((each) => each.isDead()).length;
  addTally(tally, { tried: 1, kills, unanswered: await countUnanswered(run), ...ends });
  addFindings(tally, name, findings);
  if (ends.undecided > 0) addTally(tally, { notes: [`undecided: ${name}`] });
}

function named<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const found = items.find((item) => item.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}
