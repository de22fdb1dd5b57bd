import type { SandboxPost } from "../network.ts";
import type { Draft } from "./draft.ts";

/** A post with all its fields. */
export interface InstagramPost extends SandboxPost {
  /** The kind of post: one or several files, a reel, or a story. */
  product: Draft["product"];
  /** The kind of its file. */
  kind: Draft["kind"];
  /** The usernames of its other authors. */
  collaborators: readonly string[];
  /** The id of its place. */
  location_id: string | null;
  /** The ids of the tagged products, for each file. */
  products: readonly (readonly string[])[];
  /** Reels: true if it is also shown among the posts. */
  share_to_feed: boolean;
  /** True: it is labelled as made by AI. */
  is_ai_generated: boolean;
  /** True: it is labelled as a paid partnership. */
  is_paid_partnership: boolean;
  /** The ids of the sponsor accounts. */
  sponsors: readonly string[];
  /** The id of a reel's music. */
  music: string | null;
  /** False: comments are disabled. */
  comment_enabled: boolean;
}

export interface StoredPost {
  id: string;
  account: string;
  draft: Draft;
  /** The items of a carousel. */
  items: readonly Draft[];
  /** Milliseconds. */
  created_at: number;
  comment_enabled: boolean;
}

/** A comment. */
export interface StoredComment {
  /** Its id. */
  id: string;
  /** The id of the post. */
  post: string;
  /** Its author. */
  username: string;
  /** Its text. */
  text: string;
  /** Milliseconds since 1970. */
  created_at: number;
}

export function permalinkOf({ id, draft }: StoredPost): string {
  const kind = draft.product === "REELS" ? "reel" : draft.product === "STORY" ? "stories" : "p";
  return `https://www.instagram.com/${kind}/${BigInt(id).toString(36)}/`;
}

export function toPost(stored: StoredPost): InstagramPost {
  const { id, account, draft, items, created_at, comment_enabled } = stored;
  const files = draft.kind === "CAROUSEL_ALBUM" ? items : [draft];
  const { caption: text, product, kind, collaborators, location_id, share_to_feed } = draft;
  const { is_ai_generated, is_paid_partnership, sponsors, music } = draft;
  return {
    id,
    account,
    text,
    reply_to: null,
    url: permalinkOf(stored),
    media: files.length,
    alt: files.map(({ alt }) => alt),
    products: files.map(({ product_tags }) => product_tags.map(({ product_id }) => product_id)),
    created_at: new Date(created_at).toISOString(),
    product,
    kind,
    collaborators,
    location_id,
    share_to_feed,
    comment_enabled,
    is_ai_generated,
    is_paid_partnership,
    sponsors,
    music,
  };
}
