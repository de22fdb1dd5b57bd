import { createHash } from "node:crypto";
import type { CommitBody } from "../networks/contract/commit.ts";
import type { Published } from "../networks/contract/plan.ts";
import type { Refusal } from "../networks/runtime/error-map.ts";
import { isoTime } from "../ports/clock.ts";
import type { PublishingCode } from "../wire/errors.ts";
import type { Json } from "../wire/json.ts";

/**
 * The record of one attempt to make a part public: written before its first
 * byte is sent, and again when an answer is there.
 *
 * - `open`: about to be sent, sent, or orphaned by a crash
 * - `not_sent`: certainly never left
 * - `refused`, `later`: the network did nothing
 * - `accepted`: the network said yes
 * - `job`: the network took it and works on it
 * - `unknown`: the answer was lost; being looked for
 * - `live`, `absent`, `undecided`: what looking found
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

/** States in which the part may or may not be public. */
export const unresolvedStates = ["open", "unknown"] as const satisfies readonly IntentState[];

/** States in which the part may be public, or become so, as far as anybody knows. */
export const inconclusiveStates = ["open", "unknown", "job", "undecided"] as const satisfies readonly IntentState[];

export interface IntentRow {
  id: string;
  profile_id: string;
  /** The target (later also: an outbound message) and its part. */
  subject_id: string;
  part: number;
  /** 1, 2, 3 … within the part. */
  number: number;
  state: IntentState;
  created_at: string;
  private: IntentRecord;
}

export interface IntentRecord {
  key: string;
  /** Keys of the next parts, which go out in the same request. */
  following: string[];
  /** What is sent, without credentials: a repetition under the same key sends just this. Gone once its subject was cleared, which has settled by then. */
  body: CommitBody;
  /** Where it is sent: its clock dates the post. Absent: nothing was sent from here. */
  host?: string;
  /** SHA-256 of the body, files included. */
  hash: string;
  /** What was staged for it (containers, sessions, files), sealed: a look goes by these, whatever the target has staged since. Null: nothing. */
  handles: string | null;
  /** The store's time of this write, milliseconds. */
  opened_at: number;
  /** What other clocks showed then, milliseconds: the store's may be put back or ahead later. Absent: nothing was sent from here. */
  other_clocks?: OtherClocks;
  /** The first byte leaves before this, or never. */
  send_by: number;
  /** The exchange is over by then. */
  hard_end: number;
  /** Since when we know that the answer is lost. */
  unknown_since: number | null;
  /** Looks at the network that found nothing, the store's time. */
  empty_looks: number[];
  /** Looks that did not find it but do not mean that nothing is there, the store's time. */
  inconclusive_looks: number[];
  /** The last look that the network refused for want of a permission or a quota, the store's time. */
  refused_at: number | null;
  /** Nothing was sent from here: the store was restored from a backup, and the part may have gone out before. */
  is_restored?: boolean;
  /** What it was settled as before a retry looks for it once more; null: that is not the case. */
  outcome_before_retry: "undecided" | "absent" | null;
  /** What the network is asked by until its job has ended, and since when it has been at it, milliseconds. Absent: it said nothing of a job. */
  job?: { handle: Json; since: number };
  /** No look before this, where the network was still at work. */
  look_at: number | null;
  /** The same request may go out again at this time; null: never (again). */
  replay_at: number | null;
  /** The network called it a duplicate, so finding nothing does not mean that nothing is there. */
  is_duplicate: boolean;
  /** Why, for humans. */
  message: string | null;
  answer: IntentAnswer | null;
}

/** What other clocks than the store's show at one moment, milliseconds. */
export interface OtherClocks {
  /** This process's own. */
  machine: number;
  /** That of the host that the part is sent to. */
  network: number;
}

/** The key of the part that a request is about, and those of the parts that go out with it. */
export type Keys = readonly [string, ...string[]];

export function keysOf({ private: { key, following } }: IntentRow): Keys {
  return [key, ...following];
}

/** What the network said. */
export interface IntentAnswer {
  published?: Published;
  /** A refusal's code and message. */
  code?: PublishingCode;
  remedy?: Extract<Refusal, { effect: "later" }>["remedy"];
  retry_at?: number | null;
  /** The limit is that of the host's app. Absent: the profile's. */
  scope?: "app";
}

/** Time between the intent's write and the first byte, milliseconds. */
export const sendWithinMs = 5_000;

/** A new intent, as it is written before its request is sent. */
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

/** What a request's body is known by: SHA-256, with each file as its own hash. */
export function hashOfBody(body: CommitBody, fileHashes: readonly string[]): string {
  return sha256(JSON.stringify(["json" in body ? body.json : body, fileHashes]));
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
