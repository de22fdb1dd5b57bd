import type { MediaRule } from "../../networks/contract/limits.ts";
import type { ImageChange, MediaChange } from "../transform/transformer.ts";
import { type Fault, faultsOf, type MeasuredMedia } from "./faults.ts";
import { isAnimation } from "./moving.ts";
import { scaleInto } from "./scale.ts";

const madeImages = ["image/jpeg", "image/png", "image/webp"] as const satisfies ImageChange["mime_type"][];
const madeVideo = "video/mp4";

/**
 * What a file may be made into where the network has these rules, the best
 * first. An animation is made into nothing: it would lose what it shows.
 */
export function goalsFor(item: MeasuredMedia, rules: readonly MediaRule[], isTooHeavy: boolean): MediaRule[] {
  if (isAnimation(item)) return [];
  const mimes = item.type === "video" ? [madeVideo] : imagesFor(item, isTooHeavy);
  return mimes.flatMap((mime) => rules.find((rule) => rule.mime === mime && canBeMade(rule)) ?? []);
}

/** Its own format, so that nothing is lost by another; a picture of too many bytes is the smallest as a JPEG. */
function imagesFor({ mime_type, has_alpha }: MeasuredMedia, isTooHeavy: boolean): string[] {
  const own = madeImages.filter((mime) => mime === mime_type && (has_alpha === true || !isTooHeavy));
  return [...own, ...(has_alpha === true ? ["image/png"] : []), ...madeImages];
}

/** Films are made with H.264 pictures and AAC sound; rules for pictures name no codecs. */
function canBeMade({ codecs, audio_codecs }: MediaRule): boolean {
  return (codecs?.includes("h264") ?? true) && (audio_codecs?.includes("aac") ?? true);
}

/** What makes a file one that a rule takes, or what stands in the way of that. */
export function changeInto(item: MeasuredMedia, rule: MediaRule, name: string): MediaChange | { faults: Fault[] } {
  const lasting = faultsOf(item, rule, name).filter(({ isMendable }) => !isMendable);
  if (lasting.length > 0) return { faults: lasting };
  const { width, height } = item;
  if (width === null || height === null) return { faults: [unmeasured] };
  const size = scaleInto({ width, height }, rule, rule.type === "video" ? 2 : 1);
  if (size === null) return { faults: [unscalable({ width, height }, name)] };
  const { mime, max_bytes, max_fps = null, max_bitrate = null } = rule;
  if (rule.type === "video") return { kind: "video", mime_type: madeVideo, ...size, max_fps, max_bitrate, max_bytes };
  return { kind: "image", mime_type: mime as ImageChange["mime_type"], ...size, max_bytes };
}

const unmeasured: Fault = {
  says: "Its width and height cannot be read, so that it cannot be changed.",
  advice: "Save or export it again.",
};

function unscalable({ width, height }: { width: number; height: number }, name: string): Fault {
  return {
    says: `${width} × ${height} pixels cannot be scaled down to a size that ${name} takes.`,
    advice: "Nothing is cropped or enlarged: give one of another shape.",
  };
}
