import { hash } from "node:crypto";
import type { Fact, InboxReports } from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import type { ServiceEvents } from "../ports/events.ts";
import type { Ids } from "../ports/ids.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type Storage } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import type { Json } from "../wire/json.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
import { applyFacts, type Changes, type Draft, type Stored, type TimedFact, withLast } from "./changes.ts";
import { eventsOf } from "./events.ts";
import type { ConversationRow, InboxRow, InboxState, MessageRow, StrayRow } from "./rows.ts";

export interface IngestPorts {
  storage: Storage;
  ids: Ids;
  events: Pick<ServiceEvents, "emit">;
}

/** Facts that are written together. */
const factsAtOnce = 50;
/** How often the host may change conversations between reading and writing. */
const maxConflicts = 20;

/** What is to be taken in. */
export interface Intake {
  facts: readonly Fact[];
  /** When facts hold whose network does not say, milliseconds: when they were read, less the list's lag. */
  readAt: number;
  reports: InboxReports;
  /** What becomes of the inbox's own record in the same write as the last of the facts. */
  state(before: InboxState): InboxState;
  /** More for that write. @default nothing */
  alongside?: readonly Operation[];
}

/**
 * Takes facts in, each once and in an order that others can read along. All of
 * a write or nothing is there; the cursor moves with the last.
 *
 * @throws LeaseLost
 */
export async function ingest(
  ports: IngestPorts,
  lease: Lease,
  { facts, readAt, reports, state, alongside = [] }: Intake,
): Promise<void> {
  const timed = facts.map((fact) => ({ ...fact, at: fact.at ?? readAt }));
  for (let start = 0; start === 0 || start < timed.length; start += factsAtOnce) {
    const batch = timed.slice(start, start + factsAtOnce);
    const isLast = start + factsAtOnce >= timed.length;
    await lease.ensure(0);
    const last = isLast ? { state, alongside } : { state: (before: InboxState) => before, alongside: [] };
    const attempt = () => writeBatch(ports, lease, { batch, reports, ...last });
    await retryConflicts(attempt, {
      max: maxConflicts,
      unless: (conflict) => isConflictIn("profiles", conflict),
    }).catch((error: unknown) => {
      // Disconnected: nothing more is wanted of it.
      if (isConflictIn("profiles", error)) throw new LeaseLost("The profile was disconnected.", { cause: error });
      throw error;
    });
  }
}

async function writeBatch(
  { storage, ids, events }: IngestPorts,
  lease: Lease,
  { batch, reports, state, alongside }: { batch: readonly TimedFact[] } & Omit<Required<Intake>, "facts" | "readAt">,
): Promise<void> {
  const inbox = await readHeldInbox(storage, lease);
  const stored = await readStored(storage, inbox, batch);
  const waiting = await readStrays(storage, inbox.id, batch);
  const now = lease.now();
  const facts = [...batch, ...waiting.map(({ private: { fact } }) => fact as unknown as TimedFact)];
  const changes = await withNewestMessages(storage, applyFacts(stored, facts, { ids, now, reports }));
  const left = new Set(changes.strays.map(keyOf));
  const operations = [
    ...rowOperations(changes, inbox.seq),
    ...waiting.filter(({ about }) => !left.has(about)).map(({ id }) => deleteStray(id)),
    ...newStrays(changes.strays, { waiting, inbox, ids, now }),
    ...alongside,
  ];
  const touched = changes.conversations.length + changes.messages.length;
  const next = state(inbox.private);
  if (operations.length === 0 && next === inbox.private) return;
  await storage.write([
    {
      kind: "update",
      collection: "inboxes",
      id: inbox.id,
      change: toChange({ seq: inbox.seq + touched, private: next }),
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
  for (const event of eventsOf(changes)) events.emit(event);
}

/** @throws LeaseLost when another holds it */
async function readHeldInbox(storage: Storage, lease: Lease): Promise<InboxRow> {
  const row = await storage.get("inboxes", lease.id);
  if (row === null || row.epoch !== lease.epoch) throw new LeaseLost("Another process has claimed the inbox.");
  return fromRow(row);
}

async function readStored(storage: Storage, inbox: InboxRow, facts: readonly TimedFact[]): Promise<Stored> {
  const keys = [...new Set(facts.map(keyOf))];
  const threads = [...new Set(facts.flatMap((each) => (each.fact === "message" ? [each.thread.key] : [])))];
  const where = { profile_id: inbox.profile_id };
  const [foundMessages, foundThreads] = await Promise.all([
    storage.find("messages", { where: { ...where, key: { in: keys } }, isCounted: false }),
    storage.find("conversations", { where: { ...where, key: { in: threads } }, isCounted: false }),
  ]);
  const messages = foundMessages.rows.map((row) => fromRow<MessageRow>(row));
  const ids = [...new Set(messages.map(({ conversation_id }) => conversation_id))];
  const known = new Set(foundThreads.rows.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  const found = others.length === 0 ? [] : await findById(storage, others);
  const conversations = [...foundThreads.rows, ...found].map((row) => fromRow<ConversationRow>(row));
  return {
    inbox,
    conversations: new Map(conversations.map((row) => [row.key, row])),
    messages: new Map(messages.map((row) => [row.key, row])),
  };
}

async function findById(storage: Storage, ids: readonly string[]) {
  return (await storage.find("conversations", { where: { id: { in: ids } }, isCounted: false })).rows;
}

function keyOf(fact: Fact): string {
  return fact.fact === "message" ? fact.message.key : fact.key;
}

async function readStrays(storage: Storage, inboxId: string, facts: readonly TimedFact[]): Promise<StrayRow[]> {
  const about = [...new Set(facts.map(keyOf))];
  const found = await storage.find("strays", { where: { inbox_id: inboxId, about: { in: about } }, isCounted: false });
  return found.rows.map((row) => fromRow<StrayRow>(row));
}

/** What is known already is not kept again. */
function newStrays(
  strays: readonly TimedFact[],
  { waiting, inbox, ids, now }: { waiting: readonly StrayRow[]; inbox: InboxRow; ids: Ids; now: number },
): Operation[] {
  const known = new Set(waiting.map(({ digest }) => digest));
  const operations: Operation[] = [];
  for (const fact of strays) {
    const digest = hash("sha256", JSON.stringify(fact));
    if (known.has(digest)) continue;
    known.add(digest);
    const row: StrayRow = {
      id: ids.create("stray", now),
      inbox_id: inbox.id,
      about: keyOf(fact),
      digest,
      created_at: isoTime(now),
      private: { fact: fact as unknown as Json },
    };
    operations.push({ kind: "insert", collection: "strays", row: toRow(row) });
  }
  return operations;
}

function deleteStray(id: string): Operation {
  return { kind: "delete", collection: "strays", id };
}

/** Messages read at a time to find one that is not deleted. */
const newestAtOnce = 20;

/** Conversations whose newest message was deleted show the one before it. */
async function withNewestMessages(storage: Storage, changes: Changes): Promise<Changes> {
  if (changes.withoutLast.length === 0) return changes;
  const changed = new Map(changes.messages.map(({ row }) => [row.id, row]));
  const newest = new Map(
    await Promise.all(changes.withoutLast.map(async (id) => [id, await newestMessage(storage, id, changed)] as const)),
  );
  const conversations = changes.conversations.map((draft) => {
    const last = newest.get(draft.row.id);
    return last === undefined ? draft : { ...draft, row: withLast(draft.row, last) };
  });
  return { ...changes, conversations };
}

/** The newest one that is not deleted, as it is to be. */
async function newestMessage(
  storage: Storage,
  conversationId: string,
  changed: ReadonlyMap<string, MessageRow>,
): Promise<MessageRow | null> {
  const own = [...changed.values()].filter((row) => row.conversation_id === conversationId);
  for (let offset = 0; ; offset += newestAtOnce) {
    const { rows } = await storage.find("messages", {
      where: { conversation_id: conversationId, state: "live" },
      order: { column: "sent_at", direction: "desc" },
      limit: newestAtOnce,
      offset,
      isCounted: false,
    });
    const stored = rows.map((row) => changed.get(row.id) ?? fromRow<MessageRow>(row));
    const left = [...stored, ...own].filter(({ deleted_at }) => deleted_at === null);
    if (left.length > 0 || rows.length < newestAtOnce) return left.sort(newestFirst)[0] ?? null;
  }
}

function newestFirst(one: MessageRow, other: MessageRow): number {
  if (one.sent_at === other.sent_at) return one.id < other.id ? 1 : -1;
  return one.sent_at < other.sent_at ? 1 : -1;
}

/** Each touched row gets the next number of the inbox. */
function rowOperations({ conversations, messages }: Changes, seq: number): Operation[] {
  let next = seq;
  const operation = <Row extends ConversationRow | MessageRow>(
    collection: "conversations" | "messages",
    { row, before }: Draft<Row>,
  ): Operation => {
    next += 1;
    const numbered = { ...row, seq: next };
    if (before === null) return { kind: "insert", collection, row: toRow(numbered) };
    const { id, ...change } = numbered;
    return { kind: "update", collection, id, change: toChange(change), where: { seq: before.seq } };
  };
  return [
    ...conversations.map((draft) => operation("conversations", draft)),
    ...messages.map((draft) => operation("messages", draft)),
  ];
}
