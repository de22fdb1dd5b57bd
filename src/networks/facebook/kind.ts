import type { Part, PlannedMedia } from "../contract/plan.ts";

/** The ways to publish, each with requests of its own. */
export type Kind = "comment" | "feed" | "film" | "reel" | "photo_story" | "video_story";

export function kindOf({
  role,
  post_type,
  media,
}: Pick<Part, "role" | "post_type"> & { media: readonly Pick<PlannedMedia, "type">[] }): Kind {
  if (role === "comment") return "comment";
  const isFilm = media[0]?.type === "video";
  if (post_type === "story") return isFilm ? "video_story" : "photo_story";
  if (post_type === "reel") return "reel";
  return isFilm ? "film" : "feed";
}

/** Facebook works on videos after the request that publishes them. */
export function isFilm(kind: Kind): boolean {
  return kind === "film" || kind === "reel" || kind === "video_story";
}
