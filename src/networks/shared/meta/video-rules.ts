import type { MediaRule } from "../../contract/limits.ts";
import { playable } from "../playable.ts";

/**
 * Meta's requirements for videos: 4:2:0, which is mandatory, and stereo sound with 48 kHz. No page says that other
 * sound is rejected, and there are no reports of it.
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09),
 * https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09)
 */
export const videoRules = {
  ...playable,
  max_audio_channels: 2,
  max_audio_sample_rate: 48_000,
  advised: ["max_audio_channels", "max_audio_sample_rate"],
} as const satisfies Partial<MediaRule>;

/** On Instagram and Threads the index must also stand before the content. No page says that other videos are rejected. Same source. */
export const indexFirst = {
  index_first: true,
  advised: [...videoRules.advised, "index_first"],
} as const satisfies Partial<MediaRule>;
