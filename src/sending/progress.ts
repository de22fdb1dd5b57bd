import type { PublishedPart } from "../networks/contract/plan.ts";
import { NotReady } from "../networks/contract/request.ts";
import { isRefusedAnew, NetworkRefusal } from "../networks/runtime/session.ts";
import { isoTime } from "../ports/clock.ts";
import { type PublishingCode, PublishingError } from "../wire/errors.ts";
import { LeaseLost } from "../work/lease.ts";
import type { BoundPublisher } from "./bound-publisher.ts";
import type { Failure, SubjectState } from "./state.ts";
import type { SubjectRun } from "./subject-run.ts";

/** The result of one attempt at a part, and at those that are sent with it. */
export type Progress = { kind: "live"; published: PublishedPart[] } | Wait | Failure;

/** No further attempt is useful before `until`. */
export interface Wait {
  kind: "wait";
  /** Milliseconds. */
  until: number;
  /** True: no other post of the profile may be sent until the outcome of this one is known. */
  blocksLane: boolean;
  /**
   * True: the profile is released even for a short wait, so that its other work goes on. Absent: it is kept during a
   * short wait.
   */
  givesBack?: true;
  code: PublishingCode;
  message: string;
}

/** Pauses before each further attempt, milliseconds; the last one repeats. */
const putOffMs = [5_000, 10_000, 20_000, 40_000];
/** Longer pauses when the network rejects the access token, since it counts each attempt. */
const refusedLoginMs = [...putOffMs, 80_000, 160_000, 320_000];

/**
 * Postpones a part that was not sent, to `reason.until` or by the next pause of `putOffMs`. Once `maxRetryMs` has
 * passed, the part fails instead.
 */
export function putOff(
  run: SubjectRun,
  reason: { code: PublishingCode; message: string; until?: number | null; number?: number; alike?: Alike },
): Progress {
  const now = run.lease.now();
  const before = run.state().patience ?? { since: now, waits: 0, number: 0, alike: null };
  if (now - before.since >= run.ports.maxRetryMs) {
    const minutes = Math.round((now - before.since) / 60_000);
    return failed(finalCode(reason.code), `Given up after ${minutes} minutes. ${reason.message}`);
  }
  const askedUntil = reason.until ?? 0;
  if (isTooLate(run, askedUntil)) return failed(passingCode(reason.code), `${tooLate} ${reason.message}`);
  if (askedUntil > before.since + run.ports.maxRetryMs) {
    const message = `${reason.message.replace(/\.?$/, ".")} The network accepts no requests before ${isoTime(askedUntil)}, which is later than maxRetryMs allows. Retry it then.`;
    return failed(finalCode(reason.code), message);
  }
  const alike = reason.alike ?? null;
  run.remember({
    patience: { since: before.since, waits: before.waits + 1, number: reason.number ?? before.number, alike },
  });
  // The network's own time counts once. If it was wrong or has passed, the usual pauses follow.
  const steps = reason.code === "reauthentication_required" ? refusedLoginMs : putOffMs;
  const step = askedUntil > now && before.waits === 0 ? 0 : (steps[Math.min(before.waits, steps.length - 1)] ?? 0);
  const until = Math.max(askedUntil, now + step);
  const message = askedUntil > now ? `${reason.message}; next attempt ${timeOfDay(until)}` : reason.message;
  return { kind: "wait", until, blocksLane: false, code: reason.code, message };
}

/** The message for what must be sent soon or never. */
export const tooLate = "It was not sent: its time limit was reached.";

/** @param at milliseconds. @default now @returns true if it may no longer be sent at that time */
export function isTooLate(run: SubjectRun, at = 0): boolean {
  return run.sendUntil !== null && Math.max(at, run.lease.now()) > run.sendUntil;
}

/** A repeated failure with the same message. */
type Alike = NonNullable<NonNullable<SubjectState["patience"]>["alike"]>;

/** After so many failures with the same message, the server is taken to be unable to read the file. */
const maxFailuresAlike = 5;

/** As `progressFromError`, but fails a post when the server fails at its files in the same way again and again. */
export function progressFromStage(run: SubjectRun, { media }: Pick<BoundPublisher, "media">, error: unknown): Progress {
  if (media.length === 0 || !(error instanceof NetworkRefusal) || error.refusal.status !== 500)
    return progressFromError(run, error);
  const { code, message, effect } = error.refusal;
  if (effect !== "unknown") return progressFromError(run, error);
  const before = run.state().patience?.alike ?? null;
  const times = before?.message === message ? before.times + 1 : 1;
  if (times < maxFailuresAlike) return putOff(run, { code, message, alike: { message, times } });
  return failed(
    "media_error",
    `The network failed ${times} times with the same error on a file of this post. ${message}`,
  );
}

/** The code of a failure after all retries: the access token's, or as `passingCode` says. */
function finalCode(code: PublishingCode): PublishingCode {
  return code === "reauthentication_required" ? code : passingCode(code);
}

/** The code of a passing failure: of a file's host, of the service itself, or of the network. A briefly rejected access token counts as the network's. */
function passingCode(code: PublishingCode): PublishingCode {
  return code === "media_error" || code === "internal_error" ? code : "network_error";
}

/** A subject that is found later than this has waited for a stopped service, milliseconds. */
const absentMs = 60_000;

/** The state with its time limits extended by the time in which no process was running. */
export function withoutAbsence<State extends SubjectState>(state: State, dueAt: number | null, now: number): State {
  const absence = now - (dueAt ?? now);
  if (absence <= absentMs) return state;
  const { patience, faulty_since } = state;
  return {
    ...state,
    patience: patience && { ...patience, since: patience.since + absence },
    faulty_since: faulty_since && faulty_since + absence,
  };
}

/** A time for messages: `14:03:20Z`. */
export function timeOfDay(ms: number): string {
  return `${isoTime(ms).slice(11, 19)}Z`;
}

export function failed(code: PublishingCode, message: string): Progress {
  return { kind: "fail", code, message, mayBeLive: false };
}

/**
 * What an error of staging, a look-up or a renewal means for the subject. None of these made anything public, so all
 * may be repeated.
 */
export function progressFromError(run: SubjectRun, error: unknown): Progress {
  if (error instanceof LeaseLost) throw error;
  if (error instanceof NotReady) return putOff(run, { code: "network_error", message: error.message });
  if (PublishingError.is(error)) {
    const { code, message, isPassing } = error;
    return isPassing ? putOff(run, { code, message }) : failed(code, message);
  }
  if (!(error instanceof NetworkRefusal)) throw error;
  const { refusal } = error;
  const { code, message } = refusal;
  switch (refusal.effect) {
    case "none":
    case "duplicate":
      return failed(code, message);
    case "unknown":
      return putOff(run, { code, message });
    case "later":
      if (refusal.remedy === "refresh" && !isRefusedAnew(error, run.adapter))
        return failed("reauthentication_required", message);
      return putOff(run, { code, message, until: refusal.retryAt });
  }
}
