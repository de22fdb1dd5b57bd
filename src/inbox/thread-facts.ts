import type { ThreadFact } from "../networks/contract/inbox-thread-facts.ts";
import { opened, openUntil } from "./opening.ts";
import { withReceipt } from "./receipts.ts";
import type { ConversationRow } from "./rows.ts";

export type TimedThreadFact = ThreadFact & { at: number };

export function isAboutThread<SomeFact extends { fact: string }>(
  fact: SomeFact,
): fact is Extract<SomeFact, ThreadFact> {
  return fact.fact === "receipt" || fact.fact === "referral" || fact.fact === "opens";
}

/** The conversation with a thread fact applied. The same object: the fact is not newer than the known one. */
export function afterThreadFact(row: ConversationRow, fact: TimedThreadFact): ConversationRow {
  if (fact.fact === "receipt") return withReceipt(row, fact);
  return fact.fact === "referral" ? withReferral(row, fact) : opened(row, fact);
}

function withReferral(
  row: ConversationRow,
  { referral, at }: Extract<TimedThreadFact, { fact: "referral" }>,
): ConversationRow {
  const { referred_at = Number.NEGATIVE_INFINITY } = row.private;
  if (at <= referred_at) return row;
  return { ...row, referral, private: { ...row.private, referred_at: at } };
}

/** `PendingUpdateRow.about` of an update that waits for its thread. */
export function threadName(key: string): string {
  return `thread:${key}`;
}

/** A pending update's name. A thread has at most one pending update with the same name. */
export function waitingName(fact: ThreadFact): string {
  return `${threadName(fact.thread)} ${fact.fact === "receipt" ? fact.what : fact.fact}`;
}

/** The newer of two pending updates of one kind. */
export function newerOf(fact: TimedThreadFact, other: TimedThreadFact | undefined): TimedThreadFact {
  return other !== undefined && rankOf(other) > rankOf(fact) ? other : fact;
}

/** The value by which `afterThreadFact` decides between updates. */
function rankOf(fact: TimedThreadFact): number {
  if (fact.fact === "receipt") return fact.until;
  return fact.fact === "opens" ? openUntil(fact) : fact.at;
}

/** True: the update has no effect any more. */
export function isOver(fact: TimedThreadFact, now: number): boolean {
  return fact.fact === "opens" && openUntil(fact) <= now;
}
