import type { PublishingError } from "../../wire/errors.ts";
import type { MediaFacts } from "../probe/facts.ts";
import { refused } from "../transform/refused.ts";
import type { TransformSource, VideoChange } from "../transform/transformer.ts";

/** Bit rate of the audio, bits a second. */
export const audioBitrate = 128_000;

/** The share of the allowed bytes that is planned; the rest is for the index and for an encoder that exceeds its target. */
const usedShare = 0.92;

/** With fewer bits a second, a video is unrecognizable. */
const minVideoBitrate = 100_000;

/** Maximum memory of a frame or packet; a file can claim to need more. */
export const maxBlockBytes = 512 * 1_024 * 1_024;

/** The brightness of white on paper, and that of the brightest spot in phone videos: ITU-R BT.2408, sections 2.1 and 2.2. */
const [whiteNits, peakNits] = [203, 1_000];

type Transfer = NonNullable<MediaFacts["color_transfer"]>;

/** ffmpeg's names: https://ffmpeg.org/ffmpeg-filters.html#setparams-1 (November 2026) */
const transferNames: Readonly<Record<Transfer, string>> = { hlg: "arib-std-b67", pq: "smpte2084" };

/**
 * Converts HDR for screens without it. Values darker than half of white keep their brightness; brighter ones are
 * compressed below the peak. The input's colours are set explicitly, because a video may state them only in its
 * container.
 */
function toneMapping(transfer: Transfer): string {
  return [
    `setparams=color_primaries=bt2020:color_trc=${transferNames[transfer]}:colorspace=bt2020nc`,
    `format=yuv420p10le,zscale=t=linear:npl=${whiteNits},format=gbrpf32le,zscale=p=bt709`,
    `tonemap=mobius:param=0.5:desat=0:peak=${(peakNits / whiteNits).toFixed(3)}`,
    "zscale=t=bt709:m=bt709:r=tv",
  ].join();
}

const taggedSdr = ["color_primaries", "color_trc", "colorspace"].flatMap((name) => [`-${name}`, "bt709"]);

/**
 * ffmpeg's input formats. Stated explicitly so that ffmpeg does not guess and read a playlist, which could name other
 * files.
 */
export const formats: Readonly<Record<string, string>> = {
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/webm": "matroska",
  "video/matroska": "matroska",
};

/** How one attempt encodes the video track. */
export interface Encoding {
  /** x264's quality scale, 0 to 51; lower is better. https://trac.ffmpeg.org/wiki/Encode/H.264#crf (November 2026) */
  crf: number;
  /** Bits a second. Null: as many as the quality needs. */
  maxBitrate: number | null;
}

/** Visually close to the source. */
const crf = 20;

/** The quality of a second attempt, if no bit rate limit makes it smaller. */
const secondCrf = 28;

/** The second attempt's share of the bit rate, if the first one was too large. */
const secondShare = 0.7;

/**
 * More than videos need at that quality, and about what H.264's levels allow for a frame of its size (ITU-T H.264,
 * table A-1). With a higher limit, x264 declares a level that fewer players decode.
 */
const neededBitsPerPixel = 0.5;

/** Assumed frames a second of a video that does not state them. */
const usualFps = 60;

/** Limit of H.264's highest level, bits a second. ffmpeg accepts no number above 2,147,483,647. */
const maxAskedBitrate = 1_000_000_000;

type Bounds = Pick<VideoChange, "max_bitrate" | "max_bytes">;

/**
 * How to encode a video, and how to encode it again if the result is too large. The quality decides; a bit rate limit
 * is set only if it may matter.
 *
 * @throws PublishingError `media_error` if too few bits are allowed
 */
export function encodingsFor(
  change: VideoChange,
  source: Pick<TransformSource, "duration_seconds" | "fps" | "has_audio">,
): readonly [first: Encoding, second: Encoding] {
  const allowed = allowedBitrate(change, source);
  if (allowed === Number.POSITIVE_INFINITY) {
    return [
      { crf, maxBitrate: null },
      { crf: secondCrf, maxBitrate: null },
    ];
  }
  const soundBitrate = source.has_audio === false ? 0 : audioBitrate;
  const left = (share: number): number => Math.round(allowed * usedShare * share) - soundBitrate;
  const first = left(1);
  if (first < minVideoBitrate) throw tooThin(change, allowed);
  const isBinding = first < neededBitrate(change, source);
  return [
    { crf, maxBitrate: isBinding ? asked(first) : null },
    { crf, maxBitrate: asked(left(secondShare)) },
  ];
}

function asked(bitrate: number): number {
  return Math.min(Math.max(bitrate, minVideoBitrate), maxAskedBitrate);
}

/** Maximum bits a second for video and audio together. */
function allowedBitrate(
  { max_bitrate, max_bytes }: Bounds,
  { duration_seconds }: Pick<TransformSource, "duration_seconds">,
): number {
  const bySize = duration_seconds === null || duration_seconds <= 0 ? null : (max_bytes * 8) / duration_seconds;
  return Math.min(max_bitrate ?? Number.POSITIVE_INFINITY, bySize ?? Number.POSITIVE_INFINITY);
}

function tooThin({ max_bitrate, max_bytes }: Bounds, allowed: number): PublishingError {
  const problem =
    allowed !== max_bitrate
      ? `is too long to be reduced to ${max_bytes} bytes; use a shorter one`
      : `cannot be reduced to ${max_bitrate} bits per second; encode it with the network's limits`;
  return refused(problem);
}

function neededBitrate(
  { width, height, max_fps }: VideoChange,
  { fps = usualFps }: Pick<TransformSource, "fps">,
): number {
  return width * height * Math.min(fps, max_fps ?? fps) * neededBitsPerPixel;
}

/** True: the result is within the limits. */
export function isSmallEnough(
  { max_bitrate, max_bytes }: Bounds,
  sizeBytes: number,
  durationSeconds: number | null,
): boolean {
  // ffmpeg stops writing at the limit, so a file of that size was truncated.
  if (sizeBytes >= max_bytes) return false;
  return max_bitrate === null || durationSeconds === null || (sizeBytes * 8) / durationSeconds <= max_bitrate;
}

/** Paths of the source and the result. */
export interface VideoFiles extends Pick<TransformSource, "mime_type"> {
  input: string;
  output: string;
}

/** The settings of an encoding. */
interface Encoder extends Encoding {
  threads: number;
  /** The HDR that is converted to SDR; null: none. */
  toneMapped: Transfer | null;
}

const start = ["-nostdin", "-hide_banner", "-loglevel", "error", "-y"];

/** https://ffmpeg.org/ffmpeg.html, https://trac.ffmpeg.org/wiki/Encode/H.264 (November 2026) */
export function ffmpegArguments(
  { mime_type, input, output }: VideoFiles,
  change: VideoChange,
  { maxPixels, ...encoding }: Encoder & { maxPixels: number },
): string[] {
  const format = formats[mime_type];
  if (format === undefined) throw new TypeError(`${mime_type} is not a format that ffmpegTransformer reads.`);
  return [
    ...[...start, "-max_alloc", String(maxBlockBytes)],
    ...["-protocol_whitelist", "file", "-f", format, "-max_pixels", String(maxPixels)],
    ...["-threads", String(encoding.threads), "-i", input],
    ...["-map", "0:v:0", "-map", "0:a:0?"],
    ...outputArguments(output, change, encoding),
  ];
}

/** Fails if this ffmpeg cannot convert HDR: some builds lack zscale. */
export function toneMappingTrial(): string[] {
  const frame = ["-f", "lavfi", "-i", "color=color=gray:size=64x48:rate=25", "-frames:v", "1"];
  return [...start, ...frame, "-vf", toneMapping("hlg"), "-f", "null", "-"];
}

/** Encodes a moment of grey and silence with the same settings. If that fails, every file would fail. */
export function trialArguments(output: string, change: VideoChange, encoding: Encoder): string[] {
  return [
    ...[...start, "-f", "lavfi", "-t", "0.2", "-i", "color=color=gray:size=64x48:rate=25"],
    ...["-f", "lavfi", "-t", "0.2", "-i", "anullsrc=sample_rate=48000:channel_layout=stereo"],
    ...["-map", "0:v:0", "-map", "1:a:0"],
    ...outputArguments(output, change, encoding),
  ];
}

function outputArguments(
  output: string,
  { width, height, max_fps, fps, max_bytes }: VideoChange,
  { crf, maxBitrate, threads, toneMapped }: Encoder,
): string[] {
  // For the video only: without `:v` it would also apply to the audio.
  const bounded = maxBitrate === null ? [] : ["-maxrate:v", String(maxBitrate), "-bufsize:v", String(maxBitrate)];
  return [
    ...["-map_metadata", "-1", "-map_chapters", "-1"],
    ...[
      "-vf",
      [
        `scale=${width}:${height},setsar=1`,
        ...(toneMapped === null ? [] : [toneMapping(toneMapped)]),
        "format=yuv420p",
      ].join(),
      // ffmpeg accepts only one of the two.
      ...(fps !== undefined ? ["-r", String(fps)] : max_fps !== null ? ["-fpsmax", String(max_fps)] : []),
    ],
    ...(toneMapped === null ? [] : taggedSdr),
    ...["-c:v", "libx264", "-profile:v", "high", "-preset", "medium", "-crf", String(crf), ...bounded],
    ...["-c:a", "aac", "-b:a", String(audioBitrate), "-ac", "2", "-ar", "48000"],
    ...["-threads", String(threads), "-movflags", "+faststart", "-fs", String(max_bytes), "-f", "mp4", output],
  ];
}
