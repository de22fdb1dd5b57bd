import type { MediaRule } from "../../networks/contract/limits.ts";
import type { ImageChange, MediaChange, VideoChange } from "../transform/transformer.ts";
import { type Fault, faultsOf, type MeasuredMedia, type RuleFault } from "./faults.ts";
import { isAnimation } from "./moving.ts";
import { scaleInto } from "./scale.ts";

const madeImages = ["image/jpeg", "image/png", "image/webp"] as const satisfies ImageChange["mime_type"][];
const madeVideo = "video/mp4";

/**
 * The formats that a file may be converted to under these rules, the best first. None for an animation, which would
 * lose its movement.
 */
export function goalsFor(item: MeasuredMedia, rules: readonly MediaRule[], isTooHeavy: boolean): MediaRule[] {
  if (isAnimation(item)) return [];
  const mimes = item.type === "video" ? [madeVideo] : imagesFor(item, isTooHeavy);
  return mimes.flatMap((mime) => rules.find((rule) => rule.mime === mime && canBeMade(rule)) ?? []);
}

/** The file's own format first, to lose nothing by a conversion; but a JPEG is smallest for an image of too many bytes. */
function imagesFor({ mime_type, has_alpha }: MeasuredMedia, isTooHeavy: boolean): string[] {
  const own = madeImages.filter((mime) => mime === mime_type && (has_alpha === true || !isTooHeavy));
  return [...own, ...(has_alpha === true ? ["image/png"] : []), ...madeImages];
}

/** Videos are converted to H.264 and AAC; rules for images name no codecs. */
function canBeMade({ codecs, audio_codecs }: MediaRule): boolean {
  return (codecs?.includes("h264") ?? true) && (audio_codecs?.includes("aac") ?? true);
}

/** The change that makes a file fit a rule, or the faults that prevent it. */
export function changeInto(item: MeasuredMedia, rule: MediaRule, name: string): MediaChange | { faults: Fault[] } {
  const faults = faultsOf(item, rule, name);
  const lasting = faults.filter(({ isMendable }) => !isMendable);
  if (lasting.length > 0) return { faults: lasting };
  const { width, height } = item;
  if (width === null || height === null) return { faults: [unmeasured] };
  const size = scaleInto({ width, height }, rule, rule.type === "video" ? 2 : 1);
  if (size === null) return { faults: [unscalable({ width, height }, name)] };
  const { mime, max_bytes, max_fps = null, max_bitrate = null } = rule;
  if (rule.type !== "video") return { kind: "image", mime_type: mime as ImageChange["mime_type"], ...size, max_bytes };
  const video: VideoChange = { kind: "video", mime_type: madeVideo, ...size, max_fps, max_bitrate, max_bytes };
  const isSameSize = size.width === width && size.height === height;
  return { ...video, ...withRate(item, rule), ...(isSameSize ? withCopies(item, faults) : {}) };
}

/** Frames a second if frames must be repeated. */
const usualRate = 30;

function withRate({ fps }: MeasuredMedia, { min_fps, max_fps = usualRate }: MediaRule): Pick<VideoChange, "fps"> {
  if (fps === undefined || min_fps === undefined || Math.round(fps) >= min_fps) return {};
  return { fps: Math.max(min_fps, Math.min(max_fps, usualRate)) };
}

/**
 * Copies streams that already fit, since encoding again lowers their quality. `faults`: of the file against the
 * target's rule.
 */
function withCopies(item: MeasuredMedia, faults: readonly RuleFault[]): Pick<VideoChange, "remux"> {
  const { mime_type, codec, has_audio, audio_codec } = item;
  const isSameContainer = mime_type === madeVideo;
  // For Apple's players, HEVC from Matroska would need another sample entry in an MP4.
  const isKnown = codec === "h264" || (codec === "hevc" && mime_type === "video/quicktime");
  if (!(isSameContainer || isKnown) || !faults.every(({ bound }) => bound !== undefined && !ofPictures.includes(bound)))
    return {};
  const isSoundFine = faults.every(({ bound }) => bound === "index_first");
  const isSoundKnown = isSameContainer || has_audio === false || audio_codec === "aac";
  return { remux: { sound: isSoundFine && isSoundKnown ? "copy" : "encode" } };
}

const ofPictures: readonly (RuleFault["bound"] & string)[] = ["profiles", "chromas"];

const unmeasured: Fault = {
  says: "Its width and height cannot be read, so it cannot be converted.",
  advice: "Save or export it again.",
};

function unscalable({ width, height }: { width: number; height: number }, name: string): Fault {
  return {
    says: `${width} × ${height} pixels cannot be scaled down to a size that ${name} accepts.`,
    advice: "Files are never cropped or enlarged: use one with a different aspect ratio.",
  };
}
