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
  /** @param failure how it ends, whatever `failNext` said; null: as `failNext` said. @default null */
  start(failure?: Failure | null): Job<Failure>;
  /** Work that is over: of a file that needs none, or cannot be used at all. @param failure null: it ended well. @default null */
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
