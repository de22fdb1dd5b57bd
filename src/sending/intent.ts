import { createHash } from "node:crypto";
import type { CommitBody } from "../networks/contract/commit.ts";
import type { Published } from "../networks/contract/plan.ts";
import type { Refusal } from "../networks/runtime/error-map.ts";
import { isoTime } from "../ports/clock.ts";
import type { PublishingCode } from "../wire/errors.ts";
import type { Json } from "../wire/json.ts";

/**
 * The record of one request that makes a part public. It is written before the first byte is sent, and updated with the
 * response.
 *
 * - `open`: about to be sent, sent, or orphaned by a crash
 * - `not_sent`: known not to have been sent
 * - `refused`, `later`: the network did nothing
 * - `accepted`: the network reported success
 * - `job`: the network accepted it and is processing it
 * - `unknown`: the response was lost; looks are pending
 * - `live`, `absent`, `undecided`: the result of the looks
 */
export type IntentState =
  | "open"
  | "not_sent"
  | "refused"
  | "later"
  | "accepted"
  | "job"
  | "unknown"
  | "live"
  | "absent"
  | "undecided";

/** States in which the part may or may not be public, and no look has decided it. */
export const unresolvedStates = ["open", "unknown"] as const satisfies readonly IntentState[];

/** States in which the part may be public, or may become public. */
export const inconclusiveStates = ["open", "unknown", "job", "undecided"] as const satisfies readonly IntentState[];

export interface IntentRow {
  id: string;
  profile_id: string;
  /** The target or outbound message that the part belongs to. */
  subject_id: string;
  part: number;
  /** 1, 2, 3 … within the part. */
  number: number;
  state: IntentState;
  /** When it is checked whether the intent is still needed, milliseconds (`retention.ts`). Null: it never settled. */
  due_at: number | null;
  created_at: string;
  private: IntentRecord;
}

export interface IntentRecord {
  key: string;
  /** Keys of the next parts that the same request sends. */
  following: string[];
  /**
   * The request's body without credentials. A repetition under the same key sends exactly this. Absent once the state
   * is none of `unresolvedStates`, because then the same request is never sent again.
   */
  body?: CommitBody;
  /** The host that it is sent to, whose clock dates the post. Absent: this service sent nothing. */
  host?: string;
  /** SHA-256 of the body, files included, by which a repetition finds that a file has changed. Absent as `body` is. */
  hash?: string;
  /**
   * The staged values that it was made from (containers, sessions, files), sealed. A look uses these, not what the
   * target has staged since. Null: none.
   */
  handles: string | null;
  /** The store's time of this write, milliseconds. */
  opened_at: number;
  /**
   * What other clocks showed then, milliseconds, because the store's may be set back or ahead later. Absent: this
   * service sent nothing.
   */
  other_clocks?: OtherClocks;
  /** The first byte is sent before this time, or never. */
  send_by: number;
  /** The exchange has ended by this time. */
  hard_end: number;
  /** When the response was found to be lost. Null: it was not. */
  unknown_since: number | null;
  /** Times of looks that found nothing, the store's time. */
  empty_looks: number[];
  /** Times of inconclusive looks, the store's time. */
  inconclusive_looks: number[];
  /** The last look that the network refused because a permission or quota was missing, the store's time. */
  refused_at: number | null;
  /**
   * True: this service sent nothing; the store was restored from a backup, and the part may have been published before.
   */
  is_restored?: boolean;
  /** The state before a retry looks for it once more. Null: no retry does. */
  outcome_before_retry: "undecided" | "absent" | null;
  /** The handle of the network's job and the start of the job, milliseconds. Absent: the network reported no job. */
  job?: { handle: Json; since: number };
  /** Earliest time of the next look, because the network was still processing it. */
  look_at: number | null;
  /** When the same request may be sent again. Null: never, or not again. */
  replay_at: number | null;
  /** True: the network called it a duplicate, so an empty look does not prove that it is absent. */
  is_duplicate: boolean;
  /** The reason, for humans. */
  message: string | null;
  answer: IntentAnswer | null;
}

/** The times that clocks other than the store's show at one moment, milliseconds. */
export interface OtherClocks {
  /** This process's clock. */
  machine: number;
  /** The clock of the host that the part is sent to. */
  network: number;
}

/** The key of the part that a request is about, and those of the parts sent with it. */
export type Keys = readonly [string, ...string[]];

export function keysOf({ private: { key, following } }: IntentRow): Keys {
  return [key, ...following];
}

/** The network's response. */
export interface IntentAnswer {
  published?: Published;
  /** The code of a refusal. */
  code?: PublishingCode;
  remedy?: Extract<Refusal, { effect: "later" }>["remedy"];
  retry_at?: number | null;
  /** `app`: the limit applies to the host's app. Absent: to the profile. */
  scope?: "app";
}

/** How long an intent is kept after it settled, milliseconds. A part may be lost and looked for within this time. */
export const settledKeptMs = 30 * 86_400_000;

/** States that may still change without a retry. */
const unsettledStates: readonly IntentState[] = [...unresolvedStates, "job"];

/**
 * The fields of an intent that gets a state. Once no repetition can send it again, the body goes: it is most of the row,
 * and looks compare the text of the subject. Looks need all else, such as times, keys and handles.
 *
 * @param now the store's time, milliseconds
 */
export function intentChange(
  state: IntentState,
  record: IntentRecord,
  now: number,
): Pick<IntentRow, "state" | "due_at" | "private"> {
  const due_at = unsettledStates.includes(state) ? null : now + settledKeptMs;
  if (state === "open" || state === "unknown") return { state, due_at, private: record };
  const { body: _, hash: __, ...kept } = record;
  return { state, due_at, private: kept };
}

/** Maximum time between the intent's write and the first byte, milliseconds. */
export const sendWithinMs = 5_000;

/** A new intent, to be written before its request is sent. */
export function newIntent(options: {
  id: string;
  profileId: string;
  subjectId: string;
  part: number;
  number: number;
  keys: Keys;
  body: CommitBody;
  host?: string;
  /** SHA-256 of each file, in order. */
  fileHashes: readonly string[];
  handles: string | null;
  now: number;
  otherClocks?: OtherClocks;
  hardEndMs: number;
}): IntentRow {
  const {
    body,
    now,
    keys: [key, ...following],
  } = options;
  return {
    id: options.id,
    profile_id: options.profileId,
    subject_id: options.subjectId,
    part: options.part,
    number: options.number,
    state: "open",
    due_at: null,
    created_at: isoTime(now),
    private: {
      key,
      following,
      body,
      ...(options.host === undefined ? {} : { host: options.host }),
      hash: hashOfBody(body, options.fileHashes),
      handles: options.handles,
      opened_at: now,
      ...(options.otherClocks === undefined ? {} : { other_clocks: options.otherClocks }),
      send_by: now + sendWithinMs,
      hard_end: now + sendWithinMs + options.hardEndMs,
      unknown_since: null,
      empty_looks: [],
      inconclusive_looks: [],
      refused_at: null,
      outcome_before_retry: null,
      look_at: null,
      replay_at: now,
      is_duplicate: false,
      message: null,
      answer: null,
    },
  };
}

/** SHA-256 that identifies a request's body, in which each file counts by its own hash. */
export function hashOfBody(body: CommitBody, fileHashes: readonly string[]): string {
  return sha256(JSON.stringify(["json" in body ? body.json : body, fileHashes]));
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
