import type { FileRule, MediaRule } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { indexFirst, videoRules } from "../shared/meta/video-rules.ts";
import type { InstagramOptions } from "./options.ts";
import { rules } from "./rules.ts";

const mediaReference =
  "https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09)";
const errorCodes =
  "https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes (2026-06)";

const maxImageBytes = 8_000_000;

/** Instagram scales wider images down. */
const feedImage: MediaRule = {
  type: "image",
  mime: "image/jpeg",
  max_bytes: maxImageBytes,
  min_aspect: 0.8,
  max_aspect: 1.91,
  pulled: true,
};
const storyImage: MediaRule = { type: "image", mime: "image/jpeg", max_bytes: maxImageBytes, pulled: true };

/** A single video is also published as a reel. */
const reel: MediaRule = {
  type: "video",
  mime: "video/mp4",
  max_bytes: 300_000_000,
  max_width: 1_920,
  min_aspect: 0.01,
  max_aspect: 10,
  min_seconds: 3,
  max_seconds: 900,
  codecs: ["h264", "hevc"],
  ...videoRules,
  ...indexFirst,
  audio_codecs: ["aac"],
  min_fps: 23,
  max_fps: 60,
  max_bitrate: 25_000_000,
  pulled: true,
};
const reels = inBothContainers(reel);
const carouselVideos = inBothContainers({ ...reel, max_seconds: 60 });
const storyVideos = inBothContainers({ ...reel, max_bytes: 100_000_000, max_seconds: 60, min_aspect: 0.1 });

const cover: FileRule = { mimes: ["image/jpeg"], max_bytes: maxImageBytes, pulled: true };

const apiVersion = "v26.0";

export const limits = {
  network: "instagram",
  name: "Instagram",
  text: { max: 2_200, unit: "utf16" },
  threads: false,
  media: { min_items: 1, max_items: 10, mixing: "any", types: [feedImage, ...reels], max_alt: 1_000 },
  option_files: { cover_url: cover },
  post_types: ["post", "reel", "story"],
  title: null,
  // Links in a caption cannot be followed.
  link_card: "none",
  comment: { text: { max: 2_200, unit: "utf16" } },
  variants: [
    // Each file becomes its own story.
    { when: { post_type: "story" }, text: { max: 0 }, media: { types: [storyImage, ...storyVideos] } },
    { when: { post_type: "reel" }, media: { max_items: 1, types: reels, cover } },
    { when: { min_items: 2 }, media: { types: [feedImage, ...carouselVideos] } },
    { when: { media: "video" }, media: { cover } },
  ],
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: apiVersion,
  versions: { [apiVersion]: null, "v25.0": "2028-07-29" },
  hosts: ["graph.instagram.com", "graph.facebook.com", "api.instagram.com", "rupload.facebook.com"],
  rules,
  sources: {
    "text.max": `${mediaReference}; how it is counted is not documented (unconfirmed)`,
    "media.min_items": "https://developers.facebook.com/docs/instagram-platform/content-publishing (2026-09)",
    "media.max_items": `${mediaReference}; ${errorCodes}`,
    "media.types": `${mediaReference}; an image under 8 MiB: ${errorCodes}`,
    "media.max_alt": mediaReference,
    option_files: mediaReference,
    "comment.text.max": "https://github.com/gitroomhq/postiz-app (2026-08); others say 300 (unconfirmed)",
    "variants.0": mediaReference,
    "variants.1": mediaReference,
    "variants.2": `${mediaReference}; how long a video among several files may be is not documented: 60 s (unconfirmed)`,
    "variants.3": mediaReference,
    versions: "https://developers.facebook.com/docs/graph-api/changelog (2026-09)",
  },
} satisfies NetworkSpec<InstagramOptions>;

function inBothContainers(rule: MediaRule): MediaRule[] {
  return [rule, { ...rule, mime: "video/quicktime" }];
}
