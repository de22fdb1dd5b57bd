import { PublishingError } from "../errors.ts";
import type { PublishedPart, Sighting } from "../networks/adapter.ts";
import { NetworkRefusal } from "../networks/session.ts";
import { onlyWhileHeld } from "../storage/lease.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { type IntentRecord, type IntentRow, type IntentState, sendWithinMs } from "./intent.ts";
import { type PartRun, publicationOf, publisherOf } from "./part-run.ts";

/** What is left of the difference between the network's clock and ours, milliseconds. */
const clockToleranceMs = 120_000;
/** How far back to look for a part of which nobody knows when it was sent, milliseconds. */
const unknownAgeMs = 24 * 3_600_000;
/** Between two looks while the network is still at work, milliseconds. */
const betweenPendingLooksMs = 30_000;

/** Looks once whether a part whose answer was lost is public, and puts on record what that shows. */
export async function lookForPart(run: PartRun, intent: IntentRow): Promise<void> {
  await run.lease.ensure(run.rules.hardEndSeconds * 1000);
  const sighting = await sight(run, intent);
  if ("cannot_tell" in sighting) return resolve(run, intent, "undecided", { message: sighting.cannot_tell });
  if ("pending" in sighting) return lookLater(run, intent, sighting.pending, sighting.until);
  const unowned = await withoutOwned(run, sighting.candidates);
  const [only, another] = unowned;
  if (another !== undefined) {
    const message = "Several posts of this account look like it, and none can be told apart.";
    return resolve(run, intent, "undecided", { message });
  }
  if (only !== undefined) return adoptFound(run, intent, only);
  if (!sighting.complete) return lookLater(run, intent, "The account's newest posts could not be read whole.", null);
  return nothingFound(run, intent);
}

type Look = Exclude<Sighting, { pending: string }> | { pending: string; until: number | null };

async function sight(run: PartRun, intent: IntentRow): Promise<Look> {
  const asked = lowerBound(run, intent);
  const sighting = await locateSince(run, intent, asked);
  // The look itself may have taught us that the network's clock is not ours.
  const known = lowerBound(run, intent);
  return known < asked - clockToleranceMs / 2 ? locateSince(run, intent, known) : sighting;
}

async function locateSince(run: PartRun, intent: IntentRow, since: number): Promise<Look> {
  const { adapter, credentials } = run;
  try {
    const input = { ...run.inputFor(intent.private.key), since };
    const sighting = await publisherOf(adapter).locate(credentials.context, input);
    return "pending" in sighting ? { ...sighting, until: null } : sighting;
  } catch (error) {
    if (PublishingError.is(error) && error.isPassing) return { pending: error.message, until: null };
    if (!(error instanceof NetworkRefusal)) throw error;
    const { refusal } = error;
    if (refusal.effect === "later") return { pending: refusal.message, until: refusal.retryAt };
    if (refusal.effect === "unknown") return { pending: refusal.message, until: null };
    return { cannot_tell: `The account could not be read. ${refusal.message}` };
  }
}

/**
 * Nothing older than this can be the part, in the network's time. An earlier
 * request may show up only now; what the network calls a duplicate may even be
 * one of an earlier attempt.
 */
function lowerBound(run: PartRun, intent: IntentRow): number {
  const { lease, ports, adapter, credentials } = run;
  const before = run.lost.filter(({ number }) => intent.private.is_duplicate || number > run.floor);
  const ages = [intent, ...before].map((each) => lease.now() - each.private.opened_at);
  // An intent of the future was written by a clock that has been put back since: its age is anybody's guess.
  const ageMs = Math.max(...ages.map((passedMs) => (passedMs < 0 ? unknownAgeMs : passedMs)));
  const host = credentials.profile().private.host ?? adapter.spec.hosts[0] ?? "";
  // Of two clocks that differ the earlier one: looking further back than needed does no harm.
  return Math.min(ports.outbound.timeAt(host), ports.clock.now()) - ageMs - clockToleranceMs;
}

/** Posts that another part of ours owns are not this one. */
async function withoutOwned(run: PartRun, candidates: readonly PublishedPart[]): Promise<PublishedPart[]> {
  if (candidates.length === 0) return [];
  const owned = await run.ports.storage.find("publications", {
    where: {
      network: run.adapter.spec.network,
      external_account_id: run.credentials.profile().external_id,
      network_post_id: { in: candidates.map(({ id }) => id) },
    },
  });
  const ownedIds = new Set(owned.rows.map((row) => row.network_post_id));
  return candidates.filter(({ id }) => !ownedIds.has(id));
}

async function adoptFound(run: PartRun, intent: IntentRow, published: PublishedPart): Promise<void> {
  try {
    await resolve(run, intent, "live", { message: null, answer: { published } }, [publicationOf(run, published.id)]);
  } catch (error) {
    const taken = error instanceof StorageConflict && error.operation.collection === "publications";
    if (!taken) throw error;
    await lookLater(run, intent, "The post found has just been taken for another one.", null);
  }
}

async function nothingFound(run: PartRun, intent: IntentRow): Promise<void> {
  const empty_looks = [...intent.private.empty_looks, run.lease.now()];
  if (empty_looks.length < run.rules.emptyReads) return resolve(run, intent, intent.state, { empty_looks });
  if (intent.private.is_duplicate) {
    const message = "The network calls it a duplicate, but does not show it.";
    return resolve(run, intent, "undecided", { empty_looks, message });
  }
  return resolve(run, intent, "absent", { empty_looks });
}

async function lookLater(run: PartRun, intent: IntentRow, message: string, until: number | null): Promise<void> {
  const now = run.lease.now();
  const giveUpAt = intent.private.hard_end + run.rules.pendingCapSeconds * 1000;
  if (now >= giveUpAt) return resolve(run, intent, "undecided", { message });
  const look_at = Math.min(Math.max(until ?? 0, now + betweenPendingLooksMs), giveUpAt);
  return resolve(run, intent, intent.state, { message, look_at });
}

/** The wait for a lost answer starts now: a newly orphaned intent, or a clock that has jumped. */
export async function startWait(run: PartRun, intent: IntentRow): Promise<void> {
  const now = run.lease.now();
  const hardEndMs = run.rules.hardEndSeconds * 1000;
  await resolve(run, intent, "unknown", {
    unknown_since: now,
    hard_end: Math.min(intent.private.hard_end, now + sendWithinMs + hardEndMs),
    empty_looks: [],
    look_at: null,
    message: intent.private.message ?? "The process that sent it ended before the answer came.",
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
        change: toChange({ state, private: { ...intent.private, ...change } }),
        // A late answer may have come in between; it knows better.
        where: { state: intent.state },
      },
      ...more,
    ]),
  ).catch((error: unknown) => {
    if (error instanceof StorageConflict && error.operation.collection === "intents") return;
    throw error;
  });
}
