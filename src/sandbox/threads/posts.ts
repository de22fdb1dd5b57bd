import type { SandboxPost } from "../network.ts";
import type { Draft } from "./draft.ts";

/** A post with all its fields. */
export interface ThreadsPost extends SandboxPost {
  /** What it is. */
  kind: Draft["kind"];
  /** The URL of its link card. */
  link: string | null;
  /** Its topic. */
  topic: string | null;
  /** The id of the post that it quotes. */
  quoted: string | null;
  /** True: it disappears after a day. */
  isGhost: boolean;
  /** True: its files are hidden behind a warning. */
  isSpoiler: boolean;
  /** The options of its poll; empty: none. */
  poll: readonly string[];
}

export interface StoredPost {
  id: string;
  account: string;
  username: string;
  draft: Draft;
  /** The items of a carousel. */
  items: readonly Draft[];
  /** Milliseconds. */
  created_at: number;
}

export function permalinkOf({ id, username }: Pick<StoredPost, "id" | "username">): string {
  return `https://www.threads.net/@${username}/post/${BigInt(id).toString(36)}`;
}

export function toPost(stored: StoredPost): ThreadsPost {
  const { id, account, draft, items, created_at } = stored;
  const files = draft.kind === "CAROUSEL_ALBUM" ? items : draft.kind === "TEXT_POST" ? [] : [draft];
  const { text, reply_to, kind, link, topic, quoted, isGhost, isSpoiler, poll } = draft;
  return {
    id,
    account,
    text,
    reply_to,
    url: permalinkOf(stored),
    media: files.length,
    alt: files.map(({ alt }) => alt).filter((alt) => alt !== ""),
    created_at: new Date(created_at).toISOString(),
    kind,
    link,
    topic,
    quoted,
    isGhost,
    isSpoiler,
    poll,
  };
}
