/** How long a request is retried, with its own clock. */
export interface Patience {
  /** Seconds since the post was created. */
  now: number;
  /** When it was first postponed; null: not yet. */
  putOffAt: number | null;
  putOffs: number;
}

/** How long a post that cannot go out is retried, seconds. */
const patienceSeconds = 1_800;
/** The pauses between retries, seconds; the last repeats. */
const pauses = [5, 10, 20, 40];
/** The same when the credentials are refused. */
const pausesOfLogins = [...pauses, 80, 160, 320];

/**
 * Retries a request that had no effect: after 5, 10, 20, 40, 40 … s, for half
 * an hour. An end named by the network replaces the first pause, once; later
 * both are waited for. An end after the half hour ends the retries
 * immediately.
 *
 * @returns false: the retries are over
 */
export function putOff(
  patience: Patience,
  { until = null, isLogin = false }: { until?: number | null; isLogin?: boolean } = {},
): boolean {
  const { now, putOffs } = patience;
  patience.putOffAt ??= now;
  const end = patience.putOffAt + patienceSeconds;
  if (now >= end || (until !== null && until > end)) return false;
  const steps = isLogin ? pausesOfLogins : pauses;
  const pause = steps[Math.min(putOffs, steps.length - 1)] ?? 0;
  const isBelieved = until !== null && until > now && putOffs === 0;
  patience.now = Math.max(until ?? now, isBelieved ? now : now + pause);
  patience.putOffs += 1;
  return true;
}
