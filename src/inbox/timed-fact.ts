import type { InboxUpdate } from "../networks/contract/inbox.ts";

/** An update with its time: the network's, or when it was read. Milliseconds. */
export type TimedFact = (InboxUpdate | AnswersFact) & { at: number };

/** A message has a reply, which may arrive before it. Networks report it with the reply. */
export interface AnswersFact {
  fact: "answers";
  /** Key of the message that was replied to. */
  key: string;
  /** Key of the reply. */
  by: string;
  /** The reply's author, `Person.id`. */
  person: string;
}

/** The `answers` update of a message; the same each time that it is read. */
export function answersIn(fact: TimedFact): (AnswersFact & { at: number })[] {
  if (fact.fact !== "message") return [];
  const { key: by, reply_to, sent_at: at, author } = fact.message;
  if (reply_to === undefined || reply_to === by) return [];
  return [{ fact: "answers", at, key: reply_to, by, person: author.id }];
}
