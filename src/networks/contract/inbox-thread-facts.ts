import type { JsonObject } from "../../wire/json.ts";

/** A fact about a thread, not about a message. Until the thread begins, the newest fact of each kind waits for it. */
export type ThreadFact = ReceiptFact | ReferralFact | OpensFact;

/** All that the account sent in a thread until a moment was delivered, or read. */
export interface ReceiptFact {
  fact: "receipt";
  at: number | null;
  /** `Thread.key`. */
  thread: string;
  /** Whose act it is, `Person.id`. */
  person: string;
  what: "delivered" | "read";
  /** Milliseconds, the network's time. */
  until: number;
}

/** Somebody did what lets the account answer for a time, besides writing in the thread. */
export interface OpensFact {
  fact: "opens";
  at: number | null;
  /** `Thread.key`. */
  thread: string;
  /** Whose act it is, `Person.id`. */
  person: string;
  /** For how long. */
  hours: number;
}

/** Somebody came to a thread anew, as by an ad or a link. */
export interface ReferralFact {
  fact: "referral";
  at: number | null;
  /** `Thread.key`. */
  thread: string;
  /** Whose act it is, `Person.id`. */
  person: string;
  /** As `Thread.referral`. */
  referral: JsonObject;
}
