import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MediaFacts } from "../../src/media/probe/facts.ts";

const folder = new URL("fixtures/", import.meta.url);

/** Files from real encoders; `make-fixtures.ts` creates them. */
export const fixtureNames: readonly string[] = readdirSync(folder).sort();

export function fixturePath(name: string): string {
  return fileURLToPath(new URL(name, folder));
}

export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(name)));
}

const size = { width: 64, height: 48 };
const picture = { ...size, type: "image", duration_seconds: null, has_alpha: false, has_color_profile: false } as const;
const still = { ...picture, is_animated: false, frames: 1 } as const;
const stillHeif = { ...picture, is_animated: false, orientation: 1 } as const;
/** A rotated image is shown upright: width and height are swapped. */
const upright = { width: 48, height: 64, orientation: 6 } as const;
const high = { codec: "h264", profile: "high", chroma: "4:2:0", bit_depth: 8 } as const;
const main = { ...high, profile: "main" } as const;
/** A video stream of which only the codec is known. */
const untold = { ...size, type: "video", orientation: 1, duration_seconds: 0.4, fps: 25 } as const;
const video = { ...untold, ...high } as const;
const heard = { has_audio: true, audio_codec: "aac", audio_channels: 1, audio_sample_rate: 48_000 } as const;
const unheard = { has_audio: false } as const;
const mp4 = { ...video, ...heard, mime_type: "video/mp4", is_index_first: false } as const;
const silentMp4 = { ...video, ...unheard, mime_type: "video/mp4", is_index_first: false } as const;
const hdr = { ...silentMp4, duration_seconds: 0.2, bit_depth: 10 } as const;
const main10 = { ...hdr, codec: "hevc", profile: "main-10" } as const;
const webm = { ...untold, ...heard, mime_type: "video/webm" } as const;
const mkv = { ...video, ...unheard, mime_type: "video/matroska" } as const;

/** Their facts by name; the bitrate follows from size and duration. */
export const fixtureFacts: Readonly<Record<string, Omit<MediaFacts, "bitrate">>> = {
  "still.jpg": { ...picture, mime_type: "image/jpeg" },
  "turned.jpg": { ...picture, ...upright, mime_type: "image/jpeg" },
  "still.png": { ...still, mime_type: "image/png" },
  "alpha.png": { ...still, mime_type: "image/png", has_alpha: true },
  "animated.png": { ...still, mime_type: "image/png", is_animated: true, frames: 5 },
  "turned.png": { ...still, ...upright, mime_type: "image/png" },
  "turned-by-text.png": { ...still, ...upright, mime_type: "image/png" },
  "turned-at-end.png": { ...still, ...upright, mime_type: "image/png" },
  "still.gif": {
    ...size,
    type: "gif",
    mime_type: "image/gif",
    duration_seconds: null,
    is_animated: false,
    frames: 1,
    has_alpha: false,
  },
  "animated.gif": {
    ...size,
    type: "gif",
    mime_type: "image/gif",
    duration_seconds: null,
    is_animated: true,
    frames: 4,
    has_alpha: true,
  },
  "lossy.webp": { ...still, mime_type: "image/webp" },
  "lossless.webp": { ...still, mime_type: "image/webp" },
  "animated.webp": { ...still, mime_type: "image/webp", is_animated: true, frames: 5, has_alpha: true },
  "turned.webp": { ...still, ...upright, mime_type: "image/webp" },
  "turned.avif": { ...stillHeif, ...upright, orientation: 5, mime_type: "image/avif" },
  "exif-only.avif": { ...stillHeif, mime_type: "image/avif" },
  "still.avif": { ...stillHeif, mime_type: "image/avif" },
  "animated.avif": { ...stillHeif, mime_type: "image/avif", is_animated: true },
  "still.heic": { ...stillHeif, mime_type: "image/heic" },
  "alpha.heic": { ...stillHeif, mime_type: "image/heic", has_alpha: true },
  "large.mp4": { ...silentMp4, width: 640, height: 360, is_index_first: true },
  "index-last.mp4": mp4,
  "index-first.mp4": { ...mp4, is_index_first: true },
  "turned.mp4": { ...mp4, width: 48, height: 64, orientation: 8 },
  "silent.mp4": silentMp4,
  "hevc.mp4": { ...silentMp4, ...main, codec: "hevc", fps: 29.97, duration_seconds: 0.401 },
  "av1.mp4": { ...silentMp4, ...main, codec: "av1" },
  // An MP4 announces two channels for MP3 in any case.
  "mp3.mp4": { ...silentMp4, has_audio: true, audio_codec: "mp3", audio_sample_rate: 48_000 },
  "opus.mp4": { ...mp4, audio_codec: "opus" },
  // Length and rate are in each fragment, not in the index.
  "fragmented.mp4": { ...mp4, is_index_first: true },
  "pcm.mov": { ...mp4, mime_type: "video/quicktime", audio_codec: "pcm", audio_sample_rate: 8_000 },
  "prores.mov": { ...untold, ...unheard, mime_type: "video/quicktime", is_index_first: false, codec: "prores" },
  "vp9.webm": { ...webm, codec: "vp9", audio_codec: "opus", duration_seconds: 0.408 },
  "vp8.webm": { ...webm, codec: "vp8", audio_codec: "vorbis", duration_seconds: 0.403 },
  "av1.webm": { ...video, ...main, ...unheard, mime_type: "video/webm", codec: "av1" },
  "hlg.mov": { ...main10, mime_type: "video/quicktime", color_transfer: "hlg" },
  "hlg.mp4": { ...main10, color_transfer: "hlg" },
  "hlg-h264.mp4": { ...hdr, profile: "high-10", color_transfer: "hlg" },
  "pq-vp9.mp4": { ...hdr, codec: "vp9", profile: "2", color_transfer: "pq" },
  "pq.webm": {
    ...untold,
    ...unheard,
    mime_type: "video/webm",
    codec: "vp9",
    color_transfer: "pq",
    duration_seconds: 0.2,
  },
  "pq.avif": { ...stillHeif, mime_type: "image/avif", color_transfer: "pq" },
  "h264.mkv": mkv,
  "h264-444.mp4": { ...silentMp4, profile: "high-4:4:4", chroma: "4:4:4" },
  "h264-422.mkv": { ...mkv, profile: "high-4:2:2", chroma: "4:2:2", bit_depth: 10 },
  "h264-10bit.mov": { ...silentMp4, mime_type: "video/quicktime", profile: "high-10", bit_depth: 10 },
  "h264-lossless.mp4": { ...silentMp4, profile: "high-4:4:4" },
  "h264-grey.mp4": { ...silentMp4, chroma: "4:0:0" },
  "h264-baseline.mp4": { ...silentMp4, profile: "baseline" },
  "hevc-10bit.mp4": { ...silentMp4, codec: "hevc", profile: "main-10", bit_depth: 10 },
  "hevc-422.mkv": { ...mkv, codec: "hevc", profile: "range-extensions", chroma: "4:2:2", bit_depth: 10 },
  "av1-10bit.mp4": { ...silentMp4, ...main, codec: "av1", bit_depth: 10 },
  "vp9-444.mp4": { ...silentMp4, codec: "vp9", profile: "1", chroma: "4:4:4" },
  "surround.mp4": { ...mp4, audio_channels: 6, audio_sample_rate: 96_000 },
  "variable-rate.mp4": { ...silentMp4, duration_seconds: 19.007, fps: 23.15 },
  "still-screen.mp4": { ...silentMp4, duration_seconds: 10.5, fps: 3.333 },
  "still-screen-fragmented.mp4": { ...silentMp4, is_index_first: true, duration_seconds: 10.5, fps: 3.333 },
};
