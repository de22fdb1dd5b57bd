import type { VideoChange } from "../transform/transformer.ts";
import { audioBitrate, formats, maxBlockBytes, type VideoFiles } from "./arguments.ts";

/**
 * Copies a video's frames, with their rotation matrix, into an MP4 with the index first.
 * https://ffmpeg.org/ffmpeg.html, "Stream copy" (November 2026)
 */
export function remuxArguments(
  { mime_type, input, output }: VideoFiles,
  { remux, max_bytes }: Pick<VideoChange, "max_bytes"> & Required<Pick<VideoChange, "remux">>,
  { threads, maxPixels }: { threads: number; maxPixels: number },
): string[] {
  const format = formats[mime_type];
  if (format === undefined) throw new TypeError(`${mime_type} is not a format that ffmpegTransformer reads.`);
  const encoded = ["aac", "-b:a", String(audioBitrate), "-ac", "2", "-ar", "48000"];
  return [
    ...["-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-max_alloc", String(maxBlockBytes)],
    ...["-protocol_whitelist", "file", "-f", format, "-max_pixels", String(maxPixels)],
    ...["-threads", String(threads), "-i", input],
    ...["-map", "0:v:0", "-map", "0:a:0?", "-map_metadata", "-1", "-map_chapters", "-1"],
    ...["-c:v", "copy", "-c:a", ...(remux.sound === "copy" ? ["copy"] : encoded)],
    ...["-movflags", "+faststart", "-fs", String(max_bytes), "-f", "mp4", output],
  ];
}
