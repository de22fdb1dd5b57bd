import { postsBudget } from "../contract/budgets.ts";
import type { FileRule, MediaRule } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { googleLoginHost } from "../shared/google/login.ts";
import { apiHost, apiVersion } from "./api.ts";
import type { YoutubeOptions } from "./options.ts";
import { rules } from "./rules.ts";

const videosReference = "https://developers.google.com/youtube/v3/docs/videos (2026-09)";
const zernio = "https://docs.zernio.com/platforms/youtube (2026-11)";

/** YouTube accepts most containers and codecs, of any profile, chroma and depth, and re-encodes them. */
const videos = ["video/mp4", "video/quicktime", "video/webm", "video/matroska"].map(
  (mime): MediaRule => ({ type: "video", mime, max_bytes: 274_877_906_944, max_seconds: 43_200 }),
);

/** YouTube decides what is a Short: a square or upright video no longer than this. */
const shorts = videos.map((video): MediaRule => ({ ...video, max_seconds: 180, max_aspect: 1 }));

/** 2 MB until 2026-09-14. https://developers.google.com/youtube/v3/revision_history (2026-11) */
export const thumbnail: FileRule = { mimes: ["image/jpeg", "image/png"], max_bytes: 52_428_800 };

export const limits: NetworkSpec<YoutubeOptions> & { network: "youtube" } = {
  network: "youtube",
  name: "YouTube",
  text: { max: 5_000, unit: "utf8" },
  threads: false,
  media: { min_items: 1, max_items: 1, mixing: "one_type", types: videos, cover: thumbnail },
  option_files: { thumbnail },
  post_types: ["post", "reel"],
  title: { max: 100, required: true },
  link_card: "from_text",
  comment: { text: { max: 10_000, unit: "utf16" } },
  variants: [{ when: { post_type: "reel" }, media: { types: shorts } }],
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: apiVersion,
  // No end of v3 has been announced. https://developers.google.com/youtube/v3/revision_history (2026-11)
  versions: { [apiVersion]: null },
  // Shared by all channels of the Google Cloud project.
  budgets: [{ name: postsBudget, per: "app", limit: 100, day_in: "America/Los_Angeles" }],
  hosts: [apiHost, googleLoginHost],
  rules,
  sources: {
    "text.max": videosReference,
    "media.min_items": videosReference,
    "media.max_items": videosReference,
    "media.types.0.max_bytes": videosReference,
    "media.types.1.max_bytes": videosReference,
    "media.types.2.max_bytes": videosReference,
    "media.types.3.max_bytes": videosReference,
    "media.types": zernio,
    "media.cover": "https://developers.google.com/youtube/v3/revision_history (2026-11)",
    "option_files.thumbnail": "https://developers.google.com/youtube/v3/revision_history (2026-11)",
    "title.max": zernio,
    "comment.text.max":
      "https://developers.google.com/youtube/data/reference/rest/v3/comments/insert (2026-11) states no limit; this value is the one that users report (unconfirmed)",
    variants: zernio,
    "budgets.0.limit": "https://developers.google.com/youtube/v3/determine_quota_cost (2026-06)",
  },
};
