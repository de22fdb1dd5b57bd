import type { MediaRule } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";

const videosReference = "https://developers.google.com/youtube/v3/docs/videos (2026-09)";
const zernio = "https://docs.zernio.com/platforms/youtube (2026-11)";

/** YouTube takes most containers and codecs, and encodes them again. A channel without a phone number: 15 minutes. */
const videos = ["video/mp4", "video/quicktime", "video/webm", "video/matroska"].map(
  (mime): MediaRule => ({ type: "video", mime, max_bytes: 274_877_906_944, max_seconds: 43_200 }),
);

const apiVersion = "v3";

export const limits: NetworkSpec & { network: "youtube" } = {
  network: "youtube",
  name: "YouTube",
  text: { max: 5_000, unit: "utf8" },
  threads: false,
  media: { min_items: 1, max_items: 1, mixing: "one_type", types: videos },
  // What is a Short, YouTube decides.
  post_types: ["post", "reel"],
  title: { max: 100, required: true },
  link_card: "from_text",
  comment: { text: { max: 10_000, unit: "utf16" } },
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: apiVersion,
  versions: { [apiVersion]: null },
  hosts: ["www.googleapis.com"],
  rules: [],
  sources: {
    "text.max": videosReference,
    "media.min_items": videosReference,
    "media.max_items": videosReference,
    "media.types.0.max_bytes": videosReference,
    "media.types.1.max_bytes": videosReference,
    "media.types.2.max_bytes": videosReference,
    "media.types.3.max_bytes": videosReference,
    "media.types": zernio,
    "title.max": zernio,
    "comment.text.max":
      "https://developers.google.com/youtube/data/reference/rest/v3/comments/insert (2026-11) names no limit; people report this one (unconfirmed)",
  },
};
