import type { MediaRule, ProfileLimits } from "../contract/limits.ts";
import type { Part, PlanInput } from "../contract/plan.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { playable } from "../shared/playable.ts";
import { firstGiven, rulesOf } from "../shared/rules.ts";
import type { BlueskyOptions } from "./options.ts";

const lexicons = "https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky";
const officialApp = "https://github.com/bluesky-social/social-app/blob/main/src/lib/constants.ts";

/** Up to here a post holds its pictures in `app.bsky.embed.images`; more make a gallery. */
export const maxPlainImages = 4;
/** https://github.com/bluesky-social/atproto/pull/4823 (2026-04) */
export const maxImageBytes = 2_000_000;
/** Servers before that change refuse more. */
const maxImageBytesBefore = 1_000_000;
/** https://github.com/bluesky-social/atproto/pull/5373 (2026-08) */
export const maxVideoBytes = 300_000_000;
/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/external.json (2026-08) */
export const maxThumbBytes = 1_000_000;
/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/video.json (2026-08) */
export const maxCaptionBytes = 20_000;

/** https://github.com/bluesky-social/social-app/issues/5519, …/6445 (2026-10) */
const moving: NonNullable<MediaRule["moving"]> = {
  action: "shown as a still image; upload an mp4 with presentation: gif to animate it",
};

const mediaTypes: readonly MediaRule[] = [
  { type: "image", mime: "image/jpeg", max_bytes: maxImageBytes },
  { type: "image", mime: "image/png", max_bytes: maxImageBytes, moving },
  { type: "image", mime: "image/webp", max_bytes: maxImageBytes, moving },
  { type: "gif", mime: "image/gif", max_bytes: maxImageBytes, moving },
  { type: "video", mime: "video/mp4", max_bytes: maxVideoBytes, max_seconds: 600, ...playable },
];

const { rule, problemAt } = rulesOf<BlueskyOptions>("bluesky");

const thumbTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"];

/** One embed a post: pictures, a video or a card. https://docs.bsky.app/docs/advanced-guides/posts (2026-08) */
const linkBesideMedia = rule("unsupported", ({ parts }) =>
  parts.some((part) => part.link !== null && part.media.length > 0)
    ? {
        field: "link",
        message:
          "Bluesky shows either files or a link card on one post. Put the URL into the text, or leave out the files.",
      }
    : null,
);

/** `app.bsky.embed.gallery` requires `aspectRatio`; `app.bsky.embed.images` does not. */
const galleryNeedsDimensions = rule("media_error", ({ input, parts }) => {
  const media = parts.filter((part) => part.media.length > maxPlainImages).flatMap((part) => part.media);
  const unmeasured = media.find((item) => item.width === null || item.height === null);
  if (unmeasured === undefined) return null;
  return {
    field: mediaField(input, unmeasured.url),
    message: `With more than ${maxPlainImages} images Bluesky requires the width and height of each, but this file does not have them.`,
  };
});

/** The network itself would take an empty post. */
const emptyPost = rule("invalid_request", ({ parts }) =>
  parts.some((part, index) => isEmpty(part) && !(index === 0 && part.options.quote !== undefined))
    ? { field: "text", message: "A Bluesky post needs a text, a file, a link or a quoted post." }
    : null,
);

/** Who may reply is for the post to say that begins a conversation. https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/threadgate.json (2026-08) */
const replyHasNoRules = rule("invalid_request", ({ post }) => {
  const { reply_to, replies } = post.options;
  if (reply_to === undefined || replies === undefined || replies === "everyone") return null;
  return problemAt(
    "replies",
    "The first post of the conversation decides who may reply: leave out either this or reply_to.",
  );
});

const videoOptionsNeedVideo = rule("invalid_request", ({ post, parts }) => {
  if (parts.some((part) => part.media.some((item) => item.type === "video"))) return null;
  const wrong = firstGiven(post.options, ["captions", "presentation"]);
  return wrong === undefined ? null : problemAt(wrong, "This option applies to a video, but the post has none.");
});

/** When they were read. https://github.com/bluesky-social/atproto/tree/main/lexicons (2026-08) */
const apiVersion = "atproto lexicons of 2026-08";

export const limits: NetworkSpec<BlueskyOptions> & { network: "bluesky" } = {
  network: "bluesky",
  name: "Bluesky",
  text: { max: 300, unit: "graphemes", max_bytes: 3000 },
  threads: true,
  media: {
    max_items: 10,
    max_of_type: { video: 1 },
    mixing: "one_type",
    types: mediaTypes,
    max_alt: 2000,
  },
  post_types: ["post"],
  title: null,
  link_card: "field",
  link_picture: thumbTypes.map((mime) => ({ type: "image", mime, max_bytes: maxThumbBytes })),
  inbox: { dm: "reply", comment: "reply", mention: "reply" },
  duplicates: ["keyed"],
  api_version: apiVersion,
  // Lexicons have no versions, and the end of none that is used here is announced.
  versions: { [apiVersion]: null },
  hosts: ["bsky.social", "plc.directory", "video.bsky.app"],
  rules: [linkBesideMedia, galleryNeedsDimensions, emptyPost, replyHasNoRules, videoOptionsNeedVideo],
  sources: {
    text: `${lexicons}/feed/post.json (2026-08)`,
    link_picture: `${lexicons}/embed/external.json (2026-08)`,
    "media.max_items": `${officialApp} (2026-08); a gallery's schema allows 20: ${lexicons}/embed/gallery.json (2026-08)`,
    "media.max_of_type.video": `${lexicons}/embed/video.json (2026-08)`,
    "media.types.0": `${lexicons}/embed/images.json (2026-08)`,
    "media.types.1": `${lexicons}/embed/images.json (2026-08)`,
    "media.types.2": `${lexicons}/embed/images.json (2026-08)`,
    "media.types.3": `${lexicons}/embed/images.json (2026-08)`,
    "media.types.4.max_bytes": `${lexicons}/embed/video.json (2026-08)`,
    "media.types.4.max_seconds": `${officialApp} (2026-08)`,
    "media.max_alt": `${officialApp} (2026-08)`,
  },
};

/**
 * What one server allows. `blobUploadLimit` is what its describeServer says, in
 * bytes; servers that say nothing are older than the present image limit.
 */
export function serverLimits(blobUploadLimit: number | null): ProfileLimits {
  const types = mediaTypes.map((rule) => ({ ...rule, max_bytes: Math.min(rule.max_bytes, maxBytes(rule)) }));
  const same = types.every((rule, index) => rule.max_bytes === mediaTypes[index]?.max_bytes);
  return same ? {} : { media: { types } };

  function maxBytes(rule: MediaRule): number {
    if (blobUploadLimit !== null) return blobUploadLimit;
    return rule.type === "video" ? rule.max_bytes : maxImageBytesBefore;
  }
}

function isEmpty(part: Part<BlueskyOptions>): boolean {
  return part.text.trim() === "" && part.media.length === 0 && part.link === null;
}

function mediaField(input: PlanInput<BlueskyOptions>, url: string): string {
  return `media[${Math.max(
    0,
    input.media.findIndex((item) => item.url === url),
  )}]`;
}
