import type { FrozenFile } from "../hosting/derive.ts";
import type { MediaChange } from "../media/transform/transformer.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Part, StoredFile } from "../networks/contract/plan.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import type { SubjectState } from "../sending/state.ts";
import type { Post, PostStatus, Target, TargetStatus } from "./schema.ts";

/** A post as stored: its public fields without the targets, and internal ones. */
export type PostRow = Omit<Post, "targets"> & {
  account_id: string;
  status: PostStatus;
  /**
   * When a scheduled post is to be started, or its start retried, milliseconds. Null: no start is due. Negative: a
   * process is starting it, and its claim ends at `-due_at`.
   */
  due_at: number | null;
  /** Its targets' networks, each once, sorted and joined by commas. Lists count by them (`storage/schema.ts`). */
  target_networks: string;
  /** Rises with every change. Every change compares it. */
  version: number;
  private: {
    /** The request as parsed. A scheduled post is planned from it when it is due. */
    body: ParsedCreatePost;
    /** Keys of the hosted files that it needs. Absent: none. */
    files?: string[];
    /** Since when a due post has been waiting for its files, milliseconds. Null: it is not. */
    waiting_since: number | null;
    /**
     * Idempotency keys of its retries, the newest last. A request with one of them starts no retry. Absent: none had a
     * key.
     */
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
  /** When work on the target is due, milliseconds. Null: none is. */
  due_at: number | null;
  /** Its post's `status`, because posts are listed by their targets. Each write of the one writes the other. */
  post_status: PostStatus;
  /** Its post's, for the same reason. */
  created_at: string;
  private: TargetState;
};

/** The internal state of a target. */
export interface TargetState extends SubjectState {
  /** Null until the post is started. */
  parts: Part[] | null;
  /** Conversions of its files before sending, by URL. Absent: none. */
  changes?: Record<string, MediaChange>;
  /** Its files as sent, by URL, stored before the first request. Absent: not yet, or there is no media store. */
  files?: Record<string, FrozenFile>;
  /** The conversion of its link's image. Absent: none. */
  link_change?: MediaChange;
  /**
   * The link's image as sent. Null: it cannot be converted to what the network accepts. Absent: it is not stored, and
   * is read from its URL.
   */
  link_picture?: FrozenFile | null;
  /** The covers of its videos and the files named by its options, as sent. Absent: none is stored. */
  extras?: Record<string, StoredFile>;
  /** True: the post may be live although the target failed, so `retry` needs `force`. */
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

/** The known network ids of the post's live parts, without parts that have a role, such as a comment under it. */
export function postIdsOf({ live, parts }: TargetState): string[] {
  return live.flatMap(({ id }, index) => (id === null || parts?.[index]?.role !== undefined ? [] : [id]));
}

/** How the network changed the live parts, for humans. */
export function warningsOf({ live }: Pick<TargetState, "live">): string[] {
  return [...new Set(live.flatMap((part) => part.warnings ?? []))];
}

/** The permalink of the post's first part. */
export function urlOf({ live }: TargetState): string | null {
  return live[0]?.url ?? null;
}
