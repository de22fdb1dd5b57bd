import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import type { MediaChange } from "../../../src/media/transform/transformer.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";

/** A file of 640 × 640 pixels that any network may accept. */
export function fileOf(mime_type: string, facts: Partial<MeasuredMedia> = {}): MeasuredMedia {
  const shape = { mime_type, width: 640, height: 640, size_bytes: 100_000 };
  if (mime_type === "image/gif") return { type: "gif", ...shape, ...animation, duration_seconds: null, ...facts };
  if (mime_type.startsWith("image/")) return { type: "image", ...shape, duration_seconds: null, ...facts };
  const inside = mime_type === "video/webm" ? { ...video, ...webm } : video;
  return { type: "video", ...shape, ...inside, duration_seconds: 10, ...facts };
}

const animation = { is_animated: true, frames: 4 };
const video = {
  ...({ codec: "h264", profile: "high", chroma: "4:2:0", bit_depth: 8 } as const),
  fps: 30,
  bitrate: 80_000,
  is_index_first: true,
  has_audio: true,
  audio_codec: "aac",
  audio_channels: 2,
  audio_sample_rate: 48_000,
};
const webm = { codec: "vp9", profile: "0", audio_codec: "opus" };

/** A file that a rule accepts. */
export function fileFor(rule: MediaRule, facts: Partial<MeasuredMedia> = {}): MeasuredMedia {
  const { min_width = 0, min_height = 0, min_aspect = 0, max_aspect = Number.POSITIVE_INFINITY } = rule;
  const aspect = min_aspect <= 1 && max_aspect >= 1 ? 1 : (min_aspect + max_aspect) / 2;
  const width = Math.max(640, min_width, Math.ceil(min_height * aspect));
  return fileOf(rule.mime, { width, height: Math.round(width / aspect), ...facts });
}

/** The facts of a transformer's result: as large as the change allows. */
export function outcomeOf(item: MeasuredMedia, change: MediaChange): MeasuredMedia {
  const { mime_type, width, height, max_bytes: size_bytes } = change;
  const shape = { mime_type, width, height, size_bytes };
  if (change.kind === "image")
    return { type: "image", ...shape, duration_seconds: null, is_animated: false, frames: 1 };
  const { duration_seconds, bitrate, has_audio, audio_codec, audio_channels, audio_sample_rate } = item;
  const { max_fps, max_bitrate, remux } = change;
  const fps = change.fps ?? item.fps;
  const copied = { audio_codec, audio_channels, audio_sample_rate };
  return {
    type: "video",
    ...shape,
    duration_seconds,
    is_index_first: true,
    ...(remux === undefined ? encodedPictures : picturesOf(item)),
    ...(has_audio === true ? { has_audio, ...(remux?.sound === "copy" ? copied : encodedSound) } : {}),
    ...(fps === undefined ? {} : { fps: Math.min(fps, max_fps ?? fps) }),
    ...(bitrate === undefined ? {} : { bitrate: Math.min(bitrate, max_bitrate ?? bitrate) }),
  } as MeasuredMedia;
}

const encodedPictures = { codec: "h264", profile: "high", chroma: "4:2:0", bit_depth: 8 };
const encodedSound = { audio_codec: "aac", audio_channels: 2, audio_sample_rate: 48_000 };

function picturesOf({ codec, profile, chroma, bit_depth }: MeasuredMedia): Partial<MeasuredMedia> {
  return { codec, profile, chroma, bit_depth } as Partial<MeasuredMedia>;
}
