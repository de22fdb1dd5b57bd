import type { CommitInput } from "../networks/contract/commit.ts";
import { markNeedsAttention } from "../profiles/credentials.ts";
import { fromRow } from "../storage/typed.ts";
import { commitPart, replayIntent, supposeSent } from "./commit.ts";
import { confirm } from "./confirm.ts";
import type { IntentRow } from "./intent.ts";
import { lookForPart, startWait } from "./look.ts";
import { doubt, keepsSlot, type NextStep, nextStep, type StepInput } from "./next-step.ts";
import { kindOf, type PartRun, publisherOf } from "./part-run.ts";
import { failed, type Progress, progressFromError, progressFromStage, putOff, timeOfDay } from "./progress.ts";
import { settleTarget } from "./settle.ts";
import { isOpen } from "./status.ts";
import { createStageContext, partsOf, stagedValues, type TargetRun } from "./target-run.ts";

/** Waits that are shorter are sat out; longer ones are stored and the profile given back, milliseconds. */
const longestWaitInPlaceMs = 10_000;
/** While another part keeps the commit slot, milliseconds. */
const slotWaitMs = 15_000;

/** How far a target came: it ended, waits, or waits at a part before which nothing else may go out. */
export type TargetEnd = "settled" | "waiting" | "keeps_slot";

/**
 * Brings a target as far as it goes: until it has settled, or has to wait. The
 * record in the store says where to go on, so this may run again at any time,
 * in any process.
 */
export async function workTarget(run: TargetRun): Promise<TargetEnd> {
  const { id } = run.target();
  try {
    const end = await workParts(run);
    run.slot.release(id, { isKept: end === "keeps_slot" });
    return end;
  } catch (error) {
    run.slot.abandon(id);
    throw error;
  }
}

async function workParts(run: TargetRun): Promise<TargetEnd> {
  for (;;) {
    const index = run.target().private.live.length;
    if (index === partsOf(run).length) {
      await settle(run, null);
      return "settled";
    }
    const progress = await workPart(run, index).catch((error: unknown) => progressFromError(run, error));
    if (progress.kind === "live") {
      const live = [...run.target().private.live, ...progress.published];
      run.remember({ live, patience: null, faulty_since: null });
    } else if (progress.kind === "fail") {
      await settle(run, progress);
      return "settled";
    } else if (!(await waitInPlace(run, progress))) {
      await storeWait(run, progress);
      return progress.keepsSlot ? "keeps_slot" : "waiting";
    }
  }
}

/** After something unforeseen went wrong, milliseconds. */
const afterFaultMs = 60_000;

/**
 * A fault of ours or of the store: tried again for as long as any other
 * obstacle, then reported instead of repeated for ever.
 */
export async function afterFault(run: TargetRun, error: unknown): Promise<void> {
  const now = run.lease.now();
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  run.ports.logger.error("a target could not be worked on", { target: run.target().id, error: words });
  const { live, parts, faulty_since } = run.target().private;
  const since = faulty_since ?? now;
  const intents = await readIntents(run, live.length);
  // What the network has said yes to is never given up: a retry would publish it again.
  const isLive = live.length === parts?.length || intents.some(({ state }) => state === "accepted" || state === "live");
  if (isLive || now - since < run.ports.maxRetryMs) {
    return run.save({ due_at: now + afterFaultMs, state: { faulty_since: since } });
  }
  const mayBeLive = intents.some(({ state }) => state === "open" || state === "unknown");
  const message = `Something unforeseen went wrong here, again and again; see the log.${mayBeLive ? " The post may be live." : ""}`;
  await settle(run, { kind: "fail", code: mayBeLive ? "timeout" : "internal_error", message, mayBeLive });
}

/** The record has changed: by an intent that is now its last; null: read it again. */
interface Change {
  kind: "recorded";
  last: IntentRow | null;
}

const changed: Change = { kind: "recorded", last: null };

async function workPart(run: TargetRun, index: number): Promise<Progress> {
  let intents = await readIntents(run, index);
  for (;;) {
    const part = createPartRun(run, index, intents);
    const input = stepInput(run, part, intents);
    const number = (intents.at(-1)?.number ?? 0) + 1;
    let end = await takeStep(run, part, nextStep(input), number).catch((error: unknown) =>
      heedRecord(progressFromError(run, error), { intents, rules: part.rules, now: run.lease.now() }),
    );
    if (end.kind === "fail" && !end.mayBeLive) {
      const step = doubt({ do: "fail", ...end }, { ...input, now: run.lease.now() });
      end = await takeStep(run, part, step, number).catch((error: unknown) => progressFromError(run, error));
    }
    if (end.kind !== "recorded") return end;
    intents = end.last === null ? await readIntents(run, index) : [...intents, end.last];
  }
}

/** While an answer is missing, whatever else goes wrong leaves the part as it was. */
function heedRecord(
  progress: Progress,
  { intents, rules, now }: Pick<StepInput, "intents" | "rules" | "now">,
): Progress {
  if (progress.kind !== "wait") return progress;
  return { ...progress, keepsSlot: intents.some((intent) => keepsSlot(intent, rules, now)) };
}

function stepInput(run: TargetRun, part: PartRun, intents: readonly IntentRow[]): StepInput {
  const { patience } = run.target().private;
  return {
    intents,
    floor: part.floor,
    rules: part.rules,
    kind: kindOf(part.part),
    waitedFor: patience?.number ?? 0,
    now: run.lease.now(),
    waitsSince: run.waitsSince,
    sentAgoMs: run.ports.sentHere.agoMs,
    maxLatenessMs: run.ports.maxLatenessMs,
  };
}

async function takeStep(run: TargetRun, part: PartRun, step: NextStep, number: number): Promise<Progress | Change> {
  if (step.do !== "adopt" && step.do !== "fail" && run.credentials.profile().status === "disconnected")
    return disconnected(step);
  switch (step.do) {
    case "adopt":
      return confirm(run, part, step);
    case "start_wait":
      await startWait(part, step.intent);
      return changed;
    case "replay":
      await replayIntent(part, step.intent);
      return changed;
    case "look":
      // What another one is just posting could be taken for this part.
      await run.slot.whileFree(run.target().id, () => lookForPart(part, step.intent));
      return changed;
    case "wait": {
      const message = `${step.message}; next look ${timeOfDay(step.until)}`;
      return { kind: "wait", until: step.until, keepsSlot: step.keepsSlot, code: "timeout", message };
    }
    case "put_off":
      if (step.until !== null) await run.credentials.save({ limited_until: step.until });
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

/** A remedy is taken once, however often what comes after it has to wait. */
function rememberRemedy(run: TargetRun, number: number): void {
  const { since, waits } = run.target().private.patience ?? { since: run.lease.now(), waits: 0 };
  run.remember({ patience: { since, waits, number, alike: null } });
}

async function commit(run: TargetRun, part: PartRun, number: number): Promise<Progress | Change> {
  const { error, status } = run.target();
  if (!isOpen(status)) return failed(error?.code ?? "timeout", "The rest was not published.");
  if (isUnheard(run, part)) return { kind: "recorded", last: await supposeSent(part, number, restoredFrom(run)) };
  const profile = run.credentials.profile();
  if (profile.status === "needs_attention") {
    return failed("reauthentication_required", profile.status_reason ?? "Connect the profile again.");
  }
  const limited = putOffByLimit(run);
  if (limited !== null) return limited;
  const obstacle = await stageParts(run, part.index);
  if (obstacle !== null) return obstacle;
  if (!(await run.slot.acquire(run.target().id))) {
    const message = "waiting until an earlier post of this profile is decided";
    return { kind: "wait", until: run.lease.now() + slotWaitMs, keepsSlot: false, code: "network_error", message };
  }
  // The one before in the slot may have been told of it.
  const limitedSince = putOffByLimit(run);
  if (limitedSince !== null) return limitedSince;
  return { kind: "recorded", last: await commitPart(part, number) };
}

/** Stages whatever may go out with the part. Null: it is all there. */
async function stageParts(run: TargetRun, from: number): Promise<Progress | null> {
  const { stage, together } = publisherOf(run.adapter);
  if (stage === undefined) return null;
  for (const [index, part] of partsOf(run).entries()) {
    if (index < from || (index > from && together === undefined)) continue;
    try {
      await stage(createStageContext(run, index), part);
    } catch (error) {
      return progressFromStage(run, part, error);
    }
  }
  return null;
}

/** Of this part and of those that may go out with it. */
function forgetStaged(run: TargetRun, from: number): void {
  const { kept } = run.target().private;
  run.remember({ kept: Object.fromEntries(Object.entries(kept).filter(([index]) => Number(index) < from)) });
}

function restoredFrom(run: TargetRun): number {
  return run.target().private.restored_from ?? 0;
}

/** The store is a backup's, and nobody has looked yet whether the part went out after it was made. */
function isUnheard(run: TargetRun, part: PartRun): boolean {
  return restoredFrom(run) > 0 && !part.lost.some(({ private: { is_restored } }) => is_restored === true);
}

/** Null: the network does not ask to wait. */
function putOffByLimit(run: TargetRun): Progress | null {
  const until = run.credentials.profile().private.limited_until ?? 0;
  if (until <= run.lease.now()) return null;
  return putOff(run, { code: "network_error", message: "waiting for the end of the network's rate limit", until });
}

function disconnected(step: NextStep): Progress {
  const wasSent = step.do === "start_wait" || step.do === "replay" || step.do === "look" || step.do === "wait";
  if (!wasSent) return failed("profile_unavailable", "The profile was disconnected before this was published.");
  const message = "The profile was disconnected while an answer was missing. The post may be live: look there first.";
  return { kind: "fail", code: "timeout", message, mayBeLive: true };
}

/** What a network says of the account itself, not of the post; only a connected profile breaks. */
const brokenProfile: ReadonlySet<string> = new Set(["reauthentication_required", "profile_unavailable"]);

async function settle(run: TargetRun, failure: Extract<Progress, { kind: "fail" }> | null): Promise<void> {
  const target = run.target();
  const { live } = target.private;
  const isNews = isOpen(target.status) || live.length > target.post_ids.length || failure === null;
  if (target.status === "published" || !isNews) return run.save({ due_at: null });
  if (failure !== null && brokenProfile.has(failure.code)) {
    await markNeedsAttention(run.credentials.profile(), failure.message, { hold: run.lease, ports: run.ports });
  }
  await settleTarget(
    run.ports,
    target,
    {
      status: failure === null ? "published" : "failed",
      live,
      error: failure === null ? null : { code: failure.code, message: failure.message },
      mayBeLive: failure?.mayBeLive ?? false,
    },
    { guard: run.lease.check(), now: await run.lease.settledNow() },
  );
}

async function waitInPlace(run: TargetRun, { until }: { until: number }): Promise<boolean> {
  const ms = until - run.lease.now();
  if (ms > longestWaitInPlaceMs) return false;
  await run.lease.ensure(ms);
  await run.ports.clock.sleep(ms);
  return true;
}

async function storeWait(run: TargetRun, progress: Extract<Progress, { kind: "wait" }>): Promise<void> {
  const { code, message, until } = progress;
  const error = isOpen(run.target().status) ? { code, message } : run.target().error;
  await run.save({ due_at: until, error, state: { faulty_since: null } });
}

async function readIntents(run: TargetRun, part: number): Promise<IntentRow[]> {
  const found = await run.ports.storage.find("intents", {
    where: { subject_id: run.target().id, part },
    order: { column: "number", direction: "asc" },
  });
  return found.rows.map((row) => fromRow<IntentRow>(row));
}

function createPartRun(run: TargetRun, index: number, intents: readonly IntentRow[]): PartRun {
  const { ports, lease, adapter, credentials } = run;
  const parts = partsOf(run);
  const part = parts[index];
  if (part === undefined) throw new Error(`Target ${run.target().id} has no part ${index}.`);
  const { id, created_at } = run.target();
  const startedAt = run.target().private.started_at ?? created_at;
  return {
    ports,
    lease,
    adapter,
    credentials,
    rules: publisherOf(adapter).rules(credentials.context.profile),
    part,
    index,
    left: parts.length - index,
    says: () => publisherOf(adapter).says(part, index),
    subject: { id, createdAt: Date.parse(run.target().private.keyed_at ?? startedAt) },
    lost: intents.filter((intent) => intent.private.unknown_since !== null),
    floor: run.target().private.floors[index] ?? 0,
    inputFor(keys, staged): CommitInput {
      const { live } = run.target().private;
      const [input, ...following] = parts.slice(index, index + keys.length).map((each, offset) => ({
        profile: credentials.context.profile,
        secret: credentials.secret(),
        part: each,
        index: index + offset,
        staged: staged === undefined ? stagedValues(run, index + offset) : (staged[offset] ?? {}),
        key: keys[offset] ?? "",
        created_at: startedAt,
      }));
      if (input === undefined) throw new Error(`Target ${run.target().id} has no part ${index}.`);
      const before = { first: live[0] ?? null, previous: live[index - 1] ?? null };
      return { ...input, ...before, ...(following.length === 0 ? {} : { following }) };
    },
  };
}
