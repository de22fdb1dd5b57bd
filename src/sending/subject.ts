import { hasAppLimits } from "../networks/runtime/app-limits.ts";
import { NetworkRefusal } from "../networks/runtime/session.ts";
import { fromRow } from "../storage/typed.ts";
import { appOf } from "./app-limits.ts";
import { commitPart, replayIntent } from "./commit.ts";
import { confirm } from "./confirm.ts";
import { withFileRoom } from "./file-room.ts";
import { hindranceOf, whileHindered, whyTooLate } from "./hindrance.ts";
import { askLater, waitForIds } from "./identify.ts";
import type { IntentRow } from "./intent.ts";
import { lookForPart, startWait } from "./look.ts";
import {
  beforeFailure,
  blocksLane,
  liveAmong,
  mayHaveGoneOut,
  type NextStep,
  nextStep,
  type StepInput,
} from "./next-step.ts";
import { kindOf, type PartRun } from "./part-run.ts";
import {
  failed,
  isTooLate,
  type Progress,
  progressFromError,
  progressFromStage,
  putOff,
  timeOfDay,
  tooLate,
  type Wait,
} from "./progress.ts";
import { recordPossibleSend, unheardSince } from "./restored.ts";
import { countOf, createStageContext, type SubjectRun } from "./subject-run.ts";

/**
 * Maximum wait during which the profile is kept, milliseconds. Longer waits are stored, and the profile is released.
 */
const longestWaitInPlaceMs = 10_000;
/** Wait while another part keeps the commit slot, milliseconds. */
const slotWaitMs = 15_000;

/**
 * Processes a subject until it settles or has to wait. The stored record says where to continue, so this may run again
 * at any time, in any process.
 *
 * @returns whether no work is left
 */
export async function workSubject(run: SubjectRun): Promise<boolean> {
  const { id } = run;
  const slot = run.slots(run.lane);
  // The slot of a conversation's lane is read from the store, since it can end while others wait.
  const keepsLane = run.lane === "posts";
  try {
    const wait = await workParts(run);
    slot.release(id, { isKept: keepsLane && wait?.blocksLane === true });
    return wait === null;
  } catch (error) {
    if (keepsLane) slot.abandon(id);
    else slot.release(id, { isKept: false });
    throw error;
  }
}

/** Null: no work is left. */
async function workParts(run: SubjectRun): Promise<Pick<Wait, "blocksLane"> | null> {
  for (;;) {
    const index = run.state().live.length;
    if (index === countOf(run)) {
      const dueAt = await askLater(run);
      await run.settle(null, dueAt);
      return dueAt === null ? null : { blocksLane: false };
    }
    const progress = await advance(run, index).catch((error: unknown) => progressFromError(run, error));
    if (progress.kind === "live") {
      const live = [...run.state().live, ...progress.published];
      run.remember({ live, patience: null, faulty_since: null });
    } else if (progress.kind === "fail") {
      await run.settle(progress);
      return null;
    } else if (!(await waitInPlace(run, progress))) {
      await storeWait(run, progress);
      return progress;
    }
  }
}

async function advance(run: SubjectRun, index: number): Promise<Progress> {
  return (await waitForIds(run, index)) ?? workPart(run, index);
}

/** Pause after an unexpected fault, milliseconds. */
const afterFaultMs = 60_000;

/** Handles a fault of this service or the store: it is retried for as long as any other obstacle, then reported. */
export async function afterFault(run: SubjectRun, error: unknown): Promise<void> {
  const now = run.lease.now();
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  run.ports.logger.error(`a ${run.label} could not be processed`, { [run.label]: run.id, error: reason });
  const { live, faulty_since } = run.state();
  const since = faulty_since ?? now;
  const intents = await readIntents(run, live.length);
  // A post that the network has accepted is never abandoned: a retry would publish it again.
  const isLive = live.length === run.count() || liveAmong(intents) !== undefined;
  if (isLive || now - since < run.ports.maxRetryMs) {
    return run.save({ due_at: now + afterFaultMs, state: { faulty_since: since } });
  }
  const mayBeLive = mayHaveGoneOut(intents);
  const message = `An unexpected error occurred repeatedly; see the log.${mayBeLive ? " The post may be live." : ""}`;
  await run.settle({ kind: "fail", code: mayBeLive ? "timeout" : "internal_error", message, mayBeLive });
}

/** The record has changed: `last` is now its last intent. Null: read it again. */
interface Change {
  kind: "recorded";
  last: IntentRow | null;
}

const changed: Change = { kind: "recorded", last: null };

/** Maximum number of steps of a part without a wait. More of them are a cycle, which would block all other work. */
const maxStepsAtOnce = 200;

async function workPart(run: SubjectRun, index: number): Promise<Progress> {
  let intents = await readIntents(run, index);
  for (let steps = 1; ; steps++) {
    if (steps > maxStepsAtOnce) throw new Error(`The records of part ${index} form a cycle.`);
    const part = createPartRun(run, index, intents);
    const number = (intents.at(-1)?.number ?? 0) + 1;
    let end = await takeStep(run, part, nextStep(stepInput(run, part, intents)), number).catch((error: unknown) =>
      keepSlotOfRecord(progressFromError(run, error), { intents, rules: part.publisher.rules, now: run.lease.now() }),
    );
    if (end.kind === "fail" && !end.mayBeLive) {
      // "Certainly not posted" must not rely on the record from before the step.
      intents = await readIntents(run, index);
      const known = createPartRun(run, index, intents);
      const step = beforeFailure({ do: "fail", ...end }, stepInput(run, known, intents));
      end = await takeStep(run, known, step, number).catch((error: unknown) => progressFromError(run, error));
    }
    if (end.kind !== "recorded") return end;
    intents = end.last === null ? await readIntents(run, index) : [...intents, end.last];
  }
}

/** While a response is missing, another failure leaves the slot as the record says. */
function keepSlotOfRecord(
  progress: Progress,
  { intents, rules, now }: Pick<StepInput, "intents" | "rules" | "now">,
): Progress {
  if (progress.kind !== "wait") return progress;
  return { ...progress, blocksLane: intents.some((intent) => blocksLane(intent, rules, now)) };
}

function stepInput(run: SubjectRun, part: PartRun, intents: readonly IntentRow[]): StepInput {
  const { patience } = run.state();
  return {
    intents,
    lastIntentBeforeRetry: part.lastIntentBeforeRetry,
    rules: part.publisher.rules,
    kind: kindOf(part.publisher),
    waitedFor: patience?.number ?? 0,
    now: run.lease.now(),
    waitsSince: run.waitsSince,
    remedy: run.adviceIfUnknown,
    sentAgoMs: run.ports.sentHere.agoMs,
    maxLatenessMs: run.ports.maxLatenessMs,
  };
}

async function takeStep(run: SubjectRun, part: PartRun, step: NextStep, number: number): Promise<Progress | Change> {
  if (step.do !== "mark_published" && step.do !== "fail" && run.credentials.profile().status === "disconnected")
    return disconnected(step);
  switch (step.do) {
    case "mark_published":
      return confirm(run, part, step);
    case "start_wait":
      await startWait(part, step.intent);
      return changed;
    case "replay":
      await withFileRoom(part, (roomy) => replayIntent(roomy, step.intent));
      return changed;
    case "look":
      // A post that another subject is just publishing could be mistaken for this part.
      await run.slots(run.lane).whileFree(run.id, () => lookForPart(part, step.intent));
      return changed;
    case "wait": {
      const message = `${step.message}; next check ${timeOfDay(step.until)}`;
      return { kind: "wait", until: step.until, blocksLane: step.blocksLane, code: "timeout", message };
    }
    case "put_off":
      if (step.until !== null && !step.isAppLimit) await run.credentials.save({ limited_until: step.until });
      return putOff(run, step);
    case "fail":
      return { kind: "fail", code: step.code, message: step.message, mayBeLive: step.mayBeLive };
    case "renew":
      await run.credentials.renew();
      rememberRemedy(run, number - 1);
      return commit(run, part, number);
    case "stage_again":
      forgetStaged(run, part.index);
      rememberRemedy(run, number - 1);
      return commit(run, part, number);
    case "commit":
      return commit(run, part, number);
  }
}

/** A remedy is applied once, however often the next step has to wait. */
function rememberRemedy(run: SubjectRun, number: number): void {
  const { since, waits } = run.state().patience ?? { since: run.lease.now(), waits: 0 };
  run.remember({ patience: { since, waits, number, alike: null } });
}

async function commit(run: SubjectRun, part: PartRun, number: number): Promise<Progress | Change> {
  if (!run.isOpen()) return failed(run.error()?.code ?? "timeout", "The rest was not published.");
  if (isTooLate(run)) return failed("network_error", await whyTooLate(run, part));
  const unheard = unheardSince(run.state(), part.unresolvedIntents);
  if (unheard !== null) return { kind: "recorded", last: await recordPossibleSend(part, number, unheard) };
  const profile = run.credentials.profile();
  if (profile.status === "needs_attention") {
    return failed("reauthentication_required", profile.status_reason ?? "Reconnect the profile.");
  }
  const limited = await putOffByLimit(run);
  if (limited !== null) return limited;
  if (await run.prepare()) return changed;
  const obstacle = await stageParts(run, part.index);
  if (obstacle !== null) return obstacle;
  if (!(await run.slots(run.lane).acquire(run.id))) {
    const message = "waiting for the outcome of an earlier post of this profile";
    return { kind: "wait", until: run.lease.now() + slotWaitMs, blocksLane: false, code: "network_error", message };
  }
  const hindrance = await hindranceOf(run, part);
  if (hindrance !== null) return whileHindered(run, hindrance);
  // The subject that held the slot before may have reached the limit.
  const limitedSince = await putOffByLimit(run);
  if (limitedSince !== null) return limitedSince;
  // Staging may have taken a while, so the time limit is checked again.
  const last = await withFileRoom(part, (roomy) => commitPart(roomy, { number, until: run.sendUntil }));
  return last === "too_late" ? failed("network_error", tooLate) : { kind: "recorded", last };
}

/** Stages the part and those that may be sent with it. Null: all are staged. */
async function stageParts(run: SubjectRun, from: number): Promise<Progress | null> {
  const end = run.publisherOf(from).partsPerRequest === undefined ? from + 1 : countOf(run);
  for (let index = from; index < end; index += 1) {
    const act = run.publisherOf(index);
    const stagePart = () => withFileRoom(run, async (roomy) => act.stage?.(createStageContext(roomy, index)));
    try {
      await stagePart().catch((error: unknown) => {
        if (!wantsStageAgain(error)) throw error;
        forgetStaged(run, index);
        return stagePart();
      });
    } catch (error) {
      return progressFromStage(run, act, error);
    }
  }
  return null;
}

/** True: the staged values are no longer valid at the network. */
function wantsStageAgain(error: unknown): boolean {
  return error instanceof NetworkRefusal && error.refusal.effect === "later" && error.refusal.remedy === "stage_again";
}

/** Forgets the staged values of this part and those that may be sent with it. */
function forgetStaged(run: SubjectRun, from: number): void {
  const { kept } = run.state();
  run.remember({ kept: Object.fromEntries(Object.entries(kept).filter(([index]) => Number(index) < from)) });
}

/** Null: no rate limit applies now. */
async function putOffByLimit(run: SubjectRun): Promise<Progress | null> {
  const ofProfile = run.credentials.profile().private.limited_until ?? 0;
  const ofApp = hasAppLimits(run.adapter.errors) ? await run.ports.session.appLimits.until(appOf(run)) : 0;
  const until = Math.max(ofProfile, ofApp);
  if (until <= run.lease.now()) return null;
  return putOff(run, { code: "network_error", message: "waiting for the end of the network's rate limit", until });
}

function disconnected(step: NextStep): Progress {
  const wasSent = step.do === "start_wait" || step.do === "replay" || step.do === "look" || step.do === "wait";
  if (!wasSent) return failed("profile_unavailable", "The profile was disconnected before this was published.");
  const message =
    "The profile was disconnected while a response was missing. The post may be live: check the account first.";
  return { kind: "fail", code: "timeout", message, mayBeLive: true };
}

async function waitInPlace(run: SubjectRun, { until, givesBack }: Pick<Wait, "until" | "givesBack">): Promise<boolean> {
  const ms = until - run.lease.now();
  if (givesBack === true || ms > longestWaitInPlaceMs) return false;
  await run.lease.ensure(ms);
  await run.ports.clock.sleep(ms);
  return true;
}

async function storeWait(run: SubjectRun, progress: Wait): Promise<void> {
  const { code, message, until } = progress;
  const error = run.isOpen() ? { code, message } : run.error();
  await run.save({ due_at: until, error, state: { faulty_since: null } });
}

async function readIntents(run: SubjectRun, part: number): Promise<IntentRow[]> {
  const found = await run.ports.storage.find("intents", {
    where: { subject_id: run.id, part },
    order: { column: "number", direction: "asc" },
  });
  return found.rows.map((row) => fromRow<IntentRow>(row));
}

function createPartRun(run: SubjectRun, index: number, intents: readonly IntentRow[]): PartRun {
  const { ports, lease, adapter, credentials, textsInFlight } = run;
  return {
    ports,
    lease,
    adapter,
    credentials,
    publisher: run.publisherOf(index),
    subjectId: run.id,
    guard: run.guard,
    index,
    unresolvedIntents: intents.filter(
      (intent) => intent.private.unknown_since !== null || intent.private.job !== undefined,
    ),
    lastIntentBeforeRetry: run.state().last_intents_before_retry[index] ?? 0,
    isPrompt: run.sendUntil !== null,
    textsInFlight,
  };
}
