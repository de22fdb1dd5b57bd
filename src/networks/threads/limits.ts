import { type MediaRule, shownStill } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { indexFirst, videoRules } from "../shared/meta/video-rules.ts";
import { apiVersion, host } from "./api.ts";
import type { ThreadsOptions } from "./options.ts";
import { rules } from "./rules.ts";

const posts = "https://developers.facebook.com/documentation/threads/posts (2026-04)";
/** A copy of Meta's documentation; the original was not read. */
const constants = "https://docs.rs/threads-rs/0.1.1/threads_rs/constants (2026-03)";
const collection = "https://github.com/fbsamples/threads_api (2025-12)";

const maxImageBytes = 8_000_000;

const video: MediaRule = {
  type: "video",
  mime: "video/mp4",
  max_bytes: 1_000_000_000,
  max_width: 1_920,
  min_aspect: 0.01,
  max_aspect: 10,
  max_seconds: 300,
  codecs: ["h264", "hevc"],
  ...videoRules,
  ...indexFirst,
  audio_codecs: ["aac"],
  min_fps: 23,
  max_fps: 60,
  max_bitrate: 100_000_000,
  pulled: true,
};
const videos: readonly MediaRule[] = [video, { ...video, mime: "video/quicktime" }];

export const limits = {
  network: "threads",
  name: "Threads",
  text: { max: 500, unit: "emoji_bytes" },
  threads: true,
  media: {
    max_items: 20,
    mixing: "any",
    types: [
      // Threads scales wider images down.
      { type: "image", mime: "image/jpeg", max_bytes: maxImageBytes, max_aspect: 10, pulled: true },
      { type: "image", mime: "image/png", max_bytes: maxImageBytes, max_aspect: 10, moving: shownStill, pulled: true },
      ...videos,
    ],
    max_alt: 1_000,
  },
  post_types: ["post", "reel"],
  title: null,
  link_card: "field",
  // A post with files has no link card.
  variants: [
    { when: { post_type: "reel" }, media: { min_items: 1, max_items: 1, types: videos }, link_card: "from_text" },
    { when: { min_items: 1 }, link_card: "from_text" },
  ],
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: apiVersion,
  versions: { [apiVersion]: null },
  hosts: [host],
  rules,
  sources: {
    "text.max": posts,
    "media.max_items": `${collection}; ${constants}`,
    "media.types": constants,
    "media.max_alt": `${constants}; that there is one: ${collection}`,
    // Threads has no reels; a video counts as one.
    variants: `${constants}; ${posts}`,
  },
} satisfies NetworkSpec<ThreadsOptions>;
