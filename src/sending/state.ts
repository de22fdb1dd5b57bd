import type { PublishedPart } from "../networks/contract/plan.ts";
import type { KeptValues } from "../networks/runtime/session.ts";
import type { PublishingCode } from "../wire/errors.ts";

/** What is known of a subject while it is being sent. */
export interface SubjectState {
  /** When sending first began, ISO 8601: what networks get as its time, in every repetition. */
  started_at: string | null;
  /** What `stage` made, by part. */
  kept: Record<string, KeptValues>;
  /** Parts that are live and confirmed, in order. */
  live: PublishedPart[];
  /** Intents up to this number belong to earlier attempts, by part. */
  last_intents_before_retry: Record<string, number>;
  /** Since when and how often this attempt has been put off, and after which intent last; null: not at all. */
  patience: {
    since: number;
    waits: number;
    number: number;
    /** A failure that came several times, word for word; null: the last one was no such. */
    alike: { message: string; times: number } | null;
  } | null;
  /** The store was restored from a backup of this time, milliseconds: each part may have gone out since. Null or absent: it was not. */
  restored_from?: number | null;
  /** What keys are made with as its time, ISO 8601: when it was to go out first. Never changes, so that a restored store makes the same ones. */
  keyed_at: string | null;
  /** How often the ids that were missing when all of it was live have been asked for; absent: none was missing. */
  id_questions?: number;
  /** Since when every try has ended in a fault of ours or of the store; null: the last one did not. */
  faulty_since: number | null;
}

/** The error that a subject shows. */
export interface SubjectError {
  code: PublishingCode;
  message: string;
}

/** The end of a subject that did not go out whole. */
export interface Failure {
  kind: "fail";
  code: PublishingCode;
  message: string;
  mayBeLive: boolean;
}
