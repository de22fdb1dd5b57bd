import type { MediaRule } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";

const posts = "https://developers.facebook.com/documentation/threads/posts (2026-04)";
/** Taken from Meta's pages, which were not read themselves. */
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
  audio_codecs: ["aac"],
  min_fps: 23,
  max_fps: 60,
  max_bitrate: 100_000_000,
};
const videos: readonly MediaRule[] = [video, { ...video, mime: "video/quicktime" }];

const apiVersion = "v1.0";

export const limits: NetworkSpec & { network: "threads" } = {
  network: "threads",
  name: "Threads",
  text: { max: 500, unit: "emoji_bytes" },
  threads: true,
  media: {
    max_items: 20,
    mixing: "any",
    types: [
      // Wider pictures are scaled down by Threads itself.
      { type: "image", mime: "image/jpeg", max_bytes: maxImageBytes, max_aspect: 10 },
      { type: "image", mime: "image/png", max_bytes: maxImageBytes, max_aspect: 10 },
      ...videos,
    ],
    max_alt: 1_000,
  },
  post_types: ["post", "reel"],
  title: null,
  link_card: "field",
  variants: [{ when: { post_type: "reel" }, media: { min_items: 1, max_items: 1, types: videos } }],
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: apiVersion,
  versions: { [apiVersion]: null },
  hosts: ["graph.threads.net"],
  rules: [],
  sources: {
    "text.max": posts,
    "media.max_items": `${collection}; ${constants}`,
    "media.types": constants,
    "media.max_alt": `${constants}; that there is one: ${collection}`,
    // There are no reels: a video is one.
    variants: constants,
  },
};
