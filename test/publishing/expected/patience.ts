/** How long something is tried, by a clock of its own. */
export interface Patience {
  /** Seconds since the post was created. */
  now: number;
  /** When it was first put off; null: not yet. */
  putOffAt: number | null;
  putOffs: number;
}

/** What cannot go out is tried for so long, seconds. */
const patienceSeconds = 1_800;
/** From one try to the next, seconds; the last repeats. */
const pauses = [5, 10, 20, 40];
/** The same where the login is refused. */
const pausesOfLogins = [...pauses, 80, 160, 320];

/**
 * Nothing was done, so it is tried again: after 5, 10, 20, 40, 40 … s, for half
 * an hour. When the network says until when, that is believed once, in the
 * place of the first pause; later both are waited for. An end that is later
 * than the half hour ends it at once.
 *
 * @returns false: it is given up
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
