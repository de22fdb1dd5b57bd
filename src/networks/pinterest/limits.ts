import type { ExplainedAccess } from "../contract/inbox-access.ts";
import { type FileRule, type MediaRule, shownStill } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { playable } from "../shared/playable.ts";
import { apiVersion, host } from "./api.ts";
import type { PinterestOptions } from "./options.ts";
import { rules } from "./rules.ts";

const openApi = "https://github.com/pinterest/api-description (2025-12)";
const productSpecs = "https://business.pinterest.com/en/Pinterest-product-specs (2026-10)";
const ayrshare = "https://www.ayrshare.com/docs/media-guidelines/pinterest.md (2026-10)";

const maxImageBytes = 10_000_000;

const images = ["image/jpeg", "image/png"].map(
  (mime): MediaRule => ({
    type: "image",
    mime,
    max_bytes: maxImageBytes,
    ...(mime === "image/png" && { moving: shownStill }),
    min_width: 100,
    min_height: 100,
    pulled: true,
  }),
);
const videos = ["video/mp4", "video/quicktime"].map(
  (mime): MediaRule => ({
    type: "video",
    mime,
    max_bytes: 2_000_000_000,
    min_aspect: 0.5,
    max_aspect: 1.91,
    min_seconds: 4,
    max_seconds: 900,
    codecs: ["h264", "hevc"],
    ...playable,
  }),
);

/** Pinterest downloads covers, like images. */
const cover: FileRule = { mimes: ["image/jpeg", "image/png"], max_bytes: maxImageBytes, pulled: true };

const noInbox: ExplainedAccess = { may: "none", why: "Pinterest's API has no messages, comments or mentions." };

export const limits = {
  network: "pinterest",
  name: "Pinterest",
  text: { max: 800, unit: "utf16" },
  threads: false,
  media: {
    min_items: 1,
    max_items: 5,
    max_of_type: { video: 1 },
    mixing: "one_type",
    types: [...images, ...videos],
    max_alt: 500,
  },
  option_files: { cover_image_url: cover },
  variants: [{ when: { media: "video" }, media: { max_items: 1, cover } }],
  post_types: ["post"],
  title: { max: 100, required: false },
  // The link that a click on the Pin opens.
  link_card: "field",
  inbox: { dm: noInbox, comment: noInbox, mention: noInbox },
  duplicates: ["located", "may_be_live"],
  api_version: apiVersion,
  versions: { [apiVersion]: null },
  hosts: [host],
  rules,
  sources: {
    "text.max": `${openApi}; 500 in ${productSpecs}`,
    "media.min_items": openApi,
    "media.max_items": openApi,
    "media.max_of_type": openApi,
    "media.types.0": `${productSpecs}; at least 100 pixels: ${ayrshare} (unconfirmed)`,
    "media.types.1": `${productSpecs}; at least 100 pixels: ${ayrshare} (unconfirmed)`,
    "media.types.2": productSpecs,
    "media.types.3": productSpecs,
    "media.max_alt": openApi,
    "title.max": openApi,
    option_files: productSpecs,
    variants: `${openApi}; a cover as other images: ${productSpecs}`,
  },
} satisfies NetworkSpec<PinterestOptions>;
