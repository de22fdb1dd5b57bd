import type { Gap, Hooks, Inbox, InboxUpdate } from "../networks/contract/inbox.ts";
import { breaksProfile } from "../profiles/broken.ts";
import type { Operation } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
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
import type { Ingest } from "./ingest.ts";
import type { InboxPorts } from "./ports.ts";
import { type Reader, reasonOf } from "./reader.ts";
import type { HookEventRow, HookState, InboxRow, InboxState } from "./rows.ts";
import { afterPoll, firstState, type NamedSource, withSource } from "./source-state.ts";

/** What the processing of hooks needs. */
export interface HookWork {
  inbox: Inbox;
  hooks: Hooks;
  lease: Lease;
  reader(): Promise<Reader>;
  ingest: Ingest;
  /** Asks the network whether it still takes the login at all. */
  isBroken(): Promise<boolean>;
}

/** Events that are read and written together. */
const eventsAtOnce = 50;
/** How often that is done in one turn; what is left is read in the next one, behind others. */
const maxRounds = 10;
/** An event that nobody here can read is set aside after as many tries. */
const maxReadings = 5;

/** What was sent is read as a source is: its state has this name among the sources'. */
export const eventSource: NamedSource = { name: "hooks", every: { min: 60, max: 3_600 } };

/** Asks the network to send, where it is time to. Throws nothing but LeaseLost: the lists go on without. */
export async function subscribeDue(ports: InboxPorts, row: InboxRow, work: HookWork): Promise<void> {
  const { hooks, lease, inbox } = work;
  const { hooks: known = firstHookState(lease.now()), connected_at } = row.private;
  let state = lostUntilConfirmed(known, connected_at);
  if (state.due_at > lease.now()) return;
  let next = state;
  try {
    const secret = newestHookSecret(ports.vault, row, state);
    const { account_id, network, app_id, id: inbox_id } = row;
    const target = await hookTargetOf(ports, hooks, { account_id, network, app_id, inbox_id, secret });
    if (target === null) return;
    const { context } = await work.reader();
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
  // What no list brings is missing.
  const isRepaired = inbox.sources.some(({ every }) => every.repair !== undefined);
  await store(next, isRepaired ? null : gapOf(state, next));

  async function store(hooks: HookState, gap: Gap | null = null): Promise<void> {
    await work.ingest({ facts: [], readAt: lease.now(), state: (stored) => withGap({ ...stored, hooks }, gap) });
  }
}

/**
 * Takes in what was sent.
 *
 * @returns whether there is more
 * @throws what keeps it from being read now; it stays then
 */
export async function takeEvents(ports: InboxPorts, row: InboxRow, work: HookWork): Promise<boolean> {
  const state = row.private.sources[eventSource.name];
  if (state !== undefined && state.failures > 0 && state.due_at > work.lease.now()) return false;
  const left = new Set<string>();
  let isLoginGood = false;
  for (let round = 0; ; round++) {
    const events = await newEvents(ports, row, left);
    if (round === maxRounds) return events.length > 0;
    if (events.length === 0) {
      // What had failed was done all the same: it is not due any more.
      if (round === 0 && state !== undefined && state.failures > 0) await forgetFailure(work);
      return false;
    }
    const read = await readEvents(ports, events, { ...work, isLoginGood });
    for (const id of read.left) left.add(id);
    await work.ingest({
      facts: read.facts,
      readAt: work.lease.now(),
      state: (stored) => afterEvents(stored, { isUnsubscribed: read.isUnsubscribed, now: work.lease.now() }),
      alongside: read.operations,
    });
    if (read.obstacle === null) continue;
    if (!isAboutAccount(read.obstacle) || (await work.isBroken())) throw read.obstacle;
    isLoginGood = true;
  }
}

async function forgetFailure({ ingest, lease }: HookWork): Promise<void> {
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
  /** Ids of events that could not be read, and are tried again another time. */
  left: string[];
  facts: InboxUpdate[];
  /** The network has said that it sends nothing more. */
  isUnsubscribed: boolean;
  /** What becomes of the events. */
  operations: Operation[];
  /** Why the rest was not read, such as a limit of the network's; null: all was. */
  obstacle: unknown;
}

/** @param work.isLoginGood the network takes the login for all else: what it refuses is about the event */
async function readEvents(
  ports: InboxPorts,
  events: readonly HookEventRow[],
  { hooks, lease, reader, isLoginGood }: HookWork & { isLoginGood: boolean },
): Promise<ReadEvents> {
  const { context, readable } = await reader();
  const read: ReadEvents = { left: [], facts: [], isUnsubscribed: false, operations: [], obstacle: null };
  for (const event of events) {
    try {
      const said = await hooks.read(context, event.private.body);
      if (said === "unsubscribed") read.isUnsubscribed = true;
      else read.facts.push(...readable(said, lease.now()));
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

/** It goes away by itself. What is refused for good of one event must not keep back the others. */
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
