import type { Clock } from "../ports/clock.ts";

/** What ends a timer. An abort without a reason makes an error, with its stack, that nobody reads. */
const isOver = "over";

export interface Deadline {
  clock: Clock;
  timeoutMs: number;
  /** What the work fails with when the time is over. */
  expired: () => Error;
  /** Ends the work earlier, with its own reason. */
  signal?: AbortSignal | null;
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
  const stop = (): void => working.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  clock.sleep(timeoutMs, timer.signal).then(
    () => working.abort(expired()),
    () => {}, // the work was faster
  );
  try {
    return await unlessAborted(work(working.signal), working.signal);
  } finally {
    timer.abort(isOver);
    signal?.removeEventListener("abort", stop);
  }
}

/** The promise's outcome, or the signal's reason if that comes first. */
function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
