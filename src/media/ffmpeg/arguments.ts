import type { PublishingError } from "../../wire/errors.ts";
import type { MediaFacts } from "../probe/facts.ts";
import { refused } from "../transform/refused.ts";
import type { TransformSource, VideoChange } from "../transform/transformer.ts";

/** Of the sound, bits a second. */
export const audioBitrate = 128_000;

/** Of what is allowed, for the video's own index and what an encoder goes beyond its target. */
const usedShare = 0.92;

/** With fewer bits a second nobody sees what a video shows. */
const minVideoBitrate = 100_000;

/** A frame or packet takes less memory; a file can claim to need more. */
export const maxBlockBytes = 512 * 1_024 * 1_024;

/** The brightness of white on paper, and that of the brightest spot that phones video: ITU-R BT.2408, sections 2.1 and 2.2. */
const [whiteNits, peakNits] = [203, 1_000];

type Transfer = NonNullable<MediaFacts["color_transfer"]>;

/** What ffmpeg calls them: https://ffmpeg.org/ffmpeg-filters.html#setparams-1 (November 2026) */
const transferNames: Readonly<Record<Transfer, string>> = { hlg: "arib-std-b67", pq: "smpte2084" };

/**
 * HDR as a screen without it shows it: what is darker than half of white stays
 * as bright as it is, and what is brighter is brought together below the peak.
 * The colours are named, for a video may name them in its container alone.
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

/** What ffmpeg calls the formats: it does not guess, so that a playlist cannot name other files. */
export const formats: Readonly<Record<string, string>> = {
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/webm": "matroska",
  "video/matroska": "matroska",
};

/** How one try encodes the pictures. */
export interface Encoding {
  /** x264's scale of quality, 0 to 51; lower is better. https://trac.ffmpeg.org/wiki/Encode/H.264#crf (November 2026) */
  crf: number;
  /** Bits a second. Null: as many as the quality needs. */
  maxBitrate: number | null;
}

/** Close to the source for an eye. */
const crf = 20;

/** The quality of a second try that nothing else makes smaller. */
const secondCrf = 28;

/** How much smaller the second try is, where the first one came out too large. */
const secondShare = 0.7;

/**
 * More than videos need at that quality, and about what H.264's levels give a
 * picture of its size (ITU-T H.264, table A-1): with a higher bound x264 names
 * a level that fewer players decode.
 */
const neededBitsPerPixel = 0.5;

/** Where a video does not say how many it has. */
const usualFps = 60;

/** What H.264's highest level carries. ffmpeg takes no number above 2,147,483,647. */
const maxAskedBitrate = 1_000_000_000;

type Bounds = Pick<VideoChange, "max_bitrate" | "max_bytes">;

/**
 * How a video is encoded, and how once more when that comes out too large. The
 * quality decides; a bound on the bits is given where it may bind.
 *
 * @throws PublishingError `media_error` when too few bits are allowed
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

/** Bits a second for pictures and sound. */
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

/** Whether what came out is as small as it was to be. */
export function isSmallEnough(
  { max_bitrate, max_bytes }: Bounds,
  sizeBytes: number,
  durationSeconds: number | null,
): boolean {
  // ffmpeg stops writing at the limit: what reaches it was cut.
  if (sizeBytes >= max_bytes) return false;
  return max_bitrate === null || durationSeconds === null || (sizeBytes * 8) / durationSeconds <= max_bitrate;
}

/** Where a video lies, and where what is made of it. */
export interface FilmFiles extends Pick<TransformSource, "mime_type"> {
  input: string;
  output: string;
}

/** How ffmpeg is to make it. */
interface Encoder extends Encoding {
  threads: number;
  /** The HDR that is made SDR; null: none is. */
  toneMapped: Transfer | null;
}

const start = ["-nostdin", "-hide_banner", "-loglevel", "error", "-y"];

/** https://ffmpeg.org/ffmpeg.html, https://trac.ffmpeg.org/wiki/Encode/H.264 (November 2026) */
export function ffmpegArguments(
  { mime_type, input, output }: FilmFiles,
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

/** Fails where ffmpeg cannot map HDR: zscale is a part of it that is left out of some. */
export function toneMappingTrial(): string[] {
  const frame = ["-f", "lavfi", "-i", "color=color=gray:size=64x48:rate=25", "-frames:v", "1"];
  return [...start, ...frame, "-vf", toneMapping("hlg"), "-f", "null", "-"];
}

/** Makes a moment of grey and silence in the same way, which every file can be made in, or none. */
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
  // Of the pictures alone: without `:v` it would be the sound's, too.
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
      // ffmpeg takes one of the two.
      ...(fps !== undefined ? ["-r", String(fps)] : max_fps !== null ? ["-fpsmax", String(max_fps)] : []),
    ],
    ...(toneMapped === null ? [] : taggedSdr),
    ...["-c:v", "libx264", "-profile:v", "high", "-preset", "medium", "-crf", String(crf), ...bounded],
    ...["-c:a", "aac", "-b:a", String(audioBitrate), "-ac", "2", "-ar", "48000"],
    ...["-threads", String(threads), "-movflags", "+faststart", "-fs", String(max_bytes), "-f", "mp4", output],
  ];
}
