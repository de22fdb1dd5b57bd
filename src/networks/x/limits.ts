import { type MediaRule, type MediaType, type ProfileLimits, shownStill } from "../contract/limits.ts";
import type { Part, PlanInput } from "../contract/plan.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { playable } from "../shared/playable.ts";
import { rulesOf } from "../shared/rules.ts";
import { apiVersion } from "./api.ts";
import type { XOptions } from "./options.ts";

const counting = "https://docs.x.com/fundamentals/counting-characters (2026-08)";
const upload = "https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09)";
const pricing = "https://docs.x.com/x-api/getting-started/pricing (2026-08)";

const { rule, problemAt } = rulesOf<XOptions>("x");

const maxImageBytes = 5_000_000;
const maxGifPixels = 300_000_000;

/** The limits of an account without Premium. */
const video: MediaRule = {
  type: "video",
  mime: "video/mp4",
  max_bytes: 8_000_000_000,
  min_width: 32,
  // "1280x1024", in either orientation.
  max_width: 1_280,
  min_height: 32,
  max_height: 1_280,
  max_pixels: 1_310_720,
  min_aspect: 1 / 3,
  max_aspect: 3,
  min_seconds: 0.5,
  max_seconds: 1_200,
  codecs: ["h264"],
  ...playable,
  audio_codecs: ["aac"],
  // "Mono or stereo"; no error is documented for more.
  max_audio_channels: 2,
  advised: ["max_audio_channels"],
  max_fps: 60,
};

/**
 * Limits the pixels of all frames together. https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09)
 */
const gifPixels = rule("media_error", ({ input: { media } }) => {
  const index = media.findIndex(
    ({ type, width, height, frames }) => type === "gif" && (width ?? 0) * (height ?? 0) * (frames ?? 0) > maxGifPixels,
  );
  if (index === -1) return null;
  const message = `All frames of a GIF have at most ${maxGifPixels} pixels together on X. Use fewer or smaller frames.`;
  return { field: `media[${index}]`, message };
});

/** A post may be empty only with files. https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
const emptyPost = rule("invalid_request", ({ input, parts }) => {
  const index = parts.findIndex(({ text, media }) => text.trim() === "" && media.length === 0);
  return index === -1 ? null : { field: fieldOf(input, index), message: "A post on X needs a text or a file." };
});

/** "You are not allowed to create a Tweet with duplicate content." https://github.com/akrherz/iembot/issues/163 (2026-08) */
const equalParts = rule("invalid_request", ({ input, parts }) => {
  const texts = parts.map(({ text }) => folded(text));
  const index = texts.findIndex((text, at) => text !== "" && texts.indexOf(text) !== at);
  if (index === -1) return null;
  const message = `Part ${index + 1} of the thread has the same text as part ${texts.indexOf(texts[index] ?? "") + 1}; X rejects that as duplicate content. Change one of them.`;
  return { field: fieldOf(input, index), message };
});

/** Limit of self-serve access. https://docs.x.com/x-api/posts/manage-tweets/introduction (2026-08) */
const maxCashtags = 1;
/** https://github.com/twitter/twitter-text, cashtags (npm twitter-text 3.1.0, read 2026-11) */
const cashtag = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|\s|[!"#%&'()*+,./:;<=>?@[\]^_`{|}~-])/gi;

const oneCashtag = rule("invalid_request", ({ input, parts }) => {
  const index = parts.findIndex(({ text }) => (text.match(cashtag) ?? []).length > maxCashtags);
  if (index === -1) return null;
  return { field: fieldOf(input, index), message: "X accepts at most one cashtag ($NAME) in a post." };
});

/** https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
const pollBesideMedia = rule("unsupported", ({ post: { options, media } }) =>
  options.poll !== undefined && media.length > 0
    ? problemAt("poll", "A post on X cannot have both a poll and files. Leave out one of them.")
    : null,
);

/** Options about files, and the types of files that they require. */
const aboutFiles: readonly { name: keyof XOptions; types: readonly MediaType[]; message: string }[] = [
  {
    name: "sensitive",
    types: ["image", "gif", "video"],
    message: "This is a warning for files, but the post has none.",
  },
  { name: "tagged_user_ids", types: ["image"], message: "People are tagged in photos, but the post has none." },
  { name: "subtitles", types: ["video"], message: "Subtitles require a video, but the post has none." },
];

const optionsHaveTheirFiles = rule("invalid_request", ({ post }) => {
  const types = post.media.map(({ type }) => type);
  const wrong = aboutFiles.find(
    (each) => post.options[each.name] !== undefined && !types.some((type) => each.types.includes(type)),
  );
  return wrong === undefined ? null : problemAt(wrong.name, wrong.message);
});

/** https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
const sharedFromSomewhere = rule("invalid_request", ({ post }) => {
  const { share_with_followers, community_id, subscribers_only } = post.options;
  if (share_with_followers === undefined || community_id !== undefined || subscribers_only === true) return null;
  const message = "This applies only to posts in a community or for subscribers: set community_id or subscribers_only.";
  return problemAt("share_with_followers", message);
});

function fieldOf({ thread }: PlanInput<XOptions>, index: number): string {
  return thread === null ? "text" : `thread[${index}]`;
}

function folded(text: Part["text"]): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

export const limits: NetworkSpec<XOptions> & { network: "x" } = {
  network: "x",
  name: "X",
  text: { max: 280, unit: "weighted", url_length: 23 },
  threads: true,
  media: {
    max_items: 4,
    max_of_type: { video: 1, gif: 1 },
    mixing: "one_type",
    types: [
      { type: "image", mime: "image/jpeg", max_bytes: maxImageBytes },
      { type: "image", mime: "image/png", max_bytes: maxImageBytes, moving: shownStill },
      { type: "image", mime: "image/webp", max_bytes: maxImageBytes, moving: shownStill },
      {
        type: "gif",
        mime: "image/gif",
        max_bytes: 15_000_000,
        max_width: 1_280,
        max_height: 1_080,
        max_frames: 350,
      },
      video,
      { ...video, mime: "video/quicktime" },
    ],
    max_alt: 1_000,
  },
  post_types: ["post"],
  title: null,
  link_card: "from_text",
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located", "may_be_live"],
  api_version: apiVersion,
  versions: { [apiVersion]: null },
  cost: [
    { for: "post", usd: 0.015, as_of: "2026-08" },
    { for: "post_with_link", usd: 0.2, as_of: "2026-08" },
    { for: "read", usd: 0.005, as_of: "2026-08" },
  ],
  hosts: ["api.x.com"],
  rules: [emptyPost, equalParts, oneCashtag, pollBesideMedia, optionsHaveTheirFiles, sharedFromSomewhere, gifPixels],
  sources: {
    text: counting,
    "media.max_items": upload,
    "media.max_of_type": upload,
    "media.types": `${upload}; that the 1280×1024 of a video may be portrait (unconfirmed)`,
    "media.max_alt": upload,
    cost: pricing,
  },
};

/** Maximum length of a Premium account's post. https://docs.x.com/changelog (2024-08, read 2026-08) */
const premiumTextMax = 25_000;
/** 16 GB and 125 minutes. https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09) */
const premiumVideo = { max_bytes: 16_000_000_000, max_seconds: 7_500 };

/** Plans with long posts and videos, which X documents in no single place. `Basic` has none (unconfirmed). */
const premiumPlans: ReadonlySet<string> = new Set(["Premium", "PremiumPlus"]);

/** The higher limits of an account's plan. @param plan its `subscription_type` */
export function limitsOfPlan(plan: string | null): ProfileLimits {
  if (plan === null || !premiumPlans.has(plan)) return {};
  const types = limits.media.types.map((rule) => (rule.type === "video" ? { ...rule, ...premiumVideo } : rule));
  return { text: { max: premiumTextMax }, media: { types } };
}
