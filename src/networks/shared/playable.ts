import type { MediaRule } from "../contract/limits.ts";

/**
 * Pictures of a video that browsers and phones show: 8 bit with a quarter of the
 * colour, and of HEVC and AV1 what phones record besides.
 * https://developer.mozilla.org/en-US/docs/Web/Media/Guides/Formats/Video_codecs (2026-11)
 */
export const playable = {
  profiles: { h264: ["baseline", "main", "high"], hevc: ["main", "main-10"], vp9: ["0"], av1: ["main"] },
  chromas: ["4:2:0"],
} as const satisfies Partial<MediaRule>;
