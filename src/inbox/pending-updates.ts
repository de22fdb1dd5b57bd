import { hash } from "node:crypto";
import { isoTime } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { toChange, toRow } from "../storage/typed.ts";
import type { Json } from "../wire/json.ts";
import { findAmong } from "./find-among.ts";
import type { InboxRow, PendingUpdateRow } from "./rows.ts";
import { isAboutThread, threadName, waitingName } from "./thread-facts.ts";
import type { TimedFact } from "./timed-fact.ts";

/** The keys of the messages that the updates are about. */
export function keysOf(facts: readonly TimedFact[]): string[] {
  return [...new Set(facts.flatMap(keysIn))];
}

function keysIn(fact: TimedFact): string[] {
  if (isAboutThread(fact)) return [];
  if (fact.fact === "answers") return [fact.key, fact.by];
  if (fact.fact !== "message") return [fact.key];
  const { key, reply_to } = fact.message;
  return reply_to === undefined ? [key] : [key, reply_to];
}

/**
 * Reads the pending updates that these updates complete or replace. Most inboxes have none, and then it sends no query.
 */
export async function readPendingUpdates(
  storage: Storage,
  inbox: InboxRow,
  { facts, now }: { facts: readonly TimedFact[]; now: number },
): Promise<PendingUpdateRow[]> {
  if (inbox.private.pending_updates_until <= now) return [];
  const among = [...new Set(facts.flatMap(waitedFor))];
  return findAmong(storage, "pending_updates", { column: "about", among, where: { inbox_id: inbox.id } });
}

/** `PendingUpdateRow.about` of the pending updates that an update completes or replaces. */
function waitedFor(fact: TimedFact): string[] {
  return fact.fact === "message" ? [...keysIn(fact), threadName(fact.thread.key)] : [aboutOf(fact)];
}

/** `PendingUpdateRow.about` of an update. */
export function aboutOf(fact: TimedFact): string {
  if (isAboutThread(fact)) return threadName(fact.thread);
  return fact.fact === "message" ? fact.message.key : fact.key;
}

/** The operations that store pending updates, without those that are stored already. */
export function pendingUpdateOperations(
  updates: readonly TimedFact[],
  { waiting, inbox, ids, now }: { waiting: readonly PendingUpdateRow[]; inbox: InboxRow; ids: Ids; now: number },
): Operation[] {
  const known = new Map(waiting.map(({ digest, id }) => [digest, id]));
  const kept = new Set(waiting.map(({ private: { fact } }) => fact as unknown as TimedFact));
  const operations: Operation[] = [];
  for (const fact of updates) {
    if (kept.has(fact)) continue;
    const digest = hash("sha256", isAboutThread(fact) ? waitingName(fact) : JSON.stringify(fact));
    const former = known.get(digest);
    const content = { created_at: isoTime(now), private: { fact: fact as unknown as Json } };
    if (former !== undefined) {
      // For a thread it is an older update of the same kind; for a message the identical one.
      if (isAboutThread(fact)) operations.push(updateStray(former, content));
      continue;
    }
    const id = ids.create("update", now);
    known.set(digest, id);
    const row: PendingUpdateRow = { id, inbox_id: inbox.id, about: aboutOf(fact), digest, ...content };
    operations.push({ kind: "insert", collection: "pending_updates", row: toRow(row) });
  }
  return operations;
}

function updateStray(id: string, content: Pick<PendingUpdateRow, "created_at" | "private">): Operation {
  return { kind: "update", collection: "pending_updates", id, change: toChange(content), where: {} };
}

export function deletePendingUpdate(id: string): Operation {
  return { kind: "delete", collection: "pending_updates", id };
}
