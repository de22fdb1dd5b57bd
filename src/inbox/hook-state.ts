import type { HookSubscription } from "../networks/contract/hooks.ts";
import type { HookState } from "./rows.ts";

/** Time between two checks of a subscription, milliseconds. */
const checkMs = 6 * 3_600_000;
/** Pause after the first failure, milliseconds. It doubles with each further one. */
const firstPauseMs = 60_000;
/** Time from the first request to its check, milliseconds. Most networks confirm within a second. */
const confirmationMs = 2_000;
const maxDoublings = 8;

/** The state of a new inbox; its first subscription is due immediately. */
export function firstHookState(now: number): HookState {
  return { due_at: now, subscribed_at: null, received_at: null, missed_at: null, failure: null, failures: 0 };
}

/** Before the first confirmation, events may be missing since the connection. */
export function lostUntilConfirmed(state: HookState, connectedAt: number): HookState {
  return state.confirmed_at === undefined ? { lost_since: connectedAt, ...state } : state;
}

/** The state after a reconnect: the network may have ended the subscription. */
export function askedAnew(state: HookState, now: number): HookState {
  return { ...state, due_at: now, failures: 0 };
}

/**
 * True if the network sends its events: once it has confirmed the subscription. False after a list showed a message
 * that it did not send, until it sends one again.
 */
export function isTrusted(state: HookState | undefined): boolean {
  if (state === undefined || state.subscribed_at === null) return false;
  return state.missed_at === null || (state.received_at ?? 0) > state.missed_at;
}

export function afterSubscription({ lost_since: _, ...state }: HookState, now: number): HookState {
  return { ...state, due_at: now + checkMs, subscribed_at: now, confirmed_at: now, failure: null, failures: 0 };
}

/** Sets the start of the time without a subscription, if there was one before. */
function lost({ lost_since, confirmed_at, received_at }: HookState): Pick<HookState, "lost_since"> {
  if (lost_since !== undefined) return { lost_since };
  return confirmed_at === undefined ? {} : { lost_since: Math.max(confirmed_at, received_at ?? 0) };
}

/** The state after a request that the network has not confirmed yet. */
export function afterQuestion(state: HookState, now: number): HookState {
  const failure =
    state.by_hand === undefined
      ? "The subscription was requested, and the network has not confirmed it yet."
      : "The network has sent nothing yet. Its webhook URL must be set by hand.";
  const failures = state.failures + 1;
  const due_at = now + (state.failures === 0 ? confirmationMs : pauseMs(failures - 2));
  return { ...state, ...lost(state), due_at, subscribed_at: null, failure, failures };
}

/** The state after the network has ended the subscription. */
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

/** The state after a missed event. The subscription is checked immediately, because the network may have ended it. */
export function afterMiss(state: HookState, now: number): HookState {
  if (!isTrusted(state)) return state;
  return { ...state, missed_at: now, due_at: Math.min(state.due_at, now) };
}
