import { type FileRule, type MediaRule, shownStill } from "../contract/limits.ts";
import type { NetworkSpec } from "../contract/spec.ts";
import { playable } from "../shared/playable.ts";
import type { LinkedinOptions } from "./options.ts";
import { rules } from "./rules.ts";

const shares = "https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares";

/** Our own limit, because LinkedIn documents none for the bytes of an image. */
export const maxImageBytes = 20_000_000;
/** "Less than 36,152,320". */
const maxImagePixels = 36_152_319;

const image: MediaRule = {
  type: "image",
  mime: "image/jpeg",
  max_bytes: maxImageBytes,
  max_pixels: maxImagePixels,
};

const pictures: readonly MediaRule[] = [
  image,
  { ...image, mime: "image/png", moving: shownStill },
  { ...image, type: "gif", mime: "image/gif", max_frames: 250 },
];

/** Uploaded with the video, within the limits for images. */
const cover: FileRule = { mimes: ["image/jpeg", "image/png"], max_bytes: maxImageBytes };

const apiVersion = "202609";

export const limits = {
  network: "linkedin",
  name: "LinkedIn",
  text: { max: 3_000, unit: "utf16" },
  threads: false,
  media: {
    max_items: 20,
    max_of_type: { video: 1 },
    mixing: "one_type",
    types: [
      ...pictures,
      {
        type: "video",
        mime: "video/mp4",
        min_bytes: 76_800,
        max_bytes: 500_000_000,
        min_seconds: 3,
        max_seconds: 1_800,
        ...playable,
      },
    ],
    max_alt: 4_086,
  },
  post_types: ["post"],
  title: null,
  link_card: "field",
  link_picture: pictures,
  comment: { text: { max: 1_250, unit: "utf16" } },
  variants: [{ when: { media: "video" }, media: { cover } }],
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located", "may_be_live"],
  api_version: apiVersion,
  versions: {
    [apiVersion]: "2027-09-15",
    "202608": "2027-08-15",
    "202607": "2027-07-15",
    "202606": "2027-06-15",
    "202605": "2027-05-15",
    "202604": "2027-04-15",
    "202603": "2027-03-16",
    "202602": "2027-02-15",
    "202601": "2027-01-15",
  },
  hosts: ["api.linkedin.com", "www.linkedin.com"],
  rules,
  sources: {
    "text.max": `${shares}/ugc-post-api (2026-08), the older API; the page of the present one states no limit (unconfirmed)`,
    link_picture: `${shares}/images-api (2026-08); the size limit (unconfirmed)`,
    "media.max_items": `${shares}/multiimage-post-api (2026-08)`,
    "media.max_of_type": `${shares}/videos-api (2026-08)`,
    "media.types.0": `${shares}/images-api (2026-08); the size limit (unconfirmed)`,
    "media.types.1": `${shares}/images-api (2026-08); the size limit (unconfirmed)`,
    "media.types.2": `${shares}/images-api (2026-08); the size limit (unconfirmed)`,
    "media.types.3": `${shares}/videos-api (2026-08); a field there says up to 5 GB`,
    "media.max_alt": `${shares}/post-api-schema (2026-08)`,
    "comment.text.max": `${shares}/comments-api (2026-08) states no limit; this value is the one that other publishing tools use (unconfirmed)`,
    "variants.0": `${shares}/videos-api (2026-08); the size limit (unconfirmed)`,
    versions:
      "https://learn.microsoft.com/en-us/linkedin/marketing/integrations/migrations (2026-09); the end dates of the versions 202605 to 202608 (unconfirmed)",
  },
} satisfies NetworkSpec<LinkedinOptions>;
