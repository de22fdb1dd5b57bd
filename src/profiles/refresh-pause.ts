import { NetworkRefusal } from "../networks/runtime/session.ts";
import { PublishingError } from "../wire/errors.ts";

/** A failed renewal of credentials. Other requests for it wait instead of sending another request to the network. */
export interface RefreshPause {
  /** Number of consecutive failures. */
  failures: number;
  /** When it last failed, and until when no process retries, milliseconds. */
  since: number;
  until: number;
  /** Why, for humans. */
  message: string;
}

/** Pauses after consecutive failures, milliseconds; the last one repeats. */
const pausesMs = [5_000, 10_000, 20_000, 40_000] as const;

/** Null: the network was not involved in the failure. */
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

/** @throws NetworkRefusal with the end of the pause */
export function assertNoPause(pause: RefreshPause | null, now: number): void {
  // A clock that was set back ends the pause.
  if (pause === null || now < pause.since || now >= pause.until) return;
  const { message, until: retryAt } = pause;
  const said = { code: "network_error", message, networkMessage: "", status: null } as const;
  throw new NetworkRefusal({ effect: "later", remedy: "not_ready", scope: "profile", retryAt, ...said });
}
