import type { Clock } from "../../ports/clock.ts";

/** A file that the network is working on. */
export interface Job<Failure> {
  /** Milliseconds since 1970. */
  ready_at: number;
  /** How it ends, if not well. */
  failure: Failure | null;
}

/** What a network does with a file after it has been uploaded. */
export interface Jobs<Failure> {
  /** Jobs that start from now on take this long. */
  take(seconds: number): void;
  /** The next job ends like this. */
  failNext(failure: Failure): void;
  /** `at once`: a file that needs no work. */
  start(how?: "at once"): Job<Failure>;
  isDone(job: Pick<Job<Failure>, "ready_at">): boolean;
}

export function createJobs<Failure>(clock: Pick<Clock, "now">): Jobs<Failure> {
  let seconds = 0;
  let next: Failure | null = null;
  return {
    take(duration) {
      seconds = duration;
    },
    failNext(failure) {
      next = failure;
    },
    start(how) {
      const failure = next;
      next = null;
      return { ready_at: clock.now() + (how === "at once" ? 0 : seconds * 1000), failure };
    },
    isDone: ({ ready_at }) => clock.now() >= ready_at,
  };
}
