import type { MediaRule } from "../contract/limits.ts";

/**
 * Video formats that browsers and phones play: 8 bit and 4:2:0, and for HEVC and AV1 also what phones record.
 * https://developer.mozilla.org/en-US/docs/Web/Media/Guides/Formats/Video_codecs (2026-11)
 */
export const playable = {
  profiles: { h264: ["baseline", "main", "high"], hevc: ["main", "main-10"], vp9: ["0"], av1: ["main"] },
  chromas: ["4:2:0"],
} as const satisfies Partial<MediaRule>;
