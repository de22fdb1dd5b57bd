import { countText } from "../../text/count.ts";
import { type FileRule, type MediaRule, shownStill } from "../contract/limits.ts";
import type { NetworkSpec, SpecRule } from "../contract/spec.ts";
import { playable } from "../shared/playable.ts";
import type { MastodonOptions } from "./options.ts";

const instanceEntity = "https://docs.joinmastodon.org/entities/Instance/ (2026-07)";
const posting = "https://docs.joinmastodon.org/user/posting/ (2026-07)";

/** What a server allows for a kind of file, as its instance document says it. */
export interface FileBounds {
  bytes: number;
  pixels: number;
}

export const stockImage: FileBounds = { bytes: 16_777_216, pixels: 33_177_600 };
export const stockVideo: FileBounds = { bytes: 103_809_024, pixels: 8_294_400 };
/** 1280 × 720. */
const maxGifPixels = 921_600;

const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/avif", "image/heic", "image/heif"];
const videoTypes = ["video/mp4", "video/quicktime", "video/webm"];
const looped = "converted to a silent video that plays in a loop";

/** Smaller than the limit, which stays the stock one. https://github.com/mastodon/mastodon/blob/main/app/models/media_attachment.rb (2026-11) */
export const cover: FileRule = { mimes: [...imageTypes, "image/gif"], max_bytes: stockImage.bytes - 1 };

/**
 * Mastodon itself encodes other pictures again; servers that speak its API may show a video as it is.
 * https://github.com/mastodon/mastodon/blob/main/app/models/media_attachment.rb (2026-11)
 */
const shown: Partial<MediaRule> = { ...playable, advised: ["profiles", "chromas"] };

/** The files that a server takes, within its bounds. */
export function mediaRules(image: FileBounds, video: FileBounds): MediaRule[] {
  const gifPixels = Math.min(image.pixels, maxGifPixels);
  return [
    ...imageTypes.map(
      (mime): MediaRule => ({
        type: "image",
        mime,
        max_bytes: image.bytes,
        max_pixels: image.pixels,
        // An animated PNG is a GIF to it, an animated WebP one picture. https://github.com/mastodon/mastodon/pull/28516, …/issues/36514 (2026-10)
        ...(mime === "image/png" && { moving: { type: "gif", max_pixels: gifPixels, action: looped } }),
        ...(mime === "image/webp" && { moving: shownStill }),
      }),
    ),
    {
      type: "gif",
      mime: "image/gif",
      max_bytes: image.bytes,
      max_pixels: gifPixels,
      moving: { action: looped },
    },
    ...videoTypes.map(
      (mime): MediaRule => ({ type: "video", mime, max_bytes: video.bytes, max_pixels: video.pixels, ...shown }),
    ),
  ];
}

const emptyPost: SpecRule<MastodonOptions> = {
  code: "invalid_request",
  check({ input, parts }) {
    const index = parts.findIndex(({ text, media }) => text.trim() === "" && media.length === 0);
    if (index === -1) return null;
    const field = input.thread === null ? "text" : `thread[${index}]`;
    return { field, message: "A Mastodon post needs a text or a file." };
  },
};

/** Forbidden by the documents, though look-alikes take it. https://docs.joinmastodon.org/methods/statuses/ (2026-07) */
const pollBesideMedia: SpecRule<MastodonOptions> = {
  code: "unsupported",
  check: ({ parts }) =>
    parts.some((part) => part.media.length > 0 && part.options.poll !== undefined)
      ? { field: "networks.mastodon.poll", message: "A post cannot have both a poll and files. Leave out one of them." }
      : null,
};

/** The newest whose documents were read. https://docs.joinmastodon.org/changelog/ (2026-07) */
const apiVersion = "4.6 (API version 10)";

export const limits: NetworkSpec<MastodonOptions> & { network: "mastodon" } = {
  network: "mastodon",
  name: "Mastodon",
  text: { max: 500, unit: "graphemes", url_length: 23, bare_mentions: true },
  threads: true,
  media: {
    max_items: 4,
    max_of_type: { video: 1, gif: 1 },
    mixing: "one_type",
    types: mediaRules(stockImage, stockVideo),
    cover,
    max_alt: 1500,
  },
  post_types: ["post"],
  title: null,
  link_card: "from_text",
  inbox: { dm: "reply", comment: "reply", mention: "reply" },
  duplicates: ["located"],
  api_version: apiVersion,
  // Each server has its own version, and tells what it knows. https://docs.joinmastodon.org/entities/Instance/ (2026-07)
  versions: { [apiVersion]: null },
  hosts: [],
  rules: [emptyPost, pollBesideMedia],
  // Content warning and text share one limit. https://docs.joinmastodon.org/user/posting/ (2026-07)
  takenFromText: (given, text) => countText(given.spoiler_text ?? "", text),
  sources: {
    "text.max": instanceEntity,
    "text.url_length": instanceEntity,
    "media.max_items": instanceEntity,
    "media.max_of_type": posting,
    "media.types": `${instanceEntity}; a GIF's pixels: ${posting}`,
    "media.cover": "https://github.com/mastodon/mastodon/blob/main/app/models/media_attachment.rb (2026-11)",
    "media.max_alt": instanceEntity,
  },
};
