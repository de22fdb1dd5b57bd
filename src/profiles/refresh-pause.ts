import { NetworkRefusal } from "../networks/runtime/session.ts";
import { PublishingError } from "../wire/errors.ts";

/** A login could not be renewed just now; whoever needs it waits, instead of asking the network once more. */
export interface RefreshPause {
  /** How often it has failed in a row. */
  failures: number;
  /** When it failed last, and until when nobody asks, milliseconds. */
  since: number;
  until: number;
  /** Why, for humans. */
  message: string;
}

/** Pauses after renewals that have failed in a row, milliseconds; the last one repeats. */
const pausesMs = [5_000, 10_000, 20_000, 40_000] as const;

/** Null: the network had no part in the failure. */
export function pauseAfter(error: unknown, before: RefreshPause | null, now: number): RefreshPause | null {
  if (!(error instanceof NetworkRefusal) && !PublishingError.is(error)) return null;
  const failures = (before?.failures ?? 0) + 1;
  const pauseMs = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0;
  return { failures, since: now, until: Math.max(now + pauseMs, limitEnd(error)), message: error.message };
}

function limitEnd(error: unknown): number {
  const refusal = error instanceof NetworkRefusal ? error.refusal : null;
  return refusal?.effect === "later" ? (refusal.retryAt ?? 0) : 0;
}

/** @throws NetworkRefusal that names the end of the pause */
export function assertNoPause(pause: RefreshPause | null, now: number): void {
  // A clock that was set back ends a pause.
  if (pause === null || now < pause.since || now >= pause.until) return;
  const { message, until: retryAt } = pause;
  const said = { code: "network_error", message, networkMessage: "", status: null } as const;
  throw new NetworkRefusal({ effect: "later", remedy: "not_ready", scope: "profile", retryAt, ...said });
}
