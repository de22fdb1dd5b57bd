import type { HookSubscription } from "../networks/contract/hooks.ts";
import type { HookState } from "./rows.ts";

/** How often a network is asked whether it still sends, milliseconds. */
const checkMs = 6 * 3_600_000;
/** After a failure, then twice as long each time, milliseconds. */
const firstPauseMs = 60_000;
/** After the first question, which most networks confirm within a second, milliseconds. */
const confirmationMs = 2_000;
const maxDoublings = 8;

/** Due at once. */
export function firstHookState(now: number): HookState {
  return { due_at: now, subscribed_at: null, received_at: null, missed_at: null, failure: null, failures: 0 };
}

/** Until the network first says that it sends, nothing may have come since the connection. */
export function lostUntilConfirmed(state: HookState, connectedAt: number): HookState {
  return state.confirmed_at === undefined ? { lost_since: connectedAt, ...state } : state;
}

/** As of a profile that is reconnected: the network may have ended what it sent. */
export function askedAnew(state: HookState, now: number): HookState {
  return { ...state, due_at: now, failures: 0 };
}

/**
 * True if the network sends its events: once it has confirmed the subscription. False after a list showed a message that
 * it did not send, until it sends one again.
 */
export function isTrusted(state: HookState | undefined): boolean {
  if (state === undefined || state.subscribed_at === null) return false;
  return state.missed_at === null || (state.received_at ?? 0) > state.missed_at;
}

export function afterSubscription({ lost_since: _, ...state }: HookState, now: number): HookState {
  return { ...state, due_at: now + checkMs, subscribed_at: now, confirmed_at: now, failure: null, failures: 0 };
}

/** Since when nothing may have come, where something came or could have come before. */
function lost({ lost_since, confirmed_at, received_at }: HookState): Pick<HookState, "lost_since"> {
  if (lost_since !== undefined) return { lost_since };
  return confirmed_at === undefined ? {} : { lost_since: Math.max(confirmed_at, received_at ?? 0) };
}

/** The network has yet to confirm that it sends. */
export function afterQuestion(state: HookState, now: number): HookState {
  const failure =
    state.by_hand === undefined
      ? "The subscription was requested, and the network has not confirmed it yet."
      : "The network has sent nothing yet. Its webhook URL must be set by hand.";
  const failures = state.failures + 1;
  const due_at = now + (state.failures === 0 ? confirmationMs : pauseMs(failures - 2));
  return { ...state, ...lost(state), due_at, subscribed_at: null, failure, failures };
}

/** The network has said that it sends nothing more. */
export function afterEnd(state: HookState, now: number): HookState {
  const failure = "The network has ended the subscription.";
  return { ...state, ...lost(state), due_at: now + firstPauseMs, subscribed_at: null, failure };
}

export function afterRefusal(state: HookState, { error, now }: { error: unknown; now: number }): HookState {
  const failure = error instanceof Error ? error.message : String(error);
  return {
    ...state,
    due_at: now + pauseMs(state.failures),
    subscribed_at: null,
    failure,
    failures: state.failures + 1,
  };
}

function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** Math.min(failures, maxDoublings), checkMs);
}

/** What is set by hand is confirmed by nothing else. */
export function afterReceipt(state: HookState, now: number): HookState {
  const isProof = state.by_hand !== undefined && state.subscribed_at === null;
  return { ...state, received_at: now, ...(isProof && { due_at: Math.min(state.due_at, now + confirmationMs) }) };
}

/** Whether the network sends what was asked for, by its answer, or by what it has sent already. */
export function isConfirmed({ state, byHand }: HookSubscription, { received_at }: HookState): boolean {
  return state === "confirmed" || (byHand !== undefined && received_at !== null);
}

/** Asked again soon: it may have unsubscribed us. */
export function afterMiss(state: HookState, now: number): HookState {
  if (!isTrusted(state)) return state;
  return { ...state, missed_at: now, due_at: Math.min(state.due_at, now) };
}
