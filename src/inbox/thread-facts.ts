import type { Fact } from "../networks/contract/inbox.ts";
import type { ThreadFact } from "../networks/contract/inbox-thread-facts.ts";
import { opened } from "./opening.ts";
import { withReceipt } from "./receipts.ts";
import type { ConversationRow } from "./rows.ts";

export type TimedThreadFact = ThreadFact & { at: number };

export function isAboutThread<SomeFact extends Fact>(fact: SomeFact): fact is SomeFact & ThreadFact {
  return fact.fact === "receipt" || fact.fact === "referral" || fact.fact === "opens";
}

/** The conversation after what is told of its thread. The same object: as much, or something newer, is known. */
export function afterThreadFact(row: ConversationRow, fact: TimedThreadFact): ConversationRow {
  if (fact.fact === "receipt") return withReceipt(row, fact);
  return fact.fact === "referral" ? withReferral(row, fact) : opened(row, fact);
}

function withReferral(
  row: ConversationRow,
  { referral, at }: Extract<TimedThreadFact, { fact: "referral" }>,
): ConversationRow {
  const { referred_at = Date.parse(row.created_at) } = row.private;
  if (at <= referred_at) return row;
  return { ...row, referral, private: { ...row.private, referred_at: at } };
}
