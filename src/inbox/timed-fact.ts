import type { InboxUpdate } from "../networks/contract/inbox.ts";

/** A fact, and when it holds: by the network, else when it was read. Milliseconds. */
export type TimedFact = (InboxUpdate | AnswersFact) & { at: number };

/** A message is answered by another one, which may come before it. Networks tell it with the other one. */
export interface AnswersFact {
  fact: "answers";
  /** The answered message's. */
  key: string;
  /** Key of the answer. */
  by: string;
  /** Who wrote the answer, `Person.id`. */
  person: string;
}

/** What a message says of the one that it answers; the same each time that it is read. */
export function answersIn(fact: TimedFact): (AnswersFact & { at: number })[] {
  if (fact.fact !== "message") return [];
  const { key: by, reply_to, sent_at: at, author } = fact.message;
  if (reply_to === undefined || reply_to === by) return [];
  return [{ fact: "answers", at, key: reply_to, by, person: author.id }];
}
