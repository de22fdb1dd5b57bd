import type { MediaRule } from "../contract/limits.ts";
import type { NetworkSpec, SpecRule } from "../contract/spec.ts";

const counting = "https://docs.x.com/fundamentals/counting-characters (2026-08)";
const upload = "https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09)";
const pricing = "https://docs.x.com/x-api/getting-started/pricing (2026-08)";

const maxImageBytes = 5_000_000;
const maxGifPixels = 300_000_000;

/** An account without Premium: longer and larger ones are the account's own limits. */
const video: MediaRule = {
  type: "video",
  mime: "video/mp4",
  max_bytes: 8_000_000_000,
  min_width: 32,
  // "1280x1024", whichever side is the longer.
  max_width: 1_280,
  min_height: 32,
  max_height: 1_280,
  max_pixels: 1_310_720,
  min_aspect: 1 / 3,
  max_aspect: 3,
  min_seconds: 0.5,
  max_seconds: 1_200,
  codecs: ["h264"],
  audio_codecs: ["aac"],
  max_fps: 60,
};

/** All pictures of an animation together. https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09) */
const gifPixels: SpecRule = {
  code: "media_error",
  check: ({ input: { media } }) => {
    const index = media.findIndex(
      ({ type, width, height, frames }) =>
        type === "gif" && (width ?? 0) * (height ?? 0) * (frames ?? 0) > maxGifPixels,
    );
    if (index === -1) return null;
    const message = `All frames of a GIF have at most ${maxGifPixels} pixels together on X. Give fewer or smaller ones.`;
    return { field: `media[${index}]`, message };
  },
};

const apiVersion = "2";

export const limits: NetworkSpec & { network: "x" } = {
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
      { type: "image", mime: "image/png", max_bytes: maxImageBytes },
      { type: "image", mime: "image/webp", max_bytes: maxImageBytes },
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
  rules: [gifPixels],
  sources: {
    text: counting,
    "media.max_items": upload,
    "media.max_of_type": upload,
    "media.types": `${upload}; that the 1280×1024 of a video may stand upright (unconfirmed)`,
    "media.max_alt": upload,
    cost: pricing,
  },
};
