import type { Clock } from "../../ports/clock.ts";

/** A file that the network is processing. */
export interface Job<Failure> {
  /** Milliseconds since 1970. */
  ready_at: number;
  /** The failure that it ends with; null: it succeeds. */
  failure: Failure | null;
}

/** A network's processing of uploaded files. */
export interface Jobs<Failure> {
  /** Sets how long jobs that start from now on take. */
  take(seconds: number): void;
  /** Makes the next job end with this failure. */
  failNext(failure: Failure): void;
  /**
   * @param failure the failure that it ends with, regardless of `failNext`; null: the one of `failNext`. @default null
   */
  start(failure?: Failure | null): Job<Failure>;
  /**
   * A finished job, for a file that needs no processing or cannot be used. @param failure null: it succeeded.
   * @default null
   */
  ended(failure?: Failure | null): Job<Failure>;
  isDone(job: Pick<Job<Failure>, "ready_at">): boolean;
  stateOf(job: Job<Failure>): "working" | "done" | "failed";
}

export function createJobs<Failure>(clock: Pick<Clock, "now">): Jobs<Failure> {
  let seconds = 0;
  let next: Failure | null = null;
  const isDone: Jobs<Failure>["isDone"] = ({ ready_at }) => clock.now() >= ready_at;
  return {
    take(duration) {
      seconds = duration;
    },
    failNext(failure) {
      next = failure;
    },
    start(given = null) {
      const failure = given ?? next;
      next = null;
      return { ready_at: clock.now() + seconds * 1000, failure };
    },
    ended: (failure = null) => ({ ready_at: clock.now(), failure }),
    isDone,
    stateOf(job) {
      if (!isDone(job)) return "working";
      return job.failure === null ? "done" : "failed";
    },
  };
}
