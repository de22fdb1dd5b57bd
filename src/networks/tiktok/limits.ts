import type { ExplainedAccess } from "../contract/inbox-access.ts";
import { type MediaRule, shownStill } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { playable } from "../shared/playable.ts";
import { apiVersion, ownHosts } from "./api.ts";
import type { TiktokOptions } from "./options.ts";
import { rules } from "./rules.ts";

const directPost = "https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11)";
const photoPost = "https://developers.tiktok.com/doc/content-posting-api-reference-photo-post (2026-11)";
const transfer = "https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)";

const photos = ["image/jpeg", "image/webp"].map(
  (mime): MediaRule => ({
    type: "image",
    mime,
    max_bytes: 20_000_000,
    // "1080p": 1254 × 1254 and 1086 × 1448 are rejected. https://github.com/gitroomhq/postiz-app/pull/1875 (2026-08)
    max_short_side: 1_080,
    ...(mime === "image/webp" && { moving: shownStill }),
    pulled: true,
  }),
);

/** An account may have a shorter limit, of at least 3 minutes. */
const videos = ["video/mp4", "video/quicktime", "video/webm"].map(
  (mime): MediaRule => ({
    type: "video",
    mime,
    max_bytes: 4_000_000_000,
    min_width: 360,
    max_width: 4_096,
    min_height: 360,
    max_height: 4_096,
    max_seconds: 600,
    codecs: ["h264", "hevc", "vp8", "vp9"],
    ...playable,
    min_fps: 23,
    max_fps: 60,
  }),
);

const noInbox: ExplainedAccess = { may: "none", why: "TikTok's API has no messages, comments or mentions." };

export const limits: NetworkSpec<TiktokOptions> & { network: "tiktok" } = {
  network: "tiktok",
  name: "TikTok",
  text: { max: 2_200, unit: "utf16" },
  threads: false,
  media: {
    min_items: 1,
    max_items: 35,
    max_of_type: { video: 1 },
    mixing: "one_type",
    types: [...photos, ...videos],
  },
  post_types: ["post", "reel"],
  // TikTok calls a video's text its title.
  title: null,
  link_card: "none",
  variants: [
    { when: { post_type: "reel" }, media: { max_items: 1, types: videos } },
    { when: { media: "image" }, text: { max: 4_000 }, title: { max: 90, required: false } },
  ],
  inbox: { dm: noInbox, comment: noInbox, mention: noInbox },
  duplicates: ["located", "may_be_live"],
  api_version: apiVersion,
  versions: { [apiVersion]: null },
  hosts: [ownHosts],
  rules,
  sources: {
    "text.max": directPost,
    "media.min_items": directPost,
    "media.max_items": photoPost,
    "media.max_of_type": directPost,
    "media.types": `${transfer}; that "1080p" bounds the shorter side: https://github.com/trypostit/trypost/pull/120 (2026-06)`,
    "variants.0": `${directPost}; ${transfer}`,
    "variants.1": photoPost,
  },
};
