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
  /** In which accounts write what their inboxes bring. */
  ingestInTurn: InFairTurn;
}

/** Facts that are written together, and characters of JSON after which no more are: while they are written, others wait. */
const atOnce = { facts: 50, characters: 50_000 };
/** How often the host may change conversations between reading and writing. */
const maxConflicts = 20;

/** What is to be taken in. */
export interface Intake {
  facts: readonly InboxUpdate[];
  /** When facts hold whose network does not say, milliseconds: when they were read, less the list's lag. */
  readAt: number;
  /** What becomes of the inbox's own record in the same write as the last of the facts. */
  state(before: InboxState): InboxState;
  /** More for that write. @default nothing */
  alongside?: readonly Operation[];
}

/**
 * Takes facts in, each once and in an order that others can read along. All of
 * a write or nothing is there; the cursor moves with the last.
 *
 * @returns how many conversations and messages were written
 * @throws LeaseLost
 */
export type Ingest = (intake: Intake) => Promise<number>;

/**
 * Makes what takes in all that one turn of an inbox reads.
 *
 * @param given.row as it was claimed
 * @param given.reports the network's
 * @param given.window the network's
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
  /** As it was last read or written: whoever changes it raises its number, and our write conflicts. Null: not known. */
  let known: InboxRow | null = row;
  /** Asked once for as long as the inbox is known: whoever has somebody forgotten raises its number, too. */
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
    // Here, for a turn may be long in coming.
    await lease.ensure(0);
    return retryConflicts(() => writeOnce(batch), {
      max: maxConflicts,
      unless: (conflict) => isConflictIn("profiles", conflict),
    }).catch((error: unknown) => {
      // Disconnected: nothing more is wanted of it.
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

/** One of them at least in each. */
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

/** Facts that are written together. */
interface Batch extends Required<Pick<Intake, "state" | "alongside">> {
  batch: readonly TimedFact[];
}

/** What is known while a batch is written. */
interface Known {
  inbox: InboxRow;
  reports: InboxReports;
  window: AnswerWindow | undefined;
  isAnybodyForgotten: () => Promise<boolean>;
}

/** @returns the inbox as it then is */
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

/** @throws LeaseLost when another holds it */
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

/** With the messages of which it waits that they answer others. */
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

/** Messages that receipts in one thread reach, at most: those before were reached by earlier ones. */
const receiptsReach = 100;

/** What the account wrote in threads of which receipts tell. */
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
