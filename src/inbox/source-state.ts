import type { InboxSource, Poll } from "../networks/contract/inbox.ts";
import { NetworkRefusal } from "../networks/runtime/session.ts";
import { wholeMs } from "../ports/clock.ts";
import type { PublishingCode } from "../wire/errors.ts";
import type { InboxState, SourceState } from "./rows.ts";

/** After a poll with updates the time to the next halves; after an empty one it grows by half. */
const faster = 0.5;
const slower = 1.5;
/** Maximum number of doublings of the time to the next poll after consecutive failures. */
const maxDoublings = 6;
const longestFailureMs = 3_600_000;
/** Consecutive rejections after which a cursor counts as invalid. */
const refusalsToRestart = 3;
/** The codes of rejections that a cursor may cause. Those of an access token, or of its scopes, keep the cursor. */
const wrongRequest: ReadonlySet<PublishingCode> = new Set(["invalid_request", "rejected_by_network"]);

type Paced = Pick<InboxSource, "every">;

/** The part of a source that its state depends on. */
export type NamedSource = Pick<InboxSource, "name" | "every" | "restart">;

/** The state of a source that was never read; it is due immediately. */
export function firstState({ every }: Paced, now: number): SourceState {
  return { cursor: null, due_at: now, every_ms: wholeMs(every.min * 1000), read_at: null, failure: null, failures: 0 };
}

/** A source with its state. */
export interface StatedSource {
  source: InboxSource;
  state: SourceState;
}

/**
 * The lists to read now: first the due ones, then those that become due within half of the shorter interval of the
 * two. Reading two lists together costs half as much as reading them separately.
 */
export function sourcesToRead(
  sources: readonly InboxSource[],
  states: Readonly<Record<string, SourceState>>,
  now: number,
): StatedSource[] {
  const stated = sources.map((source) => ({ source, state: states[source.name] ?? firstState(source, now) }));
  const due = stated.filter(({ state }) => state.due_at <= now);
  const isNearlyDue = ({ due_at, every_ms, failures }: SourceState): boolean =>
    failures === 0 && due.some(({ state }) => due_at - now <= Math.min(every_ms, state.every_ms) / 2);
  return [...due, ...stated.filter(({ state }) => state.due_at > now && isNearlyDue(state))];
}

/**
 * @param given.isRepair true: webhooks bring the same, so the list is read only for missed messages. @default false
 * @param given.paceMs minimum time to the next poll, milliseconds. @default 0
 */
export function afterPoll(
  source: Paced,
  before: SourceState,
  { found, now, isRepair = false, paceMs = 0 }: { found: Poll; now: number; isRepair?: boolean; paceMs?: number },
): SourceState {
  const { repair } = source.every;
  const usual = withinBounds(source, found.facts.length > 0 ? afterNews(source, before) : before.every_ms * slower);
  const every_ms = isRepair && repair !== undefined ? wholeMs(repair * 1000) : usual;
  return {
    cursor: found.cursor,
    due_at: found.more ? now : now + Math.max(every_ms, paceMs),
    every_ms,
    read_at: found.more ? before.read_at : now,
    failure: null,
    failures: 0,
  };
}

function afterNews({ every }: Paced, { every_ms }: SourceState): number {
  return Math.min(every_ms * faster, every.news === undefined ? Number.POSITIVE_INFINITY : every.news * 1000);
}

/** The state after a failure. The cursor stays, unless the network rejects it repeatedly. */
function afterFailure(
  source: Omit<NamedSource, "name">,
  before: SourceState,
  { error, now }: { error: unknown; now: number },
): SourceState {
  const failures = before.failures + 1;
  const doubledMs = source.every.min * 1000 * 2 ** Math.min(failures, maxDoublings);
  const pauseMs = wholeMs(Math.min(doubledMs, longestFailureMs));
  const refusal = error instanceof NetworkRefusal ? error.refusal : null;
  const limitEnd = refusal?.effect === "later" ? refusal.retryAt : null;
  const isPlaceGone =
    refusal?.effect === "none" && wrongRequest.has(refusal.code) && failures % refusalsToRestart === 0;
  const restart = isPlaceGone && before.cursor !== null ? source.restart : undefined;
  const cursor = restart === undefined ? before.cursor : restart(before.cursor);
  return { ...before, cursor, failures, failure: failureOf(error), due_at: Math.max(now + pauseMs, limitEnd ?? 0) };
}

/** The text of an error, for `SourceState.failure`. */
export function failureOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The inbox's state after a failed read of a source. */
export function withFailure(
  state: InboxState,
  source: NamedSource,
  { error, now }: { error: unknown; now: number },
): InboxState {
  const before = state.sources[source.name] ?? firstState(source, now);
  return withSource(state, source.name, afterFailure(source, before, { error, now }));
}

/** The inbox's state while a source waits for a budget. */
export function withWait(
  state: InboxState,
  source: NamedSource,
  { until, now }: { until: number; now: number },
): InboxState {
  const before = state.sources[source.name] ?? firstState(source, now);
  return withSource(state, source.name, { ...before, due_at: Math.max(before.due_at, until) });
}

export function withSource(state: InboxState, name: string, source: SourceState): InboxState {
  return { ...state, sources: { ...state.sources, [name]: source } };
}

/** The inbox's state with a pause of its lists. @param until as `Reader.restsUntil` */
export function withRest(state: InboxState, until: number): InboxState {
  return until > (state.rests_until ?? 0) ? { ...state, rests_until: until } : state;
}

function withinBounds({ every }: Paced, ms: number): number {
  return wholeMs(Math.min(Math.max(ms, every.min * 1000), every.max * 1000));
}
