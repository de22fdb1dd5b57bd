import type { JsonObject } from "../../wire/json.ts";

/** A fact about a thread, not about a message. Until the thread's first message arrives, the newest fact of each kind waits for it. */
export type ThreadFact = ReceiptFact | ReferralFact | OpensFact;

/** A receipt: everything that the account sent in a thread up to a time was delivered, or read. */
export interface ReceiptFact {
  fact: "receipt";
  at: number | null;
  /** `Thread.key`. */
  thread: string;
  /** `Person.id` of the recipient. */
  person: string;
  what: "delivered" | "read";
  /** Milliseconds, the network's time. */
  until: number;
}

/** A user did something other than write in the thread that lets the account reply for a while. */
export interface OpensFact {
  fact: "opens";
  at: number | null;
  /** `Thread.key`. */
  thread: string;
  /** `Person.id` of the user. */
  person: string;
  /** How long the account may reply. */
  hours: number;
}

/** A user entered a thread again, for example through an ad or a link. */
export interface ReferralFact {
  fact: "referral";
  at: number | null;
  /** `Thread.key`. */
  thread: string;
  /** `Person.id` of the user. */
  person: string;
  /** The same as `Thread.referral`. */
  referral: JsonObject;
}
