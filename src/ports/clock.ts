/**
 * Time, as everything in this package sees it. Tests and simulations hand in a
 * clock of their own (`postrider/testing`); nothing else reads the machine's.
 */
export interface Clock {
  /** Wall time in whole milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds since some fixed moment. Never goes back. */
  monotonic(): number;
  /**
   * Resolves after `ms` milliseconds.
   *
   * @throws the signal's reason, as soon as `signal` is aborted
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** setTimeout fires at once for anything longer (2^31 − 1 ms, 24.8 days). */
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

/** What ends a sleep whose end nobody waits for: an abort without a reason makes an error, with its stack, each time. */
export const noLongerNeeded = "no longer needed";

/** Waits for the work, but no longer than `ms`. It goes on then. */
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
 * Makes a function that answers true at most once in `everyMs` milliseconds.
 *
 * @param sinceMs when it would last have done so, by the monotonic clock. @default now
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

/** Whole milliseconds, as rows hold times: of a share of a wait, or of seconds that an adapter names. */
export function wholeMs(ms: number): number {
  return Math.round(ms);
}

/** Wire time: ISO 8601 in UTC with milliseconds and `Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
