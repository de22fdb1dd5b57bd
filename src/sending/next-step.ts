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

/** What to do about a part, from what is on record. */
export type NextStep =
  /** Stage and send, under a new intent. */
  | { do: "commit" }
  /** It is public. */
  | { do: "mark_published"; published: Published; keys: Keys }
  /** Its answer is lost (its process died), or the clock its wait was counted by has jumped: the wait starts now. */
  | { do: "start_wait"; intent: IntentRow }
  /** The same request again, under the same key. */
  | { do: "replay"; intent: IntentRow }
  /** Ask the network. */
  | { do: "look"; intent: IntentRow }
  | { do: "wait"; until: number; blocksLane: boolean; message: string }
  /** Not now: at `until`, or after a while. */
  | { do: "put_off"; number: number; until: number | null; code: PublishingCode; message: string; isAppLimit?: boolean }
  | { do: "renew" }
  | { do: "stage_again" }
  | { do: "fail"; code: PublishingCode; message: string; mayBeLive: boolean };

export interface StepInput {
  /** `SubjectRun.remedy`. */
  remedy: string;
  /** All intents of the part, by number. */
  intents: readonly IntentRow[];
  /** Intents up to this number belong to earlier attempts. */
  lastIntentBeforeRetry: number;
  rules: CommitRules;
  /** The kind of part, which decides how long the network may take. */
  kind: "text" | "image" | "video";
  /** What stood in the way of intents up to this number has been waited for, or remedied. */
  waitedFor: number;
  /** The store's time. */
  now: number;
  /** Waits that started before this were counted by a clock that has jumped since. */
  waitsSince: number;
  /** How long ago this process sent an intent's request, whatever the store's clock says; null: not known. */
  sentAgoMs(intentId: string): number | null;
  /** A post that is certainly not live is not sent again later than this after its request, milliseconds. */
  maxLatenessMs: number;
}

/** Looks that end in *absent* lead to a new request this often; after that the part has certainly not been posted. */
const maxRepetitions = 2;

/**
 * Reads the record of a part and says what comes next. Pure: everything that
 * decides is in its input.
 */
export function nextStep(input: StepInput): NextStep {
  const step = stepByRecord(input);
  return step.do === "fail" && !step.mayBeLive ? beforeFailure(step, input) : step;
}

/**
 * What comes before a failure that says "certainly not posted", whatever it is
 * that failed: the record may hold a request that is not accounted for.
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

/** A part that was known not to exist before a retry looked again is still known not to exist, even if that look was refused. */
function isAbsentAtOnce({ state, private: { empty_looks, outcome_before_retry } }: IntentRow): boolean {
  return state === "absent" && outcome_before_retry !== "absent" && empty_looks.length < 2;
}

/** One of these requests may have gone out, as far as anybody knows. */
export function mayHaveGoneOut(intents: readonly IntentRow[]): boolean {
  const doubtful: readonly IntentState[] = inconclusiveStates;
  return intents.some(({ state }) => doubtful.includes(state));
}

/**
 * A request that was found absent at once, because a key protects it, may
 * still be under way: the last look comes when nothing can be any more.
 */
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

/** What the network has said yes to, or was seen there. */
export function liveAmong(intents: readonly IntentRow[]): IntentRow | undefined {
  return intents.find(({ state }) => state === "accepted" || state === "live");
}

function markPublished(intent: IntentRow): NextStep {
  const published = intent.private.answer?.published;
  if (published === undefined) throw new Error(`Intent ${intent.id} is ${intent.state} without the post it names.`);
  return { do: "mark_published", published, keys: keysOf(intent) };
}

/** A part whose answer is lost keeps other posts of its profile waiting for at most this long, milliseconds. */
const slotKeptMs = 600_000;

/**
 * While it is not known what became of a part, its profile publishes nothing
 * else: until a first look has been taken. Where a handle decides, others
 * cannot be mistaken for it.
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

/** Most jobs take seconds, milliseconds. */
const firstJobLookMs = 5_000;

/** The network has it and is at work: others may go out meanwhile. */
function afterJob(intent: IntentRow, input: StepInput): NextStep {
  const { job, look_at, message } = intent.private;
  const since = job?.since ?? 0;
  if (isWaitVoid(since, input)) return { do: "start_wait", intent };
  const lookAt = Math.max(look_at ?? since + firstJobLookMs, nextLookAt(intent, input.rules));
  if (input.now >= lookAt) return { do: "look", intent };
  return { do: "wait", until: lookAt, blocksLane: false, message: message ?? "the network is still processing it" };
}

/** Null: the network may have forgotten the key by then, or nobody here knows how old the request is. */
function nextReplayAt({ id, private: record }: IntentRow, { rules, now, sentAgoMs }: StepInput): number | null {
  const { replay_at, opened_at } = record;
  const windowMs = rules.replaySeconds * 1000;
  const agoMs = sentAgoMs(id);
  if (windowMs === 0 || replay_at === null || agoMs === null || agoMs > windowMs) return null;
  return Math.max(now, replay_at) <= opened_at + windowMs ? replay_at : null;
}

/** How long after its hard end a request may still be taken, milliseconds. */
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
  return { do: "fail", code, message: last.private.message ?? "The network refused it.", mayBeLive: false };
}

function afterAbsent(
  last: IntentRow,
  { intents, lastIntentBeforeRetry, waitedFor, rules, now, maxLatenessMs }: StepInput,
): NextStep {
  const absent = intents.filter((intent) => intent.state === "absent" && intent.number > lastIntentBeforeRetry).length;
  // What a restored store supposes dates from its backup; how late the post itself is was looked at when it was started.
  if (last.private.is_restored !== true && now - last.private.opened_at > maxLatenessMs) {
    const hours = Math.round((now - last.private.opened_at) / 3_600_000);
    const what = last.private.job === undefined ? "the response was lost" : "the network accepted it";
    const message = `Certainly not posted: ${what} ${hours} h ago, and the network does not have it. Retry it if it should still be published.`;
    return { do: "fail", code: "network_error", message, mayBeLive: false };
  }
  // Under a key that stays for ever, repeating is safe: patience alone ends it.
  if (absent > maxRepetitions && !rules.isKeyed) {
    const message = `Certainly not posted: the response was lost ${absent} times, and each time the network does not have it. Retry later.`;
    return { do: "fail", code: "network_error", message, mayBeLive: false };
  }
  if (last.number <= waitedFor) return { do: "commit" };
  const message = "The response was lost and the network does not have the post; it is sent again";
  return { do: "put_off", number: last.number, until: null, code: "network_error", message };
}

/** Nothing was done, for certain: again, once what stood in the way is gone. */
function afterLater(last: IntentRow, { intents, lastIntentBeforeRetry, waitedFor }: StepInput): NextStep {
  if (last.number <= waitedFor) return { do: "commit" };
  const answer = last.private.answer ?? {};
  const code = answer.code ?? "network_error";
  const message = last.private.message ?? "The network could not be reached.";
  const { remedy } = answer;
  const before = remediesBefore(intents, lastIntentBeforeRetry);
  if (remedy === "stage_again")
    return before.includes(remedy) ? { do: "fail", code, message, mayBeLive: false } : { do: "stage_again" };
  // Refused right after it was renewed: some servers have not heard of the new token yet. After each wait it may be renewed once more.
  const isRenewed = before.filter((each) => each === "refresh").length % 2 === 1;
  if (remedy === "refresh" && !isRenewed) return { do: "renew" };
  // Each request is signed anew; when that was in vain, waiting may help.
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

/** What is tried at once, without a wait. */
const promptRemedies: ReadonlySet<IntentAnswer["remedy"]> = new Set(["refresh", "stage_again", "sign_again"] as const);

/** What was tried at once right before the last intent. */
function remediesBefore(intents: readonly IntentRow[], floor: number): IntentAnswer["remedy"][] {
  const remedies: IntentAnswer["remedy"][] = [];
  for (const { number, private: record } of intents.slice(0, -1).reverse()) {
    const remedy = record.answer?.remedy;
    if (number <= floor || !promptRemedies.has(remedy)) break;
    remedies.push(remedy);
  }
  return remedies;
}
