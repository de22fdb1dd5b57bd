import type { Clock } from "../../ports/clock.ts";
import type { SandboxPost } from "../network.ts";
import type { Job } from "../parts/jobs.ts";

export interface Photo {
  id: string;
  page: string;
  alt: string;
  created_at: number;
  /** True: it is part of a public post. */
  isUsed: boolean;
}

/** The purpose of a video's upload. */
export type Edge = "videos" | "video_reels" | "video_stories";

export interface Video {
  id: string;
  /** The session of an upload in pieces. */
  session: string;
  page: string;
  edge: Edge;
  bytes: Uint8Array;
  held: number;
  /** Facebook's fetch of the file. */
  fetch: Job<string> | null;
  /** The processing, which starts with the request that publishes it. */
  work: Job<string> | null;
  thumbnail: number | null;
  created_at: number;
  isCancelled: boolean;
}

export interface StoredPost {
  /** With the Page's id: `1_2`. */
  id: string;
  page: string;
  kind: "post" | "video" | "reel" | "story";
  message: string;
  title: string | null;
  link: string | null;
  photos: readonly Photo[];
  video: Video | null;
  isTargeted: boolean;
  /** All other sent fields. */
  extras: Readonly<Record<string, unknown>>;
  created_at: number;
}

export interface StoredComment {
  id: string;
  post: string;
  page: string;
  message: string;
  from: { id: string; name: string };
  /** Its attachment, as Facebook shows it. */
  attachment?: object;
  /** The id of the comment above it; null: none. */
  parent: string | null;
  created_at: number;
}

/** A post with all its fields. */
export interface FacebookPost extends SandboxPost {
  kind: StoredPost["kind"];
  title: string | null;
  link: string | null;
  /** Call to action, category, place and so on. */
  extras: Readonly<Record<string, unknown>>;
}

export function addressOf({ id, kind, video }: Pick<StoredPost, "id" | "kind" | "video">): string {
  const [page, own] = id.split("_");
  if (kind === "story") return `https://www.facebook.com/stories/${page}/${own}`;
  return video === null ? `https://www.facebook.com/${page}/posts/${own}` : `https://www.facebook.com/reel/${video.id}/`;
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
