import type { LookResult, Pending } from "../networks/contract/look.ts";
import type { Refusal } from "../networks/runtime/error-map.ts";
import type { Window } from "../networks/runtime/match-posts.ts";
import { NetworkRefusal } from "../networks/runtime/session.ts";
import { wholeMs } from "../ports/clock.ts";
import { breaksProfile } from "../profiles/broken.ts";
import { PublishingError } from "../wire/errors.ts";
import type { IntentRow, OtherClocks } from "./intent.ts";
import { settleMs } from "./next-step.ts";
import { boundRequestOf, kindOf, type PartRun } from "./part-run.ts";

/** Remaining difference between the network's clock and ours, milliseconds. */
export const clockToleranceMs = 120_000;
/** How far back to look for a part whose time of sending is unknown, milliseconds. */
const unknownAgeMs = 24 * 3_600_000;

/** The network refused the look, so it is inconclusive. */
export interface Refused {
  refused: string;
  /** When the network allows it, milliseconds. Null: it does not say. */
  until: number | null;
  /** True: the profile must be reconnected. */
  breaks?: boolean;
}

/** The network is still processing the part, or has a problem. */
export interface Later extends Pick<Pending, "pending" | "among" | "at_cap"> {
  /** Earliest time of the next look, milliseconds. Null: after the usual pause. */
  until: number | null;
}

export type LookOutcome = Exclude<LookResult, Pending> | Later | Refused;

/** Asks the network once for the part of an intent. */
export async function askNetwork(run: PartRun, intent: IntentRow): Promise<LookOutcome> {
  const asked = windowOf(run, intent).from;
  const sighting = await lookSince(run, intent, asked);
  // The look may have shown that the network's clock differs from ours.
  const known = windowOf(run, intent).from;
  return known < asked - clockToleranceMs / 2 ? lookSince(run, intent, known) : sighting;
}

async function lookSince(run: PartRun, intent: IntentRow, since: number): Promise<LookOutcome> {
  try {
    const sighting = await boundRequestOf(run, intent).lookFor(run.credentials.context, {
      since,
      isRestored: intent.private.is_restored === true,
      ...(intent.private.job === undefined ? {} : { job: intent.private.job.handle }),
    });
    return "pending" in sighting ? laterOf(sighting, run.lease.now()) : sighting;
  } catch (error) {
    if (PublishingError.is(error) && error.isPassing) return { pending: error.message, until: null };
    // The credentials could not be renewed, and the profile is already marked.
    if (PublishingError.is(error) && breaksProfile(error.code)) return { refused: error.message, until: null };
    if (!(error instanceof NetworkRefusal)) throw error;
    return fromRefusal(error.refusal);
  }
}

function laterOf({ again_seconds, ...pending }: Pending, now: number): Later {
  return { ...pending, until: again_seconds === undefined ? null : now + wholeMs(again_seconds * 1000) };
}

/** The token, a scope, credits, a quota or the version was rejected: the look is inconclusive. */
const unansweredStatuses: ReadonlySet<number | null> = new Set([401, 402, 403, 426, 429]);

function fromRefusal(refusal: Refusal): LookOutcome {
  const { message, status, code } = refusal;
  const until = refusal.effect === "later" ? refusal.retryAt : null;
  if (unansweredStatuses.has(status) || breaksProfile(code))
    return { refused: message, until, breaks: breaksProfile(code) };
  if (refusal.effect === "later") return { pending: message, until };
  if (refusal.effect === "unknown") return { pending: message, until: null };
  return { cannot_tell: `The account could not be read. ${message}` };
}

/**
 * The period in which the part can have been made, in the network's time. It includes earlier requests, because one may
 * show up only now, and a duplicate that the network reports may come from an earlier attempt.
 */
export function windowOf(run: PartRun, intent: IntentRow): Window {
  const { is_duplicate, opened_at } = intent.private;
  const before = run.unresolvedIntents.filter(({ number }) => is_duplicate || number > run.lastIntentBeforeRetry);
  const own = agesMs(run, intent);
  const ages = [own, ...before.map((each) => agesMs(run, each))];
  // The intent lies in the future: a clock has been set back since, so the intent's age is unknown.
  const isKnown = ages.every(([passedMs]) => passedMs >= 0);
  const oldestMs = Math.max(...ages.flat(), isKnown ? 0 : unknownAgeMs);
  const restMs = lastMomentOf(run, intent) - opened_at - Math.min(...own);
  const clocks = Object.values(otherClocks(run, intent));
  // If two clocks differ, the earlier one is the start and the later one the end: a longer period does no harm.
  return {
    from: Math.min(...clocks) - oldestMs - clockToleranceMs,
    to: Math.max(...clocks) + restMs + clockToleranceMs,
    isKnown,
  };
}

/**
 * Time since an intent was written, by the store's clock and by the others. Each of them may have been set back or
 * ahead since.
 */
export function agesMs(run: PartRun, intent: IntentRow): [store: number, ...others: number[]] {
  const { opened_at, other_clocks: then } = intent.private;
  const storeMs = run.lease.now() - opened_at;
  if (then === undefined) return [storeMs];
  const { machine, network } = otherClocks(run, intent);
  return [storeMs, machine - then.machine, network - then.network];
}

function otherClocks({ ports, adapter, credentials }: PartRun, intent: IntentRow): OtherClocks {
  const host = intent.private.host ?? credentials.profile().private.host ?? adapter.spec.hosts[0] ?? "";
  return { machine: ports.clock.now(), network: ports.outbound.timeAt(host) };
}

/** After this time the network no longer makes the part public, the store's time. */
function lastMomentOf({ publisher }: PartRun, { private: { hard_end, job } }: IntentRow): number {
  const settled = hard_end + settleMs(publisher.rules, kindOf(publisher));
  return job === undefined ? settled : Math.max(settled, job.since + publisher.rules.pendingCapSeconds * 1000);
}
