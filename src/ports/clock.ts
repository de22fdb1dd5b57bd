/** The only source of time in this package. Tests and simulations pass their own clock (`postrider/testing`). */
export interface Clock {
  /** Wall time in whole milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds since a fixed moment. Never goes back. */
  monotonic(): number;
  /**
   * Resolves after `ms` milliseconds.
   *
   * @throws the signal's reason, as soon as `signal` is aborted
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Maximum delay of setTimeout, which fires immediately for a longer one (2^31 − 1 ms, 24.8 days). */
const maxTimerMs = 2_147_483_647;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    let leftMs = ms;
    while (leftMs > maxTimerMs) {
      await sleepOnce(maxTimerMs, signal);
      leftMs -= maxTimerMs;
    }
    await sleepOnce(leftMs, signal);
  },
};

function sleepOnce(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.max(0, ms),
    );
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/**
 * The reason for aborting a sleep that is no longer awaited: an abort without a reason creates an error with its
 * stack each time.
 */
export const noLongerNeeded = "no longer needed";

/** Waits for the work, but no longer than `ms`. The work continues after that. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const end = clock.sleep(ms, done.signal).catch(() => undefined);
  try {
    await Promise.race([work, end]);
  } finally {
    done.abort(noLongerNeeded);
  }
}

/**
 * Creates a function that returns true at most once in `everyMs` milliseconds.
 *
 * @param sinceMs when it last returned true, by the monotonic clock. @default now
 */
export function createThrottle(clock: Clock, everyMs: number, sinceMs = clock.monotonic()): () => boolean {
  let lastMs = sinceMs;
  return () => {
    const nowMs = clock.monotonic();
    if (nowMs - lastMs < everyMs) return false;
    lastMs = nowMs;
    return true;
  };
}

/** Rounds to whole milliseconds, which rows require, for example a share of a wait, or an adapter's seconds. */
export function wholeMs(ms: number): number {
  return Math.round(ms);
}

/** Time in requests and responses: ISO 8601 in UTC with milliseconds and `Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
