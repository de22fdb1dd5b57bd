import type { Part, PlannedMedia } from "../contract/plan.ts";

/** The ways to publish, each with its own requests. */
export type Kind = "comment" | "feed" | "video" | "reel" | "photo_story" | "video_story";

export function kindOf({
  role,
  post_type,
  media,
}: Pick<Part, "role" | "post_type"> & { media: readonly Pick<PlannedMedia, "type">[] }): Kind {
  if (role === "comment") return "comment";
  const isVideo = media[0]?.type === "video";
  if (post_type === "story") return isVideo ? "video_story" : "photo_story";
  if (post_type === "reel") return "reel";
  return isVideo ? "video" : "feed";
}

/** True: Facebook continues to process the post after the request that publishes it. */
export function isVideo(kind: Kind): boolean {
  return kind === "video" || kind === "reel" || kind === "video_story";
}
