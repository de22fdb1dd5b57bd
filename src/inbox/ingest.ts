import type { InFairTurn } from "../async/shares.ts";
import type { AnswerWindow, InboxReports, InboxUpdate } from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import type { ServiceEvents } from "../ports/events.ts";
import type { Ids } from "../ports/ids.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
import { rowOperations, withNewestMessages } from "./changed-rows.ts";
import { applyFacts, type Stored } from "./changes.ts";
import { emitChanges } from "./events.ts";
import { findAmong } from "./find-among.ts";
import { isAnybodyForgotten as askIfAnybodyForgotten, withoutForgotten } from "./forgotten.ts";
import {
  aboutOf,
  deletePendingUpdate,
  keysOf,
  pendingUpdateOperations,
  readPendingUpdates,
} from "./pending-updates.ts";
import { pendingUpdatesMs } from "./retention.ts";
import type { ConversationRow, InboxRow, InboxState, MessageRow } from "./rows.ts";
import { lookForUndecided } from "./second-look.ts";
import { isAboutThread } from "./thread-facts.ts";
import type { TimedFact } from "./timed-fact.ts";

export interface IngestPorts {
  storage: Storage;
  ids: Ids;
  events: Pick<ServiceEvents, "emit" | "isHeard">;
  /** Lets the accounts take turns in writing their updates. */
  ingestInTurn: InFairTurn;
}

/**
 * Maximum size of one write, because other accounts wait meanwhile: updates, and characters of JSON after which none is
 * added.
 */
const atOnce = { facts: 50, characters: 50_000 };
/** Maximum number of times that the host may change conversations between reading and writing. */
const maxConflicts = 20;

/** Updates to store, with the change of the inbox's own state. */
export interface Intake {
  facts: readonly InboxUpdate[];
  /** The time of updates that the network does not date, milliseconds: when they were read, minus the list's lag. */
  readAt: number;
  /** Returns the inbox's next state, which is part of the last write. */
  state(before: InboxState): InboxState;
  /** More operations of that write. @default none */
  alongside?: readonly Operation[];
}

/**
 * Stores updates, each once, in an order that readers can follow. Each write is atomic. The last one also moves the
 * cursor.
 *
 * @returns the number of conversations and messages that were written
 * @throws LeaseLost
 */
export type Ingest = (intake: Intake) => Promise<number>;

/**
 * Creates the `ingest` of one claim of an inbox.
 *
 * @param given.row the claimed row
 * @param given.reports the network's reports
 * @param given.window the network's reply window
 */
export function createIngest(
  ports: IngestPorts,
  {
    row,
    lease,
    reports,
    window,
  }: { row: InboxRow; lease: Lease; reports: InboxReports; window?: AnswerWindow | undefined },
): Ingest {
  /**
   * The row as last read or written. Every other writer raises its `seq`, so that our write conflicts. Null: it must be
   * read again.
   */
  let known: InboxRow | null = row;
  /** Read once per known row: `forget` also raises its `seq`. */
  let anybodyForgotten: Promise<boolean> | null = null;
  const isAnybodyForgotten = (): Promise<boolean> =>
    (anybodyForgotten ??= askIfAnybodyForgotten(ports.storage, row.account_id));

  async function writeOnce(batch: Batch): Promise<number> {
    if (known === null) anybodyForgotten = null;
    const inbox = known ?? (await readHeldInbox(ports.storage, lease));
    known = null;
    const written = await writeBatch(ports, lease, { ...batch, inbox, reports, window, isAnybodyForgotten });
    known = written;
    return written.seq - inbox.seq;
  }

  async function write(batch: Batch): Promise<number> {
    // Checked now, because the wait for the turn may have been long.
    await lease.ensure(0);
    return retryConflicts(() => writeOnce(batch), {
      max: maxConflicts,
      unless: (conflict) => isConflictIn("profiles", conflict),
    }).catch((error: unknown) => {
      // The profile was disconnected: its inbox stores nothing more.
      if (isConflictIn("profiles", error)) throw new LeaseLost("The profile was disconnected.", { cause: error });
      throw error;
    });
  }

  return async ({ facts, readAt, state, alongside = [] }) => {
    const timed = facts.map((fact) => ({ ...fact, at: fact.at ?? readAt }));
    if (timed.length === 0) return write({ batch: [], state, alongside });
    const batches = batchesOf(timed);
    let rows = 0;
    for (const [index, batch] of batches.entries()) {
      const isLast = index === batches.length - 1;
      const last = isLast ? { state, alongside } : { state: (before: InboxState) => before, alongside: [] };
      rows += await ports.ingestInTurn(row.account_id, () => write({ batch, ...last }));
    }
    return rows;
  };
}

/** Each batch has at least one update. */
function batchesOf(facts: readonly TimedFact[]): TimedFact[][] {
  const batches: TimedFact[][] = [];
  let batch: TimedFact[] = [];
  let characters = 0;
  for (const fact of facts) {
    if (batch.length === 0 || batch.length === atOnce.facts || characters >= atOnce.characters) {
      batch = [];
      batches.push(batch);
      characters = 0;
    }
    batch.push(fact);
    characters += JSON.stringify(fact).length;
  }
  return batches;
}

/** Updates of one write. */
interface Batch extends Required<Pick<Intake, "state" | "alongside">> {
  batch: readonly TimedFact[];
}

/** The context of the write of a batch. */
interface Known {
  inbox: InboxRow;
  reports: InboxReports;
  window: AnswerWindow | undefined;
  isAnybodyForgotten: () => Promise<boolean>;
}

/** @returns the inbox after the write */
async function writeBatch(
  { storage, ids, events }: IngestPorts,
  lease: Lease,
  { inbox, batch, reports, window, state, alongside, isAnybodyForgotten }: Batch & Known,
): Promise<InboxRow> {
  const now = lease.now();
  const [wanted, stored, waiting] = await Promise.all([
    withoutForgotten(storage, inbox, { facts: batch, isAnybody: isAnybodyForgotten }),
    readStored(storage, inbox, batch),
    readPendingUpdates(storage, inbox, { facts: batch, now }),
  ]);
  const waited = waiting.map(({ private: { fact } }) => fact as unknown as TimedFact);
  const facts = [...wanted, ...waited];
  const found = await withAnswers(storage, stored, waited);
  const changes = await withNewestMessages(storage, applyFacts(found, facts, { ids, now, reports, window }));
  const left = new Set(changes.pendingUpdates.map(aboutOf));
  const pending = pendingUpdateOperations(changes.pendingUpdates, { waiting, inbox, ids, now });
  const operations = [
    ...rowOperations(changes, inbox.seq),
    ...waiting.filter(({ about }) => !left.has(about)).map(({ id }) => deletePendingUpdate(id)),
    ...pending,
    ...(await lookForUndecided(storage, changes, now)),
    ...alongside,
  ];
  const seq = inbox.seq + changes.conversations.length + changes.messages.length;
  const said = state(inbox.private);
  if (operations.length === 0 && said === inbox.private) return inbox;
  const next = pending.length === 0 ? said : { ...said, pending_updates_until: now + pendingUpdatesMs };
  await storage.write([
    {
      kind: "update",
      collection: "inboxes",
      id: inbox.id,
      change: toChange({ private: next, ...(seq !== inbox.seq && { seq, changed_at: now }) }),
      where: { epoch: lease.epoch, seq: inbox.seq },
    },
    {
      kind: "check",
      collection: "profiles",
      id: inbox.profile_id,
      where: { status: { in: ["connected", "needs_attention"] } },
    },
    ...operations,
  ]);
  emitChanges(changes, events);
  return { ...inbox, seq, private: next };
}

/** @throws LeaseLost if another process holds it */
async function readHeldInbox(storage: Storage, lease: Lease): Promise<InboxRow> {
  const row = await storage.get("inboxes", lease.id);
  if (row === null || row.epoch !== lease.epoch) throw new LeaseLost("Another process has claimed the inbox.");
  return fromRow(row);
}

async function readStored(storage: Storage, inbox: InboxRow, facts: readonly TimedFact[]): Promise<Stored> {
  const keys = keysOf(facts);
  const threads = threadsOf(facts);
  const where = { profile_id: inbox.profile_id };
  const [messages, begun] = await Promise.all([
    findAmong<MessageRow>(storage, "messages", { column: "key", among: keys, where }),
    findAmong<ConversationRow>(storage, "conversations", { column: "key", among: threads, where }),
  ]);
  const known = new Set(begun.map(({ id }) => id));
  const others = new Set(messages.map(({ conversation_id }) => conversation_id).filter((id) => !known.has(id)));
  const found = await findAmong<ConversationRow>(storage, "conversations", { column: "id", among: [...others] });
  const conversations = [...begun, ...found];
  const reached = await readReached(storage, facts, conversations);
  return {
    inbox,
    conversations: new Map(conversations.map((row) => [row.key, row])),
    messages: new Map([...reached, ...messages].map((row) => [row.key, row])),
  };
}

/** Adds the messages whose `reply_to` was pending. */
async function withAnswers(storage: Storage, stored: Stored, waited: readonly TimedFact[]): Promise<Stored> {
  const { inbox, messages } = stored;
  const among = keysOf(waited.filter(({ fact }) => fact === "answers")).filter((key) => !messages.has(key));
  const where = { profile_id: inbox.profile_id };
  const answers = await findAmong<MessageRow>(storage, "messages", { column: "key", among, where });
  if (answers.length === 0) return stored;
  return { ...stored, messages: new Map([...messages, ...answers.map((row) => [row.key, row] as const)]) };
}

function threadsOf(facts: readonly TimedFact[]): string[] {
  const threads = facts.flatMap((fact) => {
    if (fact.fact === "message") return [fact.thread.key];
    return isAboutThread(fact) ? [fact.thread] : [];
  });
  return [...new Set(threads)];
}

/** Maximum number of messages per thread to which receipts apply. Earlier receipts have reached older messages. */
const receiptsReach = 100;

/** Reads the account's own messages in threads that have receipts. */
async function readReached(
  storage: Storage,
  facts: readonly TimedFact[],
  conversations: readonly ConversationRow[],
): Promise<MessageRow[]> {
  const until = new Map<string, number>();
  for (const fact of facts)
    if (fact.fact === "receipt") until.set(fact.thread, Math.max(fact.until, until.get(fact.thread) ?? 0));
  const found = await Promise.all(
    conversations
      .filter(({ key }) => until.has(key))
      .map(({ id, key }) =>
        storage.find("messages", {
          where: { conversation_id: id, state: "live", sent_at: { lte: isoTime(until.get(key) ?? 0) } },
          order: { column: "sent_at", direction: "desc" },
          limit: receiptsReach,
          isCounted: false,
        }),
      ),
  );
  const messages = found.flatMap(({ rows }) => rows.map((row) => fromRow<MessageRow>(row)));
  return messages.filter(({ direction }) => direction === "outbound");
}
