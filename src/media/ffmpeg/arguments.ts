import { refused } from "../transform/refused.ts";
import type { TransformSource, VideoChange } from "../transform/transformer.ts";

/** Of the sound, bits a second. */
const audioBitrate = 128_000;

/** Of what is allowed, for the film's own index and what an encoder goes beyond its target. */
const usedShare = 0.92;

/** With fewer bits a second nobody sees what a film shows. */
const minVideoBitrate = 100_000;

/** A frame or packet takes less memory; a file can claim to need more. */
const maxBlockBytes = 512 * 1_024 * 1_024;

/** What ffmpeg calls the formats: it does not guess, so that a playlist cannot name other files. */
const formats: Readonly<Record<string, string>> = {
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/webm": "matroska",
  "video/matroska": "matroska",
};

/**
 * Bits a second at most for the pictures; null: as the quality needs.
 *
 * @param share of what the change allows
 * @throws PublishingError `media_error` when they are too few
 */
export function videoBitrateFor(
  { max_bitrate, max_bytes }: Pick<VideoChange, "max_bitrate" | "max_bytes">,
  durationSeconds: number | null,
  share: number,
): number | null {
  const bySize =
    durationSeconds === null || durationSeconds <= 0 ? Number.POSITIVE_INFINITY : (max_bytes * 8) / durationSeconds;
  const allowed = Math.min(max_bitrate ?? Number.POSITIVE_INFINITY, bySize);
  if (allowed === Number.POSITIVE_INFINITY) return null;
  const bitrate = Math.round(allowed * usedShare * share) - audioBitrate;
  if (bitrate >= minVideoBitrate) return bitrate;
  const problem =
    allowed === bySize
      ? `is too long to be made as small as ${max_bytes} bytes; give a shorter one`
      : `cannot be made as thin as ${max_bitrate} bits a second; give it as the network takes it`;
  throw refused(problem);
}

/** Whether what came out is as small as it was to be. */
export function isSmallEnough(
  { max_bitrate, max_bytes }: Pick<VideoChange, "max_bitrate" | "max_bytes">,
  sizeBytes: number,
  durationSeconds: number | null,
): boolean {
  // ffmpeg stops writing at the limit: what reaches it was cut.
  if (sizeBytes >= max_bytes) return false;
  return max_bitrate === null || durationSeconds === null || (sizeBytes * 8) / durationSeconds <= max_bitrate;
}

export interface FilmFiles extends Pick<TransformSource, "mime_type"> {
  input: string;
  output: string;
}

/** https://ffmpeg.org/ffmpeg.html, https://trac.ffmpeg.org/wiki/Encode/H.264 (November 2026) */
export function ffmpegArguments(
  { mime_type, input, output }: FilmFiles,
  { width, height, max_fps, max_bytes }: VideoChange,
  { bitrate, threads, maxPixels }: { bitrate: number | null; threads: number; maxPixels: number },
): string[] {
  const format = formats[mime_type];
  if (format === undefined) throw new TypeError(`${mime_type} is none of those that ffmpegTransformer reads.`);
  const bounded = bitrate === null ? [] : ["-maxrate", String(bitrate), "-bufsize", String(bitrate)];
  return [
    ...["-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-max_alloc", String(maxBlockBytes)],
    ...["-protocol_whitelist", "file", "-f", format, "-max_pixels", String(maxPixels)],
    ...["-threads", String(threads), "-i", input],
    ...["-map", "0:v:0", "-map", "0:a:0?", "-map_metadata", "-1", "-map_chapters", "-1"],
    ...[
      "-vf",
      `scale=${width}:${height},setsar=1,format=yuv420p`,
      ...(max_fps === null ? [] : ["-fpsmax", String(max_fps)]),
    ],
    ...["-c:v", "libx264", "-profile:v", "high", "-preset", "medium", "-crf", "20", ...bounded],
    ...["-c:a", "aac", "-b:a", String(audioBitrate), "-ac", "2", "-ar", "48000"],
    ...["-threads", String(threads), "-movflags", "+faststart", "-fs", String(max_bytes), "-f", "mp4", output],
  ];
}
