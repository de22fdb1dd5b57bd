import type { MediaRule } from "../../contract/limits.ts";
import { playable } from "../playable.ts";

/**
 * What Meta asks of videos: 4:2:0, which a video must have, and sound in stereo
 * with 48 kHz, for which no page names a refusal, and nobody reports one.
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09),
 * https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09)
 */
export const film = {
  ...playable,
  max_audio_channels: 2,
  max_audio_sample_rate: 48_000,
  advised: ["max_audio_channels", "max_audio_sample_rate"],
} as const satisfies Partial<MediaRule>;

/** On Instagram and Threads the index comes first as well; that videos without are refused, no page says. Same source. */
export const indexFirst = {
  index_first: true,
  advised: [...film.advised, "index_first"],
} as const satisfies Partial<MediaRule>;
