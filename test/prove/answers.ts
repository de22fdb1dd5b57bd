import type { AnswersJob } from "./answers-worker.ts";
import type { ProveOptions } from "./arguments.ts";
import { runJobs } from "./pool.ts";
import { createProgress } from "./screen.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

const postsPerJob = 100;

/**
 * Virtual time: networks that can be asked lose, delay and garble answers at
 * random, and the process may die besides. Counts how often nobody can tell in
 * the end whether a post is live.
 */
export async function proveAnswers({ answers, seed }: ProveOptions): Promise<Tally> {
  const tally = emptyTally();
  const progress = createProgress("answers");
  const jobs: AnswersJob[] = [];
  for (let from = 0; from < answers; from += postsPerJob) {
    jobs.push({ seed, from, to: Math.min(from + postsPerJob, answers) });
  }
  await runJobs<AnswersJob, Tally>("answers-worker.ts", jobs, (result) => {
    addTally(tally, result);
    progress.say(`${tally.tried} of ${answers} posts, ${tally.unanswered} answers lost`);
  });
  progress.end();
  return tally;
}
