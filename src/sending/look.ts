import type { PublishingFailure } from "../networks/contract/acceptance.ts";
import type { AccountPosts, ListedPost } from "../networks/contract/look.ts";
import type { Published } from "../networks/contract/plan.ts";
import { type MatchResult, matchPosts, type Window } from "../networks/runtime/match-posts.ts";
import { wholeMs } from "../ports/clock.ts";
import { markNeedsAttention } from "../profiles/credentials.ts";
import { trustMs } from "../profiles/visible-lists.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { onlyWhileHeld } from "../work/lease.ts";
import { agesMs, askNetwork, clockToleranceMs, type Later, type Refused, windowOf } from "./ask-network.ts";
import { competingFor, readCompetingRequests } from "./competing-requests.ts";
import { type IntentRecord, type IntentRow, type IntentState, intentChange, sendWithinMs } from "./intent.ts";
import { type PartRun, publicationsOf } from "./part-run.ts";
import { restoredMessage } from "./restored.ts";

/** Time between two looks while the network is still processing, milliseconds. */
const betweenPendingLooksMs = 30_000;
/**
 * Limits of the time between two looks that the network refuses without a time; it is a quarter of the intent's age,
 * milliseconds.
 */
const betweenRefusedLooks = { minMs: 300_000, maxMs: 3_600_000 };
/** Time after the intent at which refused looks are abandoned, milliseconds. */
const refusedCapMs = 72 * 3_600_000;
/** Lifetime of a story, milliseconds. After it the story may have been live and gone. */
const storyMs = 24 * 3_600_000;

/** Looks once whether a part whose response was lost is public, and records the result. */
export async function lookForPart(run: PartRun, intent: IntentRow): Promise<void> {
  const { status, status_reason } = run.credentials.profile();
  if (status === "needs_attention")
    return awaitRemedy(run, intent, { refused: status_reason ?? "The profile must be reconnected.", until: null });
  const sighting = await askNetwork(run, intent);
  if ("refused" in sighting) return awaitRemedy(run, intent, sighting);
  if ("pending" in sighting) {
    const live = await onlyOneOf(run, intent, { among: sighting.among, window: windowOf(run, intent) });
    return live === null ? lookLater(run, intent, sighting) : adoptFound(run, intent, live);
  }
  if ("failed" in sighting) return failFor(run, intent, sighting.failed);
  if ("cannot_tell" in sighting) return giveUp(run, intent, sighting.cannot_tell);
  if ("live" in sighting) return adoptFound(run, intent, sighting.live);
  if ("absent" in sighting) return nothingFound(run, intent, null);
  return judge(run, intent, sighting);
}

async function judge(run: PartRun, intent: IntentRow, found: AccountPosts): Promise<void> {
  const window = windowOf(run, intent);
  const evidence = await weighed(run, intent, { found, window });
  const [only, another] = evidence.strong;
  if (another !== undefined)
    return giveUp(run, intent, "Several posts of this account match and cannot be told apart.");
  if (only === undefined) return nothingFound(run, intent, await doubtOf(run, intent, evidence));
  if (!isOwnerKnown(run, only))
    return giveUp(run, intent, "The post that was found may belong to another post, which has been deleted since.");
  if (run.isPrompt && only.origin !== "ours" && only.created_at > window.to)
    return giveUp(
      run,
      intent,
      "The post with the same text was published later, when no request for it was in progress.",
    );
  const rivals = only.origin === "ours" ? [] : competingFor(only, await readCompetingRequests(run));
  // Two retried requests would wait for each other.
  const isAgain = intent.private.outcome_before_retry !== null;
  if (rivals.some(({ state, isSoughtAgain }) => state !== "undecided" && !(isAgain && isSoughtAgain)))
    return lookLater(run, intent, {
      pending: "The post that was found may belong to another post, whose outcome is also still unknown.",
      until: null,
    });
  if (rivals.length > 0)
    return giveUp(run, intent, "The post that was found may belong to another post, whose outcome is also unknown.");
  return adoptFound(run, intent, only.published);
}

/** The only post among these that certainly is the part. Null: none matches, or several do. */
async function onlyOneOf(
  run: PartRun,
  intent: IntentRow,
  { among, window }: { among: AccountPosts | undefined; window: Window },
): Promise<Published | null> {
  if (among === undefined) return null;
  const [only, another] = (await weighed(run, intent, { found: among, window })).strong;
  if (only === undefined || another !== undefined || !isOwnerKnown(run, only)) return null;
  const rivals = only.origin === "ours" ? [] : competingFor(only, await readCompetingRequests(run));
  return rivals.length > 0 ? null : only.published;
}

/** False: another part may have published it, and its record has been deleted (`retention.posts_days`). */
function isOwnerKnown({ ports, lease }: PartRun, { origin, created_at }: ListedPost): boolean {
  if (origin === "ours" || ports.postsKeptMs === null) return true;
  return created_at > lease.now() - ports.postsKeptMs + clockToleranceMs;
}

async function weighed(
  run: PartRun,
  intent: IntentRow,
  { found, window }: { found: AccountPosts; window: Window },
): Promise<MatchResult> {
  const { adapter, credentials, ports } = run;
  const ids = new Set(found.lists.flatMap(({ posts }) => posts.map(({ published }) => published.id)));
  const owned = await ports.storage.find("publications", {
    where: {
      network: adapter.spec.network,
      external_account_id: credentials.profile().external_id,
      network_post_id: { in: [...ids] },
    },
    isCounted: false,
  });
  const oldest = run.lease.now() - trustMs;
  const seen = Object.entries(credentials.profile().private.visible_lists ?? {});
  return matchPosts(found, {
    textForms: run.publisher.textForms(),
    window,
    knowsHandles: intent.private.is_restored !== true,
    owned: new Set(owned.rows.map((row) => String(row.network_post_id))),
    trusted: new Set(seen.filter(([, at]) => at >= oldest).map(([name]) => name)),
  });
}

/** Why an empty look does not prove that the part is absent. Null: it does. */
async function doubtOf(run: PartRun, intent: IntentRow, evidence: MatchResult): Promise<string | null> {
  if (!evidence.isWhole)
    return "The account's lists may not show posts of this kind, or the service could not read them back to the time of the request.";
  if (run.publisher.isStory && Math.max(...agesMs(run, intent)) > storyMs)
    return "A story is gone after a day, so it may have been there.";
  if (evidence.unexplained.length === 0) return null;
  const rivals = await readCompetingRequests(run);
  // A post with the exact text of another request is not this part.
  if (evidence.unexplained.every((post) => competingFor(post, rivals).length > 0)) return null;
  return "The account has a post from that time with a different text that may be this one.";
}

async function adoptFound(run: PartRun, intent: IntentRow, published: Published): Promise<void> {
  try {
    await resolve(run, intent, "live", { message: null, answer: { published } }, publicationsOf(run, published));
  } catch (error) {
    const taken = error instanceof StorageConflict && error.operation.collection === "publications";
    if (!taken) throw error;
    await lookLater(run, intent, {
      pending: "The post that was found has just been matched with another one.",
      until: null,
    });
  }
}

/**
 * The post is live, and no further look will identify it. The lists show it by now, so the only post with its text
 * counts, even if a clock that was set back hides when the request was sent.
 */
async function adoptLast(run: PartRun, intent: IntentRow, { among, live }: Later & { live: Published }): Promise<void> {
  const window = { ...windowOf(run, intent), isKnown: true };
  return adoptFound(run, intent, (await onlyOneOf(run, intent, { among, window })) ?? live);
}

/** @param doubt why an empty look does not prove that the part is absent; null: it does */
async function nothingFound(run: PartRun, intent: IntentRow, doubt: string | null): Promise<void> {
  const { outcome_before_retry, is_duplicate } = intent.private;
  const looks = doubt === null ? "empty_looks" : "inconclusive_looks";
  const taken = [...intent.private[looks], run.lease.now()];
  const change = { [looks]: taken, message: doubt ?? intent.private.message };
  if (outcome_before_retry !== null && doubt !== null) return giveUp(run, intent, doubt);
  if (taken.length < run.publisher.rules.emptyReads) return resolve(run, intent, intent.state, change);
  if (doubt !== null) return giveUp(run, intent, doubt, change);
  if (is_duplicate) return giveUp(run, intent, "The network reports a duplicate, but does not list it.", change);
  return resolve(run, intent, "absent", change);
}

/** The outcome cannot be verified. A retried request returns to its earlier state. */
async function giveUp(
  run: PartRun,
  intent: IntentRow,
  reason: string,
  change: Partial<IntentRecord> = {},
): Promise<void> {
  const { outcome_before_retry, is_restored } = intent.private;
  const message = is_restored === true ? `${restoredMessage} ${reason}` : reason;
  return resolve(run, intent, outcome_before_retry ?? "undecided", { ...change, message });
}

/** The part will never be public; this is as certain as a refusal. */
async function failFor(run: PartRun, intent: IntentRow, { code, message }: PublishingFailure): Promise<void> {
  return resolve(run, intent, "refused", { message, answer: { code } });
}

async function lookLater(run: PartRun, intent: IntentRow, later: Later): Promise<void> {
  const { pending: message, until, at_cap } = later;
  const now = run.lease.now();
  const { hard_end, refused_at, job } = intent.private;
  const giveUpAt =
    Math.max(job?.since ?? hard_end, refused_at ?? 0) + wholeMs(run.publisher.rules.pendingCapSeconds * 1000);
  if (now >= giveUpAt) {
    if (at_cap === undefined) return giveUp(run, intent, message);
    return "live" in at_cap
      ? adoptLast(run, intent, { ...later, live: at_cap.live })
      : failFor(run, intent, at_cap.failed);
  }
  const look_at = Math.min(Math.max(until ?? 0, now + betweenPendingLooksMs), giveUpAt);
  return resolve(run, intent, intent.state, { message, look_at });
}

/** A refused look is inconclusive. It is repeated once the permission or quota is back. */
async function awaitRemedy(run: PartRun, intent: IntentRow, { refused, until, breaks }: Refused): Promise<void> {
  const { adapter, credentials, lease, ports } = run;
  const now = lease.now();
  const giveUpAt = intent.private.opened_at + refusedCapMs;
  if (breaks === true) await markNeedsAttention(credentials.profile(), refused, { adapter, hold: lease, ports });
  const message = `The account cannot be read. ${refused}`;
  if (now >= giveUpAt) return giveUp(run, intent, message);
  const { minMs, maxMs } = betweenRefusedLooks;
  const laterMs = wholeMs(Math.min(Math.max((now - intent.private.opened_at) / 4, minMs), maxMs));
  const next = until === null ? now + laterMs : Math.max(until, now + betweenPendingLooksMs);
  return resolve(run, intent, intent.state, { message, look_at: Math.min(next, giveUpAt), refused_at: now });
}

/** Starts the wait for a lost response, after a crash or a clock jump. */
export async function startWait(run: PartRun, intent: IntentRow): Promise<void> {
  const now = run.lease.now();
  const { job } = intent.private;
  if (intent.state === "job" && job !== undefined)
    return resolve(run, intent, "job", { job: { ...job, since: now }, look_at: null });
  const hardEndMs = wholeMs(run.publisher.rules.hardEndSeconds * 1000);
  await resolve(run, intent, "unknown", {
    unknown_since: now,
    hard_end: Math.min(intent.private.hard_end, now + sendWithinMs + hardEndMs),
    empty_looks: [],
    inconclusive_looks: [],
    look_at: null,
    message: intent.private.message ?? "The process that sent it ended before the response arrived.",
  });
}

async function resolve(
  run: PartRun,
  intent: IntentRow,
  state: IntentState,
  change: Partial<IntentRecord>,
  more: readonly Operation[] = [],
): Promise<void> {
  await onlyWhileHeld("profiles", () =>
    run.ports.storage.write([
      run.lease.check(),
      {
        kind: "update",
        collection: "intents",
        id: intent.id,
        change: toChange(intentChange(state, { ...intent.private, ...change }, run.lease.now())),
        // A late response that arrived meanwhile takes precedence.
        where: { state: intent.state },
      },
      ...more,
    ]),
  ).catch((error: unknown) => {
    if (error instanceof StorageConflict && error.operation.collection === "intents") return;
    throw error;
  });
}
