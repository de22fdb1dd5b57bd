import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import type { MediaChange } from "../../../src/media/transform/transformer.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";

/** A file of 640 × 640 pixels that any network may take. */
export function fileOf(mime_type: string, facts: Partial<MeasuredMedia> = {}): MeasuredMedia {
  const shape = { mime_type, width: 640, height: 640, size_bytes: 100_000 };
  if (mime_type === "image/gif") return { type: "gif", ...shape, ...animation, duration_seconds: null, ...facts };
  if (mime_type.startsWith("image/")) return { type: "image", ...shape, duration_seconds: null, ...facts };
  return { type: "video", ...shape, ...film, duration_seconds: 10, ...facts };
}

const animation = { is_animated: true, frames: 4 };
const film = { codec: "h264", fps: 30, bitrate: 80_000, has_audio: true, audio_codec: "aac" };

/** A file that a rule takes. */
export function fileFor(rule: MediaRule, facts: Partial<MeasuredMedia> = {}): MeasuredMedia {
  const { min_width = 0, min_height = 0, min_aspect = 0, max_aspect = Number.POSITIVE_INFINITY } = rule;
  const aspect = min_aspect <= 1 && max_aspect >= 1 ? 1 : (min_aspect + max_aspect) / 2;
  const width = Math.max(640, min_width, Math.ceil(min_height * aspect));
  return fileOf(rule.mime, { width, height: Math.round(width / aspect), ...facts });
}

/** What a transformer makes of a file: as large as the change allows. */
export function outcomeOf(item: MeasuredMedia, change: MediaChange): MeasuredMedia {
  const { mime_type, width, height, max_bytes: size_bytes } = change;
  const shape = { mime_type, width, height, size_bytes };
  if (change.kind === "image")
    return { type: "image", ...shape, duration_seconds: null, is_animated: false, frames: 1 };
  const { duration_seconds, fps, bitrate, has_audio } = item;
  const { max_fps, max_bitrate } = change;
  return {
    type: "video",
    ...shape,
    duration_seconds,
    codec: "h264",
    ...(has_audio === true ? { has_audio, audio_codec: "aac" } : {}),
    ...(fps === undefined ? {} : { fps: Math.min(fps, max_fps ?? fps) }),
    ...(bitrate === undefined ? {} : { bitrate: Math.min(bitrate, max_bitrate ?? bitrate) }),
  };
}
