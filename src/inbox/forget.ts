import { isoTime } from "../ports/clock.ts";
import type { ServiceEvents } from "../ports/events.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import type { Operation, Storage, Where } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import { wipeErased } from "../storage/wipe-deleted.ts";
import { SocialError } from "../wire/errors.ts";
import { rowOperations, withNewestMessages } from "./changed-rows.ts";
import { type Changes, type Draft, withLast } from "./changes.ts";
import { clearSent } from "./erase.ts";
import { emitChanges } from "./events.ts";
import { type Person, withoutParticipantIn, withoutPerson } from "./forget-rows.ts";
import { type ForgottenRow, forgottenId } from "./forgotten.ts";
import { type ConversationRow, type InboxRow, inboxIdOf, type MessageRow } from "./rows.ts";
import type { ForgottenPerson, forgetSchema } from "./schema.ts";
import { countsAsNews, withoutUnread } from "./unread.ts";

export interface ForgetPorts {
  storage: Storage;
  events: Pick<ServiceEvents, "emit" | "isHeard">;
}

type Whom = Pick<ForgottenRow, "account_id" | "network"> & { person_id: string };

/** Rows per read and write. */
const rowsAtOnce = 100;
/** Maximum number of times that others may write between reading and writing. */
const maxConflicts = 50;

/**
 * Erases a person's data of an account. It first stores that the person is erased, so that none of their earlier
 * messages are stored again. Repeat an interrupted call.
 *
 * @throws SocialError `conflict` while a reply to them is being sent: everything else is erased
 */
export async function forgetPerson(
  ports: ForgetPorts,
  account_id: string,
  { network, person_id }: ReturnType<typeof forgetSchema.parse>,
): Promise<ForgottenPerson> {
  const { storage } = ports;
  const person = { id: person_id, now: await storage.now() };
  await keepForgotten(storage, { account_id, network, person_id }, person.now);
  const cleared = { messages: 0, conversations: 0 };
  let open = 0;
  const { rows } = await storage.find("inboxes", { where: { account_id, network }, isCounted: false });
  for (const row of rows) {
    const found = await forgetInInbox(ports, fromRow(row), person);
    cleared.messages += found.messages;
    cleared.conversations += found.conversations;
    open += found.open;
  }
  await wipeErased(storage);
  if (open === 0) return cleared;
  const message = "A reply to this person is being sent. Everything else is erased: call again in a minute.";
  throw new SocialError("conflict", message);
}

/** Records the erasure. A repeated one gets the new time, so that messages since the first are erased, too. */
async function keepForgotten(storage: Storage, { account_id, network, person_id }: Whom, now: number): Promise<void> {
  const id = forgottenId({ account_id, network, person_id });
  const row: ForgottenRow = { id, account_id, network, created_at: isoTime(now) };
  await storage.write([
    { kind: "delete", collection: "forgotten", id },
    { kind: "insert", collection: "forgotten", row: toRow(row) },
  ]);
}

async function forgetInInbox(
  ports: ForgetPorts,
  { id, profile_id }: InboxRow,
  person: Person,
): Promise<ForgottenPerson & { open: number }> {
  const { storage } = ports;
  await overtakeReader(storage, id);
  const dms = await theirDms(storage, profile_id, person);
  const messages = await sweep<MessageRow>(ports, { id, profile_id, collection: "messages" }, (rows) =>
    messageDrafts(storage, rows, { person, dms }),
  );
  const unsent = await clearUnsent(storage, profile_id, { person, dms });
  const conversations = await sweep<ConversationRow>(
    ports,
    { id, profile_id, collection: "conversations" },
    async (rows) => ({ messages: [], conversations: draftsOf(rows, (row) => withoutParticipantIn(row, person)) }),
  );
  await deleteNaming(storage, id, person);
  return { messages: messages + unsent.cleared, conversations, open: unsent.open };
}

/** Raises the inbox's `seq`: a concurrent reader that does not know the erasure conflicts and reads again. */
async function overtakeReader(storage: Storage, id: string): Promise<void> {
  const attempt = async (): Promise<void> => {
    const seq = Number((await storage.get("inboxes", id))?.seq ?? 0);
    const change = { seq: seq + 1, changed_at: await storage.now() };
    await storage.write([{ kind: "update", collection: "inboxes", id, change, where: { seq } }]);
  };
  await retryConflicts(attempt, { max: maxConflicts });
}

async function theirDms(storage: Storage, profileId: string, person: Person): Promise<Set<string>> {
  const dms = new Set<string>();
  const where = { profile_id: profileId, kind: "dm" };
  for (let after = 0; ; ) {
    const rows = await readPage<ConversationRow>(storage, { collection: "conversations", where, after });
    for (const row of rows) if (row.participant.id === person.id) dms.add(row.id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return dms;
    after = last.seq;
  }
}

/** Reads rows in the order of their last changes, after `after`. */
async function readPage<Kept extends Listed>(
  storage: Storage,
  { collection, where, after }: { collection: "conversations" | "messages"; where: Where; after: number },
): Promise<Kept[]> {
  const { rows } = await storage.find(collection, {
    where: { ...where, seq: { gte: after + 1 } },
    order: { column: "seq", direction: "asc" },
    limit: rowsAtOnce,
    isCounted: false,
  });
  return rows.map((row) => fromRow<Kept>(row));
}

type Listed = ConversationRow | MessageRow;

/**
 * Reads an inbox's rows page by page and writes each page's changes. Rows that others change meanwhile come again, with
 * a higher `seq`.
 */
async function sweep<Kept extends Listed>(
  ports: ForgetPorts,
  { id, profile_id, collection }: { id: string; profile_id: string; collection: "conversations" | "messages" },
  draftsOfPage: (rows: readonly Kept[]) => Promise<Drafts>,
): Promise<number> {
  const where = { profile_id, ...(collection === "messages" && { state: "live" }) };
  let written = 0;
  for (let after = 0; ; ) {
    const attempt = async (): Promise<readonly Kept[]> => {
      const rows = await readPage<Kept>(ports.storage, { collection, where, after });
      const drafts = await draftsOfPage(rows);
      await writeDrafts(ports, id, drafts);
      written += drafts[collection].length;
      return rows;
    };
    const rows = await retryConflicts(attempt, { max: maxConflicts });
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return written;
    after = last.seq;
  }
}

type Drafts = Pick<Changes, "conversations" | "messages">;

async function writeDrafts({ storage, events }: ForgetPorts, inboxId: string, drafts: Drafts): Promise<void> {
  const touched = drafts.conversations.length + drafts.messages.length;
  if (touched === 0) return;
  const seq = Number((await storage.get("inboxes", inboxId))?.seq ?? 0);
  const change = { seq: seq + touched, changed_at: await storage.now() };
  await storage.write([
    { kind: "update", collection: "inboxes", id: inboxId, change, where: { seq } },
    ...rowOperations(drafts, seq),
    ...(await clearSent(storage, outboundIn(drafts.messages))),
  ]);
  emitChanges({ ...drafts, unreadSoFar: new Set() }, events);
}

function outboundIn(messages: readonly Draft<MessageRow>[]): string[] {
  return messages.flatMap(({ row }) => (row.direction === "outbound" ? [row.id] : []));
}

function draftsOf<Kept extends Listed>(rows: readonly Kept[], changed: (row: Kept) => Kept): Draft<Kept>[] {
  return rows.map((before) => ({ before, row: changed(before) })).filter(({ before, row }) => before !== row);
}

/** Changes of the messages with the person's data, and of the conversations that show it. */
async function messageDrafts(
  storage: Storage,
  rows: readonly MessageRow[],
  given: { person: Person; dms: ReadonlySet<string> },
): Promise<Drafts> {
  const messages = draftsOf(rows, (row) => withoutPerson(row, given));
  const theirs = rows.filter(({ author_id }) => author_id === given.person.id);
  const ids = [...new Set(theirs.map(({ conversation_id }) => conversation_id))];
  const found = await storage.find("conversations", { where: { id: { in: ids } }, isCounted: false });
  const cleared = new Set(theirs.map(({ id }) => id));
  const before = found.rows.map((row) => fromRow<ConversationRow>(row)).filter(({ id }) => !given.dms.has(id));
  const unread = await unreadAmong(storage, theirs);
  const conversations = draftsOf(before, (row) => {
    const counted = unread.filter(({ conversation_id }) => conversation_id === row.id).reduce(withoutUnread, row);
    const shown = cleared.has(row.private.last_id ?? "") ? withLast(counted, null) : counted;
    // A group's name contains its members' names.
    return row.kind === "dm" ? { ...shown, participant: { ...row.participant, name: null } } : shown;
  });
  const withoutLast = conversations.filter(({ row }) => row.private.last_id === null).map(({ row }) => row.id);
  return withNewestMessages(storage, { conversations, messages, withoutLast });
}

/** The messages that may count as unread. */
async function unreadAmong(storage: Storage, rows: readonly MessageRow[]): Promise<MessageRow[]> {
  const [first] = rows;
  const inbox = first === undefined ? null : await storage.get("inboxes", inboxIdOf(first.profile_id));
  if (inbox === null) return [];
  return rows.filter((row) => row.deleted_at === null && countsAsNews(row, fromRow<InboxRow>(inbox)));
}

/** Erases replies that are not visible, which have no `seq`. Those that are being sent are only counted. */
async function clearUnsent(
  storage: Storage,
  profileId: string,
  given: { person: Person; dms: ReadonlySet<string> },
): Promise<{ cleared: number; open: number }> {
  const attempt = async () => {
    const { rows } = await storage.find("messages", { where: { profile_id: profileId, seq: 0 }, isCounted: false });
    const drafts = draftsOf(
      rows.map((row) => fromRow<MessageRow>(row)),
      (row) => withoutPerson(row, given),
    );
    const ended = drafts.filter(({ row }) => row.state !== "open");
    await storage.write([...ended.map(updateEnded), ...(await clearSent(storage, outboundIn(ended)))]);
    return { cleared: ended.length, open: drafts.length - ended.length };
  };
  return retryConflicts(attempt, { max: maxConflicts });
}

function updateEnded({ row: { id, ...change } }: Draft<MessageRow>): Operation {
  return { kind: "update", collection: "messages", id, change: toChange(change), where: { state: change.state } };
}

/** Deletes pending updates and unread webhook events that contain the person's id. */
async function deleteNaming(storage: Storage, inboxId: string, { id: personId }: Person): Promise<void> {
  const named = JSON.stringify(personId);
  const waiting = [
    { collection: "pending_updates", where: { inbox_id: inboxId } },
    { collection: "hook_events", where: { inbox_id: inboxId, state: { in: ["new", "aside"] } } },
  ] as const;
  for (const { collection, where } of waiting) {
    const { rows } = await storage.find(collection, { where, isCounted: false });
    const naming = rows.filter((row) => JSON.stringify(row.private).includes(named));
    for (const { id } of naming) await storage.write([{ kind: "delete", collection, id }]);
  }
}
