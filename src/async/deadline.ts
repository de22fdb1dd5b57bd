import { type Clock, noLongerNeeded } from "../ports/clock.ts";

export interface Deadline {
  clock: Clock;
  timeoutMs: number;
  /** Creates the error if the time is over. */
  expired: () => Error;
  /** Aborts the work earlier, with its own reason. */
  signal?: AbortSignal | null | undefined;
}

/**
 * Runs `work` under a deadline. Its signal is aborted when the time is over or the outer signal is aborted. Work that
 * ignores it is not awaited.
 *
 * @throws the error of `expired`; the outer signal's reason; the error of `work`
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
        () => {}, // The work was faster.
      );
      work(working.signal).then(resolve, reject);
    });
  } finally {
    timer.abort(noLongerNeeded);
    if (stop !== undefined) signal?.removeEventListener("abort", stop);
  }
}
