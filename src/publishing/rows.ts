import type { NetworkId } from "../networks/contract/limits.ts";
import type { Part, PublishedPart } from "../networks/contract/plan.ts";
import type { KeptValues } from "../networks/runtime/session.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import type { PublishingCode } from "../wire/errors.ts";
import type { Post, PostStatus, Target, TargetStatus } from "./schema.ts";

/** A post as stored: the wire's fields but the targets, and what only we see. */
export type PostRow = Omit<Post, "targets"> & {
  account_id: string;
  status: PostStatus;
  /** When a scheduled post is to be started, or tried again, milliseconds; null: nothing to start. */
  due_at: number | null;
  /** Rises with every change; every change compares it. */
  version: number;
  private: {
    /** The request as parsed: what a scheduled post is planned from when it is due. */
    body: ParsedCreatePost;
    /** Since when a due post has been waiting for its files, milliseconds; null: not at all. */
    waiting_since: number | null;
  };
};

export type TargetRow = Target & {
  account_id: string;
  post_id: string;
  network: NetworkId;
  status: TargetStatus;
  /** The order of `profile_ids`. */
  position: number;
  /** When its profile's holder is to look at it, milliseconds; null: nothing to do. */
  due_at: number | null;
  /** Its post's: lists are read off the targets. */
  created_at: string;
  private: TargetState;
};

/** What the engine knows of a target. */
export interface TargetState {
  /** Null until the post is started. */
  parts: Part[] | null;
  /** When publishing first began, ISO 8601: what networks are told as the time of the post, in every repetition. */
  started_at: string | null;
  /** What `stage` made, by part. */
  kept: Record<string, KeptValues>;
  /** Parts that are live and confirmed, in order. */
  live: PublishedPart[];
  /** The post may be live although the target failed: `retry` needs `force`. */
  may_be_live: boolean;
  /** Intents up to this number belong to earlier attempts, by part. */
  floors: Record<string, number>;
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
  /** What keys are made with as the post's time, ISO 8601: when it was to go out first. Never changes, so that a restored store makes the same ones. */
  keyed_at: string | null;
  /** Since when every try has ended in a fault of ours or of the store; null: the last one did not. */
  faulty_since: number | null;
}

export function emptyTargetState(): TargetState {
  return {
    parts: null,
    started_at: null,
    keyed_at: null,
    kept: {},
    live: [],
    may_be_live: false,
    floors: {},
    patience: null,
    faulty_since: null,
  };
}

/** The error that a target shows. */
export interface TargetError {
  code: PublishingCode;
  message: string;
}
