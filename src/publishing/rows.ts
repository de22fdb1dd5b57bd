import type { FrozenFile } from "../hosting/derive.ts";
import type { MediaChange } from "../media/transform/transformer.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Part, StoredFile } from "../networks/contract/plan.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import type { SubjectState } from "../sending/state.ts";
import type { Post, PostStatus, Target, TargetStatus } from "./schema.ts";

/** A post as stored: the wire's fields but the targets, and what only we see. */
export type PostRow = Omit<Post, "targets"> & {
  account_id: string;
  status: PostStatus;
  /** When a scheduled post is to be started, or tried again, milliseconds; null: nothing to start. */
  due_at: number | null;
  /** Its targets' networks, each once, sorted, with commas between: lists count by them (`storage/schema.ts`). */
  target_networks: string;
  /** Rises with every change; every change compares it. */
  version: number;
  private: {
    /** The request as parsed: what a scheduled post is planned from when it is due. */
    body: ParsedCreatePost;
    /** Keys of the hosted files that it needs; absent: none. */
    files?: string[];
    /** Since when a due post has been waiting for its files, milliseconds; null: not at all. */
    waiting_since: number | null;
    /** Idempotency keys of its retries, the newest last: a repetition under one of them begins none. Absent: none had a key. */
    retry_keys?: string[];
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
  /** Its post's `status`: lists are read off the targets, so whoever writes the one writes the other. */
  post_status: PostStatus;
  /** Its post's, likewise. */
  created_at: string;
  private: TargetState;
};

/** What is known of a target besides what it shows. */
export interface TargetState extends SubjectState {
  /** Null until the post is started. */
  parts: Part[] | null;
  /** What its files are made into before they are sent, by their addresses. Absent: nothing. */
  changes?: Record<string, MediaChange>;
  /** Its files as they are sent, by their addresses: kept before the first request. Absent: not yet, or there is no media store. */
  files?: Record<string, FrozenFile>;
  /** What the picture of its link is made into. Absent: nothing. */
  link_change?: MediaChange;
  /** That picture as it is sent; null: it cannot be made into what the network takes. Absent: not kept, so that it is read at its address. */
  link_picture?: FrozenFile | null;
  /** The covers of its videos and the files that its options name, likewise. Absent: it has none that are kept. */
  extras?: Record<string, StoredFile>;
  /** The post may be live although the target failed: `retry` needs `force`. */
  may_be_live: boolean;
}

export function emptyTargetState(): TargetState {
  return {
    parts: null,
    started_at: null,
    keyed_at: null,
    kept: {},
    live: [],
    may_be_live: false,
    last_intents_before_retry: {},
    patience: null,
    faulty_since: null,
  };
}

/** The network's ids of what is live of the post itself, as far as it has told them: comments under it and its entries elsewhere are none of them. */
export function postIdsOf({ live, parts }: TargetState): string[] {
  return live.flatMap(({ id }, index) => (id === null || parts?.[index]?.role !== undefined ? [] : [id]));
}

/** What the network made of the live parts otherwise than asked, for humans. */
export function warningsOf({ live }: Pick<TargetState, "live">): string[] {
  return [...new Set(live.flatMap((part) => part.warnings ?? []))];
}

/** Where the post is to be seen: its first part's address. */
export function urlOf({ live }: TargetState): string | null {
  return live[0]?.url ?? null;
}
