import type { Published } from "../networks/contract/plan.ts";
import { type CommitRules, readBackRules } from "../networks/contract/publish.ts";
import { wholeMs } from "../ports/clock.ts";
import type { PublishingCode } from "../wire/errors.ts";
import { isWaitVoid } from "../work/clock-jump.ts";
import {
  type IntentAnswer,
  type IntentRow,
  type IntentState,
  inconclusiveStates,
  type Keys,
  keysOf,
} from "./intent.ts";

/** What to do next about a part, decided from the record. */
export type NextStep =
  /** Stage and send it under a new intent. */
  | { do: "commit" }
  /** It is public. */
  | { do: "mark_published"; published: Published; keys: Keys }
  /** Its response is lost (its process died), or the clock that timed its wait has jumped: the wait starts now. */
  | { do: "start_wait"; intent: IntentRow }
  /** Send the same request again, under the same key. */
  | { do: "replay"; intent: IntentRow }
  /** Ask the network whether it is public. */
  | { do: "look"; intent: IntentRow }
  | { do: "wait"; until: number; blocksLane: boolean; message: string }
  /** Postpone it to `until`, or by the usual pause. */
  | { do: "put_off"; number: number; until: number | null; code: PublishingCode; message: string; isAppLimit?: boolean }
  | { do: "renew" }
  | { do: "stage_again" }
  | { do: "fail"; code: PublishingCode; message: string; mayBeLive: boolean };

export interface StepInput {
  /** `SubjectRun.adviceIfUnknown`. */
  remedy: string;
  /** All intents of the part, by number. */
  intents: readonly IntentRow[];
  /** Intents up to this number belong to earlier attempts. */
  lastIntentBeforeRetry: number;
  rules: CommitRules;
  /** The kind of part, which decides how long the network may take. */
  kind: "text" | "image" | "video";
  /** The obstacle of intents up to this number has been waited for or remedied. */
  waitedFor: number;
  /** The store's time. */
  now: number;
  /** A clock that has jumped since timed the waits that started before this. */
  waitsSince: number;
  /** How long ago this process sent an intent's request, by its monotonic clock. Null: unknown. */
  sentAgoMs(intentId: string): number | null;
  /** A post that is known not to be live is not sent again later than this after its request, milliseconds. */
  maxLatenessMs: number;
}

/** After this many requests that end as absent, the next one fails the part as "certainly not posted". */
const maxRepetitions = 2;

/** Decides the next step of a part from its record. Pure. */
export function nextStep(input: StepInput): NextStep {
  const step = stepByRecord(input);
  return step.do === "fail" && !step.mayBeLive ? beforeFailure(step, input) : step;
}

/**
 * The step before any failure that says "certainly not posted": the record may hold a request whose outcome is unknown.
 */
export function beforeFailure(failure: Failure, { intents, kind, now, remedy }: StepInput): NextStep {
  const live = liveAmong(intents);
  if (live !== undefined) return markPublished(live);
  const early = intents.find(isAbsentAtOnce);
  if (early !== undefined) return lastLook(early, kind, now);
  if (!mayHaveGoneOut(intents)) return failure;
  const message = `${failure.message} An earlier request for it may be live: ${remedy}.`;
  return { do: "fail", code: "timeout", message, mayBeLive: true };
}

export type Failure = Extract<NextStep, { do: "fail" }>;

/**
 * True: it was found absent by fewer than two looks. A part known not to exist before a retry stays so even if the
 * retry's look was refused.
 */
function isAbsentAtOnce({ state, private: { empty_looks, outcome_before_retry } }: IntentRow): boolean {
  return state === "absent" && outcome_before_retry !== "absent" && empty_looks.length < 2;
}

/** True: one of these requests may have been published. */
export function mayHaveGoneOut(intents: readonly IntentRow[]): boolean {
  const doubtful: readonly IntentState[] = inconclusiveStates;
  return intents.some(({ state }) => doubtful.includes(state));
}

/** A keyed request is found absent early and may still be running. The last look comes when it can no longer be. */
function lastLook(early: IntentRow, kind: StepInput["kind"], now: number): NextStep {
  const lookAt = Math.max(firstLookAt(early, settleMs(readBackRules, kind)), early.private.look_at ?? 0);
  if (now >= lookAt) return { do: "look", intent: early };
  return { do: "wait", until: lookAt, blocksLane: false, message: "checking that nothing was published" };
}

function stepByRecord(input: StepInput): NextStep {
  const live = liveAmong(input.intents);
  if (live !== undefined) return markPublished(live);
  const orphan = input.intents.find(({ state }) => state === "open");
  if (orphan !== undefined) return { do: "start_wait", intent: orphan };
  const lost = input.intents.find(({ state }) => state === "unknown");
  if (lost !== undefined) return afterLostAnswer(lost, input);
  const job = input.intents.find(({ state }) => state === "job");
  if (job !== undefined) return afterJob(job, input);
  const last = input.intents.at(-1);
  if (last === undefined) return { do: "commit" };
  if (last.number <= input.lastIntentBeforeRetry) return { do: "commit" };
  if (last.state === "undecided") return undecided(last, input);
  if (last.state === "refused") return afterRefusal(last);
  if (last.state === "absent") return afterAbsent(last, input);
  return afterLater(last, input);
}

/** The intent that the network accepted, or that a look found. */
export function liveAmong(intents: readonly IntentRow[]): IntentRow | undefined {
  return intents.find(({ state }) => state === "accepted" || state === "live");
}

function markPublished(intent: IntentRow): NextStep {
  const published = intent.private.answer?.published;
  if (published === undefined) throw new Error(`Intent ${intent.id} is ${intent.state} without the post it names.`);
  return { do: "mark_published", published, keys: keysOf(intent) };
}

/** Maximum time that a part with a lost response delays other posts of its profile, milliseconds. */
const slotKeptMs = 600_000;

/**
 * True: the profile publishes nothing else, because the outcome of this part is unknown and no look has been taken yet.
 * A keyed part does not block, since no other post can be mistaken for it.
 */
export function blocksLane({ state, private: record }: IntentRow, rules: CommitRules, now: number): boolean {
  if (state === "open") return true;
  if (state !== "unknown" || rules.isKeyed || record.outcome_before_retry !== null) return false;
  const isLookedFor = record.empty_looks.length + record.inconclusive_looks.length > 0;
  return !isLookedFor && now < (record.unknown_since ?? now) + slotKeptMs;
}

function afterLostAnswer(intent: IntentRow, input: StepInput): NextStep {
  const { rules, kind, now } = input;
  const record = intent.private;
  const since = record.unknown_since ?? 0;
  if (isWaitVoid(since, input)) return { do: "start_wait", intent };
  const replayAt = nextReplayAt(intent, input);
  if (replayAt !== null) {
    if (now >= replayAt) return { do: "replay", intent };
    return { do: "wait", until: replayAt, blocksLane: true, message: "the response was lost; asking again" };
  }
  const lookAt = Math.max(firstLookAt(intent, settleMs(rules, kind)), record.look_at ?? 0, nextLookAt(intent, rules));
  if (now >= lookAt) return { do: "look", intent };
  const message = record.refused_at === null ? "waiting to check whether it was published" : (record.message ?? "");
  return { do: "wait", until: lookAt, blocksLane: blocksLane(intent, rules, now), message };
}

/** Time of the first look at a job, milliseconds: most jobs take seconds. */
const firstJobLookMs = 5_000;

/** The network is processing it. Other posts may be sent meanwhile. */
function afterJob(intent: IntentRow, input: StepInput): NextStep {
  const { job, look_at, message } = intent.private;
  const since = job?.since ?? 0;
  if (isWaitVoid(since, input)) return { do: "start_wait", intent };
  const lookAt = Math.max(look_at ?? since + firstJobLookMs, nextLookAt(intent, input.rules));
  if (input.now >= lookAt) return { do: "look", intent };
  return { do: "wait", until: lookAt, blocksLane: false, message: message ?? "the network is still processing it" };
}

/** Null: the network may have forgotten the key by then, or the age of the request is unknown. */
function nextReplayAt({ id, private: record }: IntentRow, { rules, now, sentAgoMs }: StepInput): number | null {
  const { replay_at, opened_at } = record;
  const windowMs = rules.replaySeconds * 1000;
  const agoMs = sentAgoMs(id);
  if (windowMs === 0 || replay_at === null || agoMs === null || agoMs > windowMs) return null;
  return Math.max(now, replay_at) <= opened_at + windowMs ? replay_at : null;
}

/** How long after its hard end the network may still accept a request, milliseconds. */
export function settleMs({ settleSeconds }: CommitRules, kind: StepInput["kind"]): number {
  return wholeMs(settleSeconds[kind] * 1000);
}

function firstLookAt(intent: IntentRow, waitMs: number): number {
  const since = intent.private.unknown_since ?? 0;
  if (waitMs === 0) return since;
  return Math.max(intent.private.hard_end, since) + waitMs;
}

function nextLookAt(intent: IntentRow, { betweenLooksSeconds }: CommitRules): number {
  const { empty_looks, inconclusive_looks } = intent.private;
  const last = Math.max(empty_looks.at(-1) ?? 0, inconclusive_looks.at(-1) ?? 0);
  return last === 0 ? 0 : last + wholeMs(betweenLooksSeconds * 1000);
}

function undecided(intent: IntentRow, { remedy }: StepInput): NextStep {
  const message = `${intent.private.message ?? "The network's response was lost."} The post may be live: ${remedy}.`;
  return { do: "fail", code: "timeout", message, mayBeLive: true };
}

function afterRefusal(last: IntentRow): NextStep {
  const { code = "rejected_by_network" } = last.private.answer ?? {};
  return { do: "fail", code, message: last.private.message ?? "The network rejected it.", mayBeLive: false };
}

function afterAbsent(
  last: IntentRow,
  { intents, lastIntentBeforeRetry, waitedFor, rules, now, maxLatenessMs }: StepInput,
): NextStep {
  const absent = intents.filter((intent) => intent.state === "absent" && intent.number > lastIntentBeforeRetry).length;
  // The supposed request of a restored store has the backup's date. The post's own lateness was checked when it was
  // started.
  if (last.private.is_restored !== true && now - last.private.opened_at > maxLatenessMs) {
    const hours = Math.round((now - last.private.opened_at) / 3_600_000);
    const what = last.private.job === undefined ? "the response was lost" : "the network accepted it";
    const message = `Certainly not posted: ${what} ${hours} h ago, and the network does not have it. Retry it if it should still be published.`;
    return { do: "fail", code: "network_error", message, mayBeLive: false };
  }
  // With a permanent key, repetition is safe and only `maxLatenessMs` ends it.
  if (absent > maxRepetitions && !rules.isKeyed) {
    const message = `Certainly not posted: the response was lost ${absent} times, and each time the network does not have it. Retry later.`;
    return { do: "fail", code: "network_error", message, mayBeLive: false };
  }
  if (last.number <= waitedFor) return { do: "commit" };
  const message = "The response was lost and the network does not have the post; it is sent again";
  return { do: "put_off", number: last.number, until: null, code: "network_error", message };
}

/** Nothing was published: sends it again once the obstacle is gone. */
function afterLater(last: IntentRow, { intents, lastIntentBeforeRetry, waitedFor }: StepInput): NextStep {
  if (last.number <= waitedFor) return { do: "commit" };
  const answer = last.private.answer ?? {};
  const code = answer.code ?? "network_error";
  const message = last.private.message ?? "The network could not be reached.";
  const { remedy } = answer;
  const before = remediesBefore(intents, lastIntentBeforeRetry);
  if (remedy === "stage_again")
    return before.includes(remedy) ? { do: "fail", code, message, mayBeLive: false } : { do: "stage_again" };
  // Rejected right after renewal: some servers do not know the new token yet. After each wait it may be renewed once
  // more.
  const isRenewed = before.filter((each) => each === "refresh").length % 2 === 1;
  if (remedy === "refresh" && !isRenewed) return { do: "renew" };
  // Each request is signed anew. If that did not help, waiting may.
  if (remedy === "sign_again" && !before.includes(remedy)) return { do: "commit" };
  const isAppLimit = answer.scope === "app";
  return {
    do: "put_off",
    number: last.number,
    until: answer.retry_at ?? null,
    code,
    message,
    ...(isAppLimit ? { isAppLimit } : {}),
  };
}

/** Remedies that are applied immediately, without a wait. */
const promptRemedies: ReadonlySet<IntentAnswer["remedy"]> = new Set(["refresh", "stage_again", "sign_again"] as const);

/** The remedies that were applied immediately before the last intent. */
function remediesBefore(intents: readonly IntentRow[], floor: number): IntentAnswer["remedy"][] {
  const remedies: IntentAnswer["remedy"][] = [];
  for (const { number, private: record } of intents.slice(0, -1).reverse()) {
    const remedy = record.answer?.remedy;
    if (number <= floor || !promptRemedies.has(remedy)) break;
    remedies.push(remedy);
  }
  return remedies;
}
