import type { PublishedPart } from "../networks/contract/plan.ts";
import type { KeptValues } from "../networks/runtime/session.ts";
import type { PublishingCode } from "../wire/errors.ts";

/** The stored state of a subject while it is being sent. */
export interface SubjectState {
  /** When sending first began, ISO 8601: the time that networks receive, the same in every repetition. */
  started_at: string | null;
  /** The values that `stage` made, by part. */
  kept: Record<string, KeptValues>;
  /** Parts that are live and confirmed, in order. */
  live: PublishedPart[];
  /** Intents up to this number belong to earlier attempts, by part. */
  last_intents_before_retry: Record<string, number>;
  /** Since when and how often this attempt was postponed, and the last intent before that. Null: it was not. */
  patience: {
    since: number;
    waits: number;
    number: number;
    /** A failure that occurred several times with the same message. Null: the last failure was of another kind. */
    alike: { message: string; times: number } | null;
  } | null;
  /**
   * The time of the backup from which the store was restored, milliseconds; each part may have been published since.
   * Null or absent: it was not restored.
   */
  restored_from?: number | null;
  /**
   * The time that keys are derived from, ISO 8601: the first scheduled time. It never changes, so that a restored store
   * derives the same keys.
   */
  keyed_at: string | null;
  /** How often ids that were missing when all parts were live have been requested. Absent: none was missing. */
  id_questions?: number;
  /** Since when every attempt has ended in a fault of this service or the store. Null: the last one did not. */
  faulty_since: number | null;
}

/** The error shown on a subject. */
export interface SubjectError {
  code: PublishingCode;
  message: string;
}

/** The end of a subject that was not published completely. */
export interface Failure {
  kind: "fail";
  code: PublishingCode;
  message: string;
  mayBeLive: boolean;
}
