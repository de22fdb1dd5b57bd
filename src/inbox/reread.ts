import * as z from "zod";
import type { InboxUpdate, Reread, Rereading } from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import { fromRow } from "../storage/typed.ts";
import { isSame } from "./changes.ts";
import { type Look, paidLook } from "./paid-look.ts";
import type { MessageRow } from "./rows.ts";
import { afterPoll, firstState, type NamedSource, withRest, withSource } from "./source-state.ts";
import type { Turn } from "./turn.ts";

/** A round's position is stored like that of a source, under this name. */
export function rereadSource({ every }: Reread): NamedSource {
  return { name: "reread", every };
}

/** Older messages are not read again, milliseconds. */
const oldestMs = 7 * 86_400_000;
/** A message counts as deleted if it is still missing after this time, milliseconds. A single miss may be a server's fault. */
const missingMs = 600_000;
/** Maximum number of missing messages that are remembered between two reads; a later round finds the others. */
const maxMissing = 60;

const cursorSchema = z
  .object({
    /** The next read takes messages whose `seq` is below this; null: the round has not begun. */
    below: z.number().nullable(),
    /** True: a round through older messages, which starts below `deep`. If one round cannot read all, every second one is. */
    isDeep: z.boolean(),
    /** Where the next round through older messages starts; null: after the newest ones. */
    deep: z.number().nullable(),
    /** Number of messages that this round has read. */
    count: z.number(),
    /** When each was first missing, by the message's id, milliseconds. */
    missing: z.record(z.string(), z.number()),
  })
  .catch({ below: null, isDeep: false, deep: null, count: 0, missing: {} });

type Cursor = z.infer<typeof cursorSchema>;

/**
 * Reads a batch of stored messages again on the network, to find edits and deletions. Rounds alternate between the
 * latest messages and older ones, up to a week back.
 *
 * @throws the failure of the read
 */
export async function rereadDue(turn: Turn, reread: Reread): Promise<void> {
  const { row, allowance, lease, reader, ingest } = turn;
  const source = rereadSource(reread);
  const state = row.private.sources[source.name] ?? firstState(source, lease.now());
  if (state.due_at > lease.now()) return;
  const cursor = cursorSchema.parse(state.cursor);
  const below = cursor.below ?? (cursor.isDeep ? cursor.deep : null);
  const messages = await storedMessages(turn, { below, limit: reread.atOnce });
  const young = messages.filter(({ deleted_at, sent_at }) => deleted_at === null && sent_at > oldest(lease.now()));
  const nothing = { found: { facts: [], gone: [] }, paceMs: 0 };
  const { found, paceMs } = young.length === 0 ? nothing : await readAgain(turn, reread, young);
  const restsUntil = young.length === 0 ? 0 : (await reader()).restsUntil();
  const missing = missingSince(found.gone, { young, before: cursor.missing, now: lease.now() });
  const deleted = missing.filter(({ since }) => lease.now() - since >= missingMs);
  const facts = [...found.facts, ...deleted.map(({ key }): InboxUpdate => ({ fact: "delete", at: null, key }))];
  const left = missing.filter((each) => !deleted.includes(each));
  const next = nextCursor(cursor, { messages, young, missing: left, reread });
  const look = { facts, cursor: next, more: next.below !== null };
  const rows = await ingest({
    facts,
    readAt: lease.now(),
    state(stored) {
      const after = afterPoll(source, state, { found: look, now: lease.now(), paceMs });
      return withRest(withSource(stored, source.name, after), restsUntil);
    },
  });
  await allowance.count({ facts, rows, isMore: false, now: lease.now() });
}

async function readAgain(turn: Turn, reread: Reread, messages: readonly MessageRow[]): Promise<Look<Rereading>> {
  const { context, readable } = await turn.reader();
  const asked = messages.map(({ key, external_id, author_id }) => ({ key, external_id: external_id ?? "", author_id }));
  const { found, paceMs } = await paidLook(turn, reread, false, () => reread.read(context, asked));
  const rows = new Map(messages.map((message) => [message.key, message]));
  const facts = readable(found.facts, turn.lease.now()).filter((fact) => !isKnown(fact, rows));
  return { found: { facts, gone: found.gone }, paceMs };
}

interface Missing {
  id: string;
  key: string;
  /** Milliseconds. */
  since: number;
}

function missingSince(
  gone: readonly string[],
  { young, before, now }: { young: readonly MessageRow[]; before: Cursor["missing"]; now: number },
): Missing[] {
  const isGone = new Set(gone);
  const missing = young.filter(({ key }) => isGone.has(key));
  return missing.map(({ id, key }) => ({ id, key, since: before[id] ?? now }));
}

function oldest(now: number): string {
  return isoTime(now - oldestMs);
}

async function storedMessages(
  { storage, row: { profile_id } }: Turn,
  { below, limit }: { below: number | null; limit: number },
): Promise<MessageRow[]> {
  const { rows } = await storage.find("messages", {
    where: { profile_id, state: "live", ...(below !== null && { seq: { lt: below } }) },
    order: { column: "seq", direction: "desc" },
    limit,
    isCounted: false,
  });
  return rows.map((message) => fromRow<MessageRow>(message));
}

/** It says nothing that is not stored. */
function isKnown(fact: InboxUpdate, rows: ReadonlyMap<string, MessageRow>): boolean {
  if (fact.fact !== "message") return false;
  const { key, external_id, text, attachments } = fact.message;
  const row = rows.get(key);
  if (row === undefined) return false;
  // Without a time only other words are an edit: addresses of files may be new each time.
  return fact.at === null ? row.text === text : isSame(row, { external_id, text, attachments: [...attachments] });
}

function nextCursor(
  before: Cursor,
  given: {
    messages: readonly MessageRow[];
    young: readonly MessageRow[];
    missing: readonly Missing[];
    reread: Reread;
  },
): Cursor {
  const { messages, young, missing, reread } = given;
  const count = before.count + messages.length;
  const isOver = messages.length < reread.atOnce || young.length === 0 || count >= reread.perRound;
  const read = new Set(young.map(({ id }) => id));
  const others = Object.entries(before.missing).filter(([id]) => !read.has(id));
  const stillMissing = missing.map(({ id, since }) => [id, since] as const);
  const remembered = Object.fromEntries([...stillMissing, ...others].slice(0, maxMissing));
  const last = messages.at(-1)?.seq ?? null;
  if (!isOver) return { ...before, below: last, count, missing: remembered };
  const end = messages.length < reread.atOnce || young.length === 0 ? null : last;
  // All that is left was read, so that there is nothing below; else the newest and what is below take turns.
  const isNextDeep = end !== null && !before.isDeep;
  const next = { isDeep: isNextDeep, deep: isNextDeep ? (before.deep ?? end) : end };
  return { ...next, below: null, count: 0, missing: remembered };
}
