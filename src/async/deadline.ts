import { type Clock, noLongerNeeded } from "../ports/clock.ts";

export interface Deadline {
  clock: Clock;
  timeoutMs: number;
  /** What the work fails with when the time is over. */
  expired: () => Error;
  /** Ends the work earlier, with its own reason. */
  signal?: AbortSignal | null | undefined;
}

/**
 * Runs `work` under a deadline. The signal that it gets is aborted when the
 * time is over or the outer signal is. Work that ignores it is not waited for.
 *
 * @throws what `expired` makes; the outer signal's reason; what `work` throws
 */
export async function withDeadline<Result>(
  { clock, timeoutMs, expired, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const working = new AbortController();
  const timer = new AbortController();
  let stop: (() => void) | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      const end = (reason: unknown): void => {
        working.abort(reason);
        reject(working.signal.reason);
      };
      stop = () => end(signal?.reason);
      signal?.addEventListener("abort", stop, { once: true });
      clock.sleep(timeoutMs, timer.signal).then(
        () => end(expired()),
        () => {}, // the work was faster
      );
      work(working.signal).then(resolve, reject);
    });
  } finally {
    timer.abort(noLongerNeeded);
    if (stop !== undefined) signal?.removeEventListener("abort", stop);
  }
}
