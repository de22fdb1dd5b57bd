import type { ProveOptions } from "./arguments.ts";
import type { FuzzJob } from "./fuzz-worker.ts";
import { runJobs } from "./pool.ts";
import { createProgress } from "./screen.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

const requestsPerJob = 500;

/**
 * The REST surface: requests made from the OpenAPI document, good and damaged,
 * by several callers of two accounts, and every answer held against the document.
 */
export async function proveFuzz({ requests, seed }: ProveOptions): Promise<Tally> {
  const tally = emptyTally();
  const progress = createProgress("fuzz");
  const jobs: FuzzJob[] = [];
  for (let from = 0; from < requests; from += requestsPerJob) {
    jobs.push({ seed, from, to: Math.min(from + requestsPerJob, requests) });
  }
  await runJobs<FuzzJob, Tally>("fuzz-worker.ts", jobs, (result) => {
    addTally(tally, result);
    progress.say(`${tally.tried} of ${requests} requests`);
  });
  progress.end();
  return tally;
}
