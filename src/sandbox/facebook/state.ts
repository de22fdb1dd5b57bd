import type { Clock } from "../../ports/clock.ts";
import type { SandboxPost } from "../network.ts";
import type { Job } from "../parts/jobs.ts";

/** A photo of a Page. */
export interface Photo {
  /** Its id. */
  id: string;
  /** The id of the Page. */
  page: string;
  /** Its alt text; empty: none. */
  alt: string;
  /** Milliseconds since 1970. */
  created_at: number;
  /** True: it is part of a public post. */
  isUsed: boolean;
}

/** The path that a video is uploaded to. The purpose of a video's upload. */
export type Edge = "videos" | "video_reels" | "video_stories";

/** A video, as Facebook stores it. */
export interface Video {
  /** Its id. */
  id: string;
  /** The session of an upload in pieces. */
  session: string;
  /** The id of the Page. */
  page: string;
  /** The path that it was uploaded to. */
  edge: Edge;
  /** Its file, with zeros where bytes have not arrived. */
  bytes: Uint8Array;
  /** How many bytes have arrived. */
  held: number;
  /** Facebook's fetch of the file. */
  fetch: Job<string> | null;
  /** The processing, which starts with the request that publishes it. */
  work: Job<string> | null;
  /** The size of its cover, bytes; null: none. */
  thumbnail: number | null;
  /** Milliseconds since 1970. */
  created_at: number;
  /** True: its upload was cancelled. */
  isCancelled: boolean;
}

/** A post, as Facebook stores it. */
export interface StoredPost {
  /** With the Page's id: `1_2`. */
  id: string;
  /** The id of the Page. */
  page: string;
  /** What it is. */
  kind: "post" | "video" | "reel" | "story";
  /** Its text. */
  message: string;
  /** The title of a video. */
  title: string | null;
  /** The URL of its link card. */
  link: string | null;
  /** Its photos, in order. */
  photos: readonly Photo[];
  /** Its video. */
  video: Video | null;
  /** True: only some people can see it. */
  isTargeted: boolean;
  /** All other sent fields. */
  extras: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  created_at: number;
}

/** A comment, as Facebook stores it. */
export interface StoredComment {
  /** Its id. */
  id: string;
  /** The id of the post. */
  post: string;
  /** The id of the Page. */
  page: string;
  /** Its text. */
  message: string;
  /** Its author. */
  from: { id: string; name: string };
  /** Its attachment, as Facebook shows it. */
  attachment?: object;
  /** The id of the comment above it; null: none. */
  parent: string | null;
  /** Milliseconds since 1970. */
  created_at: number;
}

/** A post with all its fields. */
export interface FacebookPost extends SandboxPost {
  /** What it is. */
  kind: StoredPost["kind"];
  /** The title of a video. */
  title: string | null;
  /** The URL of its link card. */
  link: string | null;
  /** Call to action, category, place and so on. */
  extras: Readonly<Record<string, unknown>>;
}

export function addressOf({ id, kind, video }: Pick<StoredPost, "id" | "kind" | "video">): string {
  const [page, own] = id.split("_");
  if (kind === "story") return `https://www.facebook.com/stories/${page}/${own}`;
  return video === null
    ? `https://www.facebook.com/${page}/posts/${own}`
    : `https://www.facebook.com/reel/${video.id}/`;
}

/** True: the post is public. A video becomes public once it has been processed. */
export function isPublic({ video }: StoredPost, clock: Pick<Clock, "now">): boolean {
  return video === null || (video.work !== null && video.work.failure === null && clock.now() >= video.work.ready_at);
}

export function toPost(stored: StoredPost): FacebookPost {
  const { id, page, kind, message, title, link, photos, video, extras, created_at } = stored;
  return {
    id,
    account: page,
    text: message,
    reply_to: null,
    url: addressOf(stored),
    kind,
    title,
    link,
    extras,
    media: photos.length + (video === null ? 0 : 1),
    alt: photos.map(({ alt }) => alt),
    created_at: new Date(created_at).toISOString(),
  };
}
