import type { Acceptance } from "../networks/contract/acceptance.ts";
import type { NetworkResponse } from "../networks/contract/request.ts";
import { postsCounter, postsQuota } from "../networks/runtime/budgets.ts";
import { isSuccess, type Refusal, readRefusal } from "../networks/runtime/error-map.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { writeWithRetries } from "../storage/write-with-retries.ts";
import { appOf } from "./app-limits.ts";
import type { BoundRequest } from "./bound-publisher.ts";
import { type IntentRecord, type IntentRow, type IntentState, intentChange, keysOf } from "./intent.ts";
import { type PartRun, publicationsOf } from "./part-run.ts";

/** Records a complete response: accepted, refused, later, or unreadable. */
export async function recordResponse(
  run: PartRun,
  intent: IntentRow,
  { response, operation }: { response: NetworkResponse; operation?: string | undefined },
): Promise<Recorded> {
  const { adapter, lease } = run;
  const attempt = run.publisher.requestFor(keysOf(intent));
  if (isSuccess(response, adapter.errors)) return recordAcceptance(run, intent, attempt.accepted(response));
  const refusal = readRefusal(response, adapter.errors, { now: lease.now(), operation });
  const recorded = await recordRefused(run, intent, { response, refusal, attempt });
  await run.ports.session.appLimits.note(appOf(run), refusal);
  return recorded;
}

async function recordRefused(
  run: PartRun,
  intent: IntentRow,
  { response, refusal, attempt }: { response: NetworkResponse; refusal: Refusal; attempt: BoundRequest },
): Promise<Recorded> {
  if (run.unresolvedIntents.length === 0 && intent.private.unknown_since === null)
    return recordRefusal(run, intent, refusal);
  const named = refusal.effect === "duplicate" ? attempt.duplicateOf(response.body) : null;
  if (named !== null && !(await isOwned(run, named.id)))
    return record(run, intent, { state: "accepted", message: null, answer: { published: named } });
  const says = evidenceIn(run, refusal);
  if (says === null) return recordRefusal(run, intent, refusal);
  return record(run, intent, { state: "unknown", message: refusal.message, more: { is_duplicate: says === "there" } });
}

async function recordAcceptance(run: PartRun, intent: IntentRow, acceptance: Acceptance | null): Promise<Recorded> {
  if (acceptance === null) {
    const message = "The network accepted it, but its response could not be read.";
    return record(run, intent, { state: "unknown", message });
  }
  if ("refused" in acceptance)
    return recordRefusal(run, intent, { effect: "none", ...acceptance.refused, networkMessage: "", status: null });
  if ("job" in acceptance) {
    const job = { handle: acceptance.job, since: run.lease.now() };
    return countedForApp(run, await record(run, intent, { state: "job", message: null, more: { job } }));
  }
  const answer = { published: acceptance.live };
  return countedForApp(run, await record(run, intent, { state: "accepted", message: null, answer }));
}

/**
 * Counts a post against the app's daily quota at the network. A crash may lose one, so the displayed count may be off.
 */
async function countedForApp(run: PartRun, recorded: Recorded): Promise<Recorded> {
  const quota = postsQuota(run.adapter.spec);
  if (quota === null || run.index > 0) return recorded;
  const now = run.lease.now();
  await run.ports.storage.increment({ ...postsCounter(appOf(run), quota, now), by: 1, now });
  return recorded;
}

/** After a lost response, some refusals are evidence that the part may be there. Null: this one is not. */
function evidenceIn({ publisher: { rules } }: PartRun, refusal: Refusal): "there" | "perhaps" | null {
  if (refusal.effect === "duplicate") return "there";
  // With a permanent key, staging may be repeated.
  if (refusal.effect !== "later" || rules.isKeyed) return null;
  if (refusal.remedy === "stage_again") return "there";
  return refusal.remedy === "not_ready" ? "perhaps" : null;
}

async function isOwned(run: PartRun, networkPostId: string): Promise<boolean> {
  const found = await run.ports.storage.find("publications", {
    where: {
      network: run.adapter.spec.network,
      external_account_id: run.credentials.profile().external_id,
      network_post_id: networkPostId,
    },
    limit: 1,
    isCounted: false,
  });
  return found.rows.some((row) => row.subject_id !== run.subjectId);
}

async function recordRefusal(run: PartRun, intent: IntentRow, refusal: Refusal): Promise<Recorded> {
  const { message, code } = refusal;
  if (intent.private.unknown_since !== null) {
    // The response to a repetition says nothing about the request whose response was lost.
    return record(run, intent, { state: "unknown", message, more: { replay_at: nextReplay(run, refusal) } });
  }
  if (refusal.effect === "unknown") return record(run, intent, { state: "unknown", message });
  if (refusal.effect === "later") {
    const { remedy, retryAt, scope } = refusal;
    const answer = { code, remedy, retry_at: retryAt, ...(scope === "app" ? { scope } : {}) };
    return record(run, intent, { state: "later", message, answer });
  }
  return record(run, intent, { state: "refused", message, answer: { code } });
}

/** When to repeat the request after a refusal. Null: never, unless it only came too soon. */
function nextReplay({ lease }: PartRun, refusal: Refusal): number | null {
  const soonest = lease.now() + betweenReplaysMs;
  if (refusal.effect === "unknown") return soonest;
  if (refusal.effect !== "later" || refusal.remedy === "refresh") return null;
  return Math.max(soonest, refusal.retryAt ?? 0);
}

/** The intent as recorded. Null: its row has another state, which stands. */
export type Recorded = IntentRow | null;

interface RecordedAnswer {
  state: IntentState;
  message: string | null;
  answer?: IntentRow["private"]["answer"];
  more?: Partial<IntentRecord>;
}

/** Time between two repetitions of a request, milliseconds. */
const betweenReplaysMs = 5_000;

/** States that prove the request arrived. They change the record however late they come. */
const arrived: ReadonlySet<IntentState> = new Set<IntentState>(["accepted", "job"]);
/** States that these responses may still change. */
const changeable = ["open", "unknown", "undecided"] as const satisfies readonly IntentState[];

/**
 * Writes a response to the intent's row, whichever process now holds the profile, and retries while the store is
 * unreachable: the response is the only proof of what happened.
 */
export async function record(run: PartRun, intent: IntentRow, answer: RecordedAnswer): Promise<Recorded> {
  const now = run.lease.now();
  const { unknown_since: wasUnknown, replay_at } = intent.private;
  const isReplay = wasUnknown !== null;
  const after: IntentRecord = {
    ...intent.private,
    message: answer.message,
    answer: answer.answer ?? null,
    unknown_since: answer.state === "unknown" ? (wasUnknown ?? now) : wasUnknown,
    replay_at: isReplay && replay_at !== null ? now + betweenReplaysMs : replay_at,
    ...answer.more,
  };
  const change = intentChange(answer.state, after, now);
  const operations: Operation[] = [
    {
      kind: "update",
      collection: "intents",
      id: intent.id,
      change: toChange(change),
      where: arrived.has(answer.state) ? { state: { in: changeable } } : { state: intent.state },
    },
  ];
  if (answer.answer?.published !== undefined) operations.push(...publicationsOf(run, answer.answer.published));
  const isOnRecord = await run.lease.endRequest(intent.id, (shortening) =>
    isWritten(run, [...operations, ...shortening]),
  );
  return isOnRecord ? { ...intent, ...change } : null;
}

/** Returns false if the row already has another state, from another look or a later holder. That one stands. */
async function isWritten(run: PartRun, operations: readonly Operation[]): Promise<boolean> {
  let left = operations;
  for (;;) {
    try {
      await writeWithRetries(run.ports, left);
      return true;
    } catch (error) {
      if (!(error instanceof StorageConflict)) throw error;
      if (error.operation.collection === "intents") return false;
      // Another subject already owns the post, or the profile's lease has changed. The network's acceptance is recorded
      // all the same.
      left = left.filter((_, index) => index !== error.index);
    }
  }
}
