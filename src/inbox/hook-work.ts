import type { Gap, Hooks, InboxUpdate } from "../networks/contract/inbox.ts";
import { breaksProfile } from "../profiles/broken.ts";
import type { Operation } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import { LeaseLost } from "../work/lease.ts";
import { gapOf, withGap } from "./gaps.ts";
import {
  afterEnd,
  afterQuestion,
  afterReceipt,
  afterRefusal,
  afterSubscription,
  firstHookState,
  isConfirmed,
  lostUntilConfirmed,
} from "./hook-state.ts";
import { beforeSubscription, newestHookSecret, withAnswer } from "./hook-subscription.ts";
import { hookTargetOf } from "./hook-target.ts";
import type { InboxPorts } from "./ports.ts";
import { reasonOf } from "./reader.ts";
import type { HookEventRow, HookState, InboxRow, InboxState } from "./rows.ts";
import { afterPoll, firstState, type NamedSource, withSource } from "./source-state.ts";
import type { Turn } from "./turn.ts";

/** Events per read and write. */
const eventsAtOnce = 50;
/** Maximum number of these reads and writes in one turn. The next turn reads the rest, after other inboxes. */
const maxRounds = 10;
/** An unreadable event is set aside after this many attempts. */
const maxReadings = 5;

/** Webhook events have a state like a source, under this name. */
export const eventSource: NamedSource = { name: "hooks", every: { min: 60, max: 3_600 } };
/** The subscription keeps its own state, in `InboxState.hooks`. */
export const subscriptionSource: NamedSource = { name: "subscription", every: { min: 60, max: 3_600 } };

/** Requests or renews the subscription if it is due. Throws only LeaseLost: after other errors the lists continue. */
export async function subscribeDue(ports: InboxPorts, turn: Turn, hooks: Hooks): Promise<void> {
  const { row, lease, inbox } = turn;
  const { hooks: known = firstHookState(lease.now()), connected_at } = row.private;
  let state = lostUntilConfirmed(known, connected_at);
  if (state.due_at > lease.now()) return;
  let next = state;
  try {
    const secret = newestHookSecret(ports.vault, row, state);
    const { account_id, network, app_id, id: inbox_id } = row;
    const target = await hookTargetOf(ports, hooks, { account_id, network, app_id, inbox_id, secret });
    if (target === null) return;
    const { context } = await turn.reader();
    if (hooks.signed.by === "subscription") {
      state = beforeSubscription(state, lease.now());
      await store(state);
    }
    const answer = await hooks.subscribe(context, target);
    const after = isConfirmed(answer, state) ? afterSubscription : afterQuestion;
    next = after(withAnswer(ports.vault, row, state, answer), lease.now());
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    next = afterRefusal(state, { error, now: lease.now() });
    ports.logger.warn("a network subscription failed; its lists are read instead", {
      profile: row.profile_id,
      error: next.failure,
    });
  }
  // Without a list that repairs them, missed events are lost.
  const isRepaired = inbox.sources.some(({ every }) => every.repair !== undefined);
  await store(next, isRepaired ? null : gapOf(state, next));

  async function store(hooks: HookState, gap: Gap | null = null): Promise<void> {
    await turn.ingest({ facts: [], readAt: lease.now(), state: (stored) => withGap({ ...stored, hooks }, gap) });
  }
}

/**
 * Stores the updates of the network's events.
 *
 * @returns true if events are left
 * @throws the error that prevents reading now; the events stay
 */
export async function takeEvents(ports: InboxPorts, turn: Turn, hooks: Hooks): Promise<boolean> {
  const { row, lease } = turn;
  const state = row.private.sources[eventSource.name];
  if (state !== undefined && state.failures > 0 && state.due_at > lease.now()) return false;
  const left = new Set<string>();
  let isLoginGood = false;
  for (let round = 0; ; round++) {
    const events = await newEvents(ports, row, left);
    if (round === maxRounds) return events.length > 0;
    if (events.length === 0) {
      // The failed events are done meanwhile, so the retry is no longer due.
      if (round === 0 && state !== undefined && state.failures > 0) await forgetFailure(turn);
      return false;
    }
    const read = await readEvents(ports, events, { turn, hooks, isLoginGood });
    for (const id of read.left) left.add(id);
    await turn.ingest({
      facts: read.facts,
      readAt: lease.now(),
      state: (stored) => afterEvents(stored, { isUnsubscribed: read.isUnsubscribed, now: lease.now() }),
      alongside: read.operations,
    });
    if (read.obstacle === null) continue;
    if (!isAboutAccount(read.obstacle) || (await turn.isBroken())) throw read.obstacle;
    isLoginGood = true;
  }
}

async function forgetFailure({ ingest, lease }: Turn): Promise<void> {
  const state = (stored: InboxState): InboxState => withNothingDue(stored, lease.now());
  await ingest({ facts: [], readAt: lease.now(), state });
}

async function newEvents(
  { storage }: InboxPorts,
  { id }: InboxRow,
  left: ReadonlySet<string>,
): Promise<HookEventRow[]> {
  const { rows } = await storage.find("hook_events", {
    where: { inbox_id: id, state: "new" },
    order: { column: "created_at", direction: "asc" },
    limit: eventsAtOnce + left.size,
    isCounted: false,
  });
  const untried = rows.filter((event) => !left.has(event.id));
  return untried.slice(0, eventsAtOnce).map((event) => fromRow<HookEventRow>(event));
}

function afterEvents(state: InboxState, { isUnsubscribed, now }: { isUnsubscribed: boolean; now: number }): InboxState {
  const received = afterReceipt(state.hooks ?? firstHookState(now), now);
  const hooks = isUnsubscribed ? afterEnd(received, now) : received;
  return withNothingDue({ ...state, hooks }, now);
}

function withNothingDue(state: InboxState, now: number): InboxState {
  const before = state.sources[eventSource.name] ?? firstState(eventSource, now);
  const next = afterPoll(eventSource, before, { found: { facts: [], cursor: null, more: false }, now });
  return withSource(state, eventSource.name, next);
}

interface ReadEvents {
  /** Ids of events that could not be read and are retried later. */
  left: string[];
  facts: InboxUpdate[];
  /** True: the network has ended the subscription. */
  isUnsubscribed: boolean;
  /** The operations on the events' rows. */
  operations: Operation[];
  /** Why the rest was not read, for example a rate limit of the network; null: all was read. */
  obstacle: unknown;
}

/** @param options.isLoginGood true: the access token works, so a rejection is about the event */
async function readEvents(
  ports: InboxPorts,
  events: readonly HookEventRow[],
  { turn, hooks, isLoginGood }: { turn: Turn; hooks: Hooks; isLoginGood: boolean },
): Promise<ReadEvents> {
  const { context, readable } = await turn.reader();
  const read: ReadEvents = { left: [], facts: [], isUnsubscribed: false, operations: [], obstacle: null };
  for (const event of events) {
    try {
      const said = await hooks.read(context, event.private.body);
      if (said === "unsubscribed") read.isUnsubscribed = true;
      else read.facts.push(...readable(said, turn.lease.now()));
      read.operations.push(ended(event, "done"));
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      if (isPassing(error)) return { ...read, obstacle: error };
      ports.logger.warn("an event from a network could not be read", { event: event.id, error: String(error) });
      read.operations.push(unread(event));
      read.left.push(event.id);
      if (isAboutAccount(error) && !isLoginGood) return { ...read, obstacle: error };
    }
  }
  return read;
}

/** True: the error is temporary. A final rejection of one event must not delay the others. */
function isPassing(error: unknown): boolean {
  const reason = reasonOf(error);
  return PublishingError.is(reason) && reason.isPassing;
}

function isAboutAccount(error: unknown): boolean {
  const reason = reasonOf(error);
  return PublishingError.is(reason) && breaksProfile(reason.code);
}

function ended(event: HookEventRow, state: HookEventRow["state"]): Operation {
  const kept = { body: null, failures: event.private.failures };
  return change(event, { state, private: kept });
}

function unread(event: HookEventRow): Operation {
  const failures = event.private.failures + 1;
  const state = failures >= maxReadings ? "aside" : "new";
  return change(event, { state, private: { ...event.private, failures } });
}

function change({ id }: HookEventRow, changed: Partial<HookEventRow>): Operation {
  return { kind: "update", collection: "hook_events", id, change: toChange(changed), where: { state: "new" } };
}
