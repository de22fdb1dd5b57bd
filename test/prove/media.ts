import type { ProveOptions } from "./arguments.ts";
import type { MediaJob, MediaResult } from "./media-worker.ts";
import { runJobs } from "./pool.ts";
import { createProgress } from "./screen.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

const filesPerJob = 250;

/** A job takes a tenth of a second; one that never ends is ended. */
const maxJobMs = 60_000;

/**
 * The reader of media files: files of every kind with mistakes in them. None may
 * take a second, make it fail, or make it read more than it says it does.
 */
export async function proveMedia({ mutations, seed }: ProveOptions): Promise<Tally> {
  const tally = emptyTally();
  const progress = createProgress("media");
  const jobs: MediaJob[] = [];
  for (let from = 0; from < mutations; from += filesPerJob) {
    jobs.push({ seed, from, to: Math.min(from + filesPerJob, mutations) });
  }
  const sums = { taken: 0, slowestMs: 0, mostBytes: 0 };
  await runJobs<MediaJob, MediaResult>(
    "media-worker.ts",
    jobs,
    (result) => {
      addTally(tally, result.tally);
      sums.taken += result.taken;
      sums.slowestMs = Math.max(sums.slowestMs, result.slowestMs);
      sums.mostBytes = Math.max(sums.mostBytes, result.mostBytes);
      progress.say(`${tally.tried} of ${mutations} files`);
    },
    { maxJobMs },
  );
  progress.end();
  const { taken, slowestMs, mostBytes } = sums;
  const note = `${taken} of ${tally.tried} files taken all the same; the slowest took ${Math.ceil(slowestMs)} ms, at most ${mostBytes} bytes were read`;
  addTally(tally, { notes: [note] });
  return tally;
}
