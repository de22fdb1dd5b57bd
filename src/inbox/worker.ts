import { createFairTurns } from "../async/shares.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Inbox, InboxSource, InboxUpdate } from "../networks/contract/inbox.ts";
import { isOwnHost } from "../networks/runtime/exchange.ts";
import { factsOf, type ProfileRow } from "../profiles/rows.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import type { Json } from "../wire/json.ts";
import { createDueWorker, type DueWorker } from "../work/due-worker.ts";
import { keepWhile, type Lease, LeaseLost } from "../work/lease.ts";
import { createListAllowances, type ListAllowance, unboundedLists } from "./allowance.ts";
import { eraseMessages, eraseWaiting } from "./erase.ts";
import { withoutForgotten } from "./forgotten.ts";
import { withGap } from "./gaps.ts";
import { afterMiss, isTrusted } from "./hook-state.ts";
import { eventSource, type HookWork, subscribeDue, takeEvents } from "./hook-work.ts";
import { createIngest } from "./ingest.ts";
import { beginIngestBuffer, type IngestBuffer } from "./ingest-buffer.ts";
import { connectedThere, isFirstLook } from "./network-clock.ts";
import type { InboxPorts } from "./ports.ts";
import { openReader, type Reader, reasonOf } from "./reader.ts";
import { rereadDue, rereadSource } from "./reread.ts";
import type { InboxRow, InboxState, SourceState } from "./rows.ts";
import {
  afterPoll,
  failureOf,
  type NamedSource,
  sourcesToRead,
  withFailure,
  withRest,
  withSource,
} from "./source-state.ts";

/** Maximum number of polls of one source in one turn. The next turn reads the rest, after other inboxes. */
const pollsAtOnce = 10;
/** Time that a profile's messages are kept after it was disconnected, milliseconds. */
const keptMs = 30 * 86_400_000;
/** Pause of an inbox whose network this service does not have, milliseconds. */
const withoutNetworkMs = 300_000;
/**
 * Lists that are due soon are read together with a due one while at most this share of the network's rate limit is
 * used.
 */
const earlyShare = 0.1;
/** Concurrent writes of batches. One account gets at most half, so that its flood leaves room for others. */
const ingestsAtOnce = 8;
/** Default lag of a list behind the network's events, seconds. */
const usualLagSeconds = 10;

/** Processes the due work of inboxes. Only the process that holds an inbox stores its updates. */
export function createInboxWorker(ports: InboxPorts): DueWorker {
  const { storage } = ports;
  const allowanceOf = createListAllowances(storage);
  const ingestPorts = { ...ports, ingestInTurn: createFairTurns(ingestsAtOnce) };

  async function work(row: InboxRow, lease: Lease): Promise<void> {
    const stored = await storage.get("profiles", row.profile_id);
    const profile = stored === null ? null : fromRow<ProfileRow>(stored);
    const adapter = ports.adapter(row.network);
    if (profile?.status === "disconnected") return finish(lease, await tidyUp(row, profile, lease));
    // A reconnect makes its inbox due.
    if (profile?.status !== "connected") return finish(lease, null);
    if (adapter?.inbox === undefined) return finish(lease, lease.now() + withoutNetworkMs);
    const isMore = await readDue(row, { profile, adapter, inbox: adapter.inbox, lease });
    await finish(lease, isMore ? lease.now() : await nextLook(row.id, adapter.inbox, lease.now()));
  }

  /** @returns when the inbox's messages are to be deleted, milliseconds; null: they are deleted */
  async function tidyUp({ id, profile_id }: InboxRow, profile: ProfileRow, lease: Lease): Promise<number | null> {
    const before = (): Promise<void> => lease.ensure(0);
    await eraseWaiting(storage, id, { before });
    const until = Date.parse(profile.updated_at) + keptMs;
    if (lease.now() < until) return until;
    await eraseMessages(storage, profile_id, { before });
    return null;
  }

  /** Processes the webhook events, then the due lists. @returns true if events are left */
  async function readDue(
    row: InboxRow,
    given: { profile: ProfileRow; adapter: NetworkAdapter; inbox: Inbox; lease: Lease },
  ): Promise<boolean> {
    const { inbox, lease, profile } = given;
    const ingest = createIngest(ingestPorts, { row, lease, reports: inbox.reports, window: inbox.window });
    const turn = beginIngestBuffer({ ingest, lease });
    const allowance = hasOwnServer(given) ? allowanceOf(row.account_id) : unboundedLists;
    // An inbox that has waited for its turn reads one page even if the limit is reached.
    let hasTurn = row.private.rests_until !== undefined;
    const isUsedUp = (): boolean => allowance.isUsedUp(lease.now());
    let opened: Reader | null = null;
    let isMore = false;
    const reader = async (): Promise<Reader> => {
      opened ??= await openReader(ports, { ...given, row });
      return opened;
    };
    /** Returns false if the turn must end: the profile's access no longer works. */
    async function attempt(source: NamedSource, read: () => Promise<void>): Promise<boolean> {
      try {
        await read();
        return true;
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        const now = lease.now();
        await turn.ingest({ facts: [], readAt: now, state: (state) => withFailure(state, source, { error, now }) });
        if (isAboutLogin(error) && (await isBroken(profile, lease))) return false;
        const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        // The same failure is logged once.
        if (row.private.sources[source.name]?.failure === failureOf(error)) return true;
        ports.logger.warn("an inbox could not be read", { profile: row.profile_id, source: source.name, error: words });
        return true;
      }
    }
    if (inbox.hooks !== undefined) {
      const ask = { hooks: inbox.hooks, isBroken: () => isBroken(profile, lease) };
      const work: HookWork = { inbox, lease, reader, ingest, ...ask };
      await subscribeDue(ports, row, work);
      const take = async (): Promise<void> => {
        isMore = await takeEvents(ports, row, work);
      };
      if (!(await attempt(eventSource, take))) return false;
    }
    if ((row.private.rests_until ?? 0) > lease.now()) return isMore;
    for (const { source, state } of sourcesToRead(inbox.sources, row.private.sources, lease.now())) {
      if ((isUsedUp() && !hasTurn) || isTooEarly(state, { reader: opened, now: lease.now() })) continue;
      hasTurn = false;
      const read = async (): Promise<void> =>
        pollSource({ source, state, turn, allowance, lease, reader: await reader(), row });
      if (!(await attempt(source, read))) return false;
    }
    await turn.end();
    const { reread } = inbox;
    if (reread !== undefined && !isUsedUp())
      await attempt(rereadSource(reread), () => rereadDue(ports, row, { reread, allowance, lease, reader, ingest }));
    const nextTurn = allowance.nextTurn(lease.now());
    turn.putOff((stored) => withRest(stored, nextTurn));
    await turn.end();
    return isMore;
  }

  async function pollSource(given: {
    row: InboxRow;
    source: InboxSource;
    state: SourceState;
    turn: IngestBuffer;
    allowance: ListAllowance;
    lease: Lease;
    reader: Reader;
  }): Promise<void> {
    const { row, source, turn, allowance, lease, reader } = given;
    let { state } = given;
    for (let polls = 1; ; polls++) {
      const readAt = lease.now() - (source.lagSeconds ?? usualLagSeconds) * 1000;
      const found = await source.poll(reader.context, state.cursor, connectedThere(row.private) - backfillMs);
      const behind_ms = reader.behindMs() ?? 0;
      // Written before the messages, because it decides which of them count as new.
      if (behind_ms > 0 && isFirstLook(row.private))
        await turn.ingest({ facts: [], readAt, state: (stored) => ({ ...stored, behind_ms }) });

      assertShort(found.cursor);
      const restsUntil = reader.restsUntil();
      const isOver = !found.more || polls === pollsAtOnce || restsUntil > lease.now();
      const facts = reader.readable(found.facts, lease.now());
      const isMissed =
        source.every.repair !== undefined && (await bringsMissed(storage, row, { facts, reader, now: lease.now() }));
      const before = state;
      const after = (stored: InboxState): InboxState => {
        const hooks = stored.hooks !== undefined && isMissed ? afterMiss(stored.hooks, lease.now()) : stored.hooks;
        state = afterPoll(source, before, { found, now: lease.now(), isRepair: isTrusted(hooks) });
        const read = withSource(hooks === undefined ? stored : { ...stored, hooks }, source.name, state);
        return withRest(withGap(read, found.gap), restsUntil);
      };
      const isQuiet = isOver && facts.length === 0;
      if (isQuiet) turn.putOff(after);
      const rows = isQuiet ? 0 : await turn.ingest({ facts, readAt, state: after });
      await allowance.count({ facts, rows, isMore: found.more, now: lease.now() });
      if (isOver || allowance.isUsedUp(lease.now())) return;
    }
  }

  /**
   * True: the profile is no longer connected. A network may reject an access token for the inbox alone; then only the
   * inbox waits.
   */
  async function isBroken(profile: ProfileRow, lease: Lease): Promise<boolean> {
    if (!(await isConnected(profile))) return true;
    await keepWhile(lease, ports.clock, () => ports.checkProfile(profile)).catch((error: unknown) => {
      if (error instanceof LeaseLost) throw error;
      ports.logger.warn("a profile could not be checked", { profile: profile.id, error: String(error) });
    });
    return !(await isConnected(profile));
  }

  async function isConnected({ id }: ProfileRow): Promise<boolean> {
    return (await storage.get("profiles", id))?.status === "connected";
  }

  /** When the next source or the check of the webhook subscription is due. */
  async function nextLook(id: string, inbox: Inbox, now: number): Promise<number | null> {
    const row = await storage.get("inboxes", id);
    if (row === null) return null;
    const { sources, hooks, rests_until = 0 } = fromRow<InboxRow>(row).private;
    // Sources that only another version of the adapter reads are left out.
    const read = [...inbox.sources, ...(inbox.reread === undefined ? [] : [rereadSource(inbox.reread)])];
    const times = read.flatMap(({ name }) => sources[name]?.due_at ?? []).map((at) => Math.max(at, rests_until));
    // New webhook events make the inbox due; only the retry of failed ones needs a time.
    const events = sources[eventSource.name];
    if (events !== undefined && events.failures > 0) times.push(events.due_at);
    // A time in the past: the subscription cannot be requested, because no public URL or no app is known.
    if (hooks !== undefined && hooks.due_at > now) times.push(hooks.due_at);
    return times.length === 0 ? null : Math.min(...times);
  }

  async function finish(lease: Lease, dueAt: number | null): Promise<void> {
    // More work became due meanwhile; it is left to the next holder.
    if (!(await lease.release(dueAt))) return lease.giveBack();
    if (dueAt !== null) ports.wake(dueAt, lease.id);
  }

  return createDueWorker<InboxRow>(ports, { collection: "inboxes", work });
}

/** True: the profile's server is not the network's own; its owner may be the user who connected the profile. */
function hasOwnServer({ profile, adapter }: { profile: ProfileRow; adapter: NetworkAdapter }): boolean {
  const { host } = factsOf(profile);
  return host !== null && !isOwnHost(adapter, host);
}

/** Age of the oldest messages that are read, before the profile's connection, milliseconds. */
const backfillMs = 30 * 24 * 3_600_000;

/** Maximum length of a cursor, characters of JSON: it may contain the network's own text. */
const longestCursor = 5_000;

/** @throws PublishingError `network_error` */
function assertShort(cursor: Json): void {
  if (JSON.stringify(cursor).length <= longestCursor) return;
  throw new PublishingError("network_error", "The network's response has no cursor that can be stored.");
}

/** A webhook for a message arrives within this time, milliseconds. */
const hookDelayMs = 300_000;

/** True: a list contains a message whose webhook should have arrived before. */
async function bringsMissed(
  storage: Storage,
  inbox: InboxRow,
  { facts, reader, now }: { facts: readonly InboxUpdate[]; reader: Reader; now: number },
): Promise<boolean> {
  const { connected_at } = inbox.private;
  const shouldBeHere = (sentAt: number): boolean => sentAt >= connected_at && sentAt < now - hookDelayMs;
  const timed = facts.map((each) => ({ ...each, at: each.at ?? now }));
  const wanted = await withoutForgotten(storage, inbox, { facts: timed });
  const keys = wanted.flatMap((each) =>
    each.fact === "message" && shouldBeHere(each.message.sent_at) ? [each.message.key] : [],
  );
  return (await reader.context.known(keys)).size < new Set(keys).size;
}

/** True: a list that is not due yet waits, because the network's requests are needed for other lists. */
function isTooEarly({ due_at }: SourceState, { reader, now }: { reader: Reader | null; now: number }): boolean {
  return due_at > now && reader !== null && reader.usedShare() > earlyShare;
}

function isAboutLogin(error: unknown): boolean {
  const reason = reasonOf(error);
  return PublishingError.is(reason) && reason.code === "reauthentication_required";
}
