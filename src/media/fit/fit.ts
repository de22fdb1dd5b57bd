import type { MediaRule } from "../../networks/contract/limits.ts";
import type { NetworkSpec } from "../../networks/contract/spec.ts";
import { withRemedy } from "../../wire/remedy.ts";
import type { MediaChange, MediaTransformer } from "../transform/transformer.ts";
import { changeInto, goalsFor } from "./change.ts";
import { type Fault, faultsOf, isAdvised, type MeasuredMedia } from "./faults.ts";
import { isAnimation, ruleFor } from "./moving.ts";

/** The formats that a service can convert, by the kind of the result; null: it cannot create that kind. */
export type MediaTools = Readonly<Record<MediaChange["kind"], readonly string[] | null>>;

export function toolsOf(transformers: readonly Pick<MediaTransformer, "makes" | "reads">[] = []): MediaTools {
  const readBy = (kind: MediaChange["kind"]) => {
    const makers = transformers.filter(({ makes }) => makes === kind);
    return makers.length === 0 ? null : makers.flatMap(({ reads }) => reads);
  };
  return { image: readBy("image"), video: readBy("video") };
}

/** A file before or after a change, for display; null: unknown. */
export interface FileShape {
  mime_type: string;
  width: number | null;
  height: number | null;
  /** After a change: the maximum. */
  size_bytes: number | null;
}

/** The name of a change: the new format, if the network does not accept the old one, or the kind of conversion. */
export type FitAction = "jpeg" | "png" | "webp" | "downscale" | "recompress" | "transcode" | "remux";

/** What happens to one file on one network. */
export type MediaFit =
  /** `warnings`: the network's recommendations that the file does not meet, with advice. Absent: it meets all. */
  | { kind: "as_is"; warnings?: string[] }
  | { kind: "change"; action: FitAction; change: MediaChange; reasons: string[] }
  /** Each reason contains advice; `message` joins all reasons. */
  | { kind: "refuse"; reasons: string[]; message: string };

/** The part of a network's spec that files are checked against, with its variant and the account's limits applied. */
export type FitSpec = Pick<NetworkSpec, "name" | "media">;

/** Decides whether a network accepts a file, and otherwise how to convert it, or why that is impossible. Reads no files. */
export function fitMedia(item: MeasuredMedia, { name, media }: FitSpec, tools: MediaTools): MediaFit {
  const rule = ruleFor(item, media.types);
  const spec = { name, media };
  if (rule === undefined) return mended(item, spec, { faults: [notTaken(item, spec)], rule, tools });
  const faults = faultsOf(item, rule, name);
  if (faults.length === 0) return asIsOrUpright(item, rule, { name, tools });
  const fit = mended(item, spec, { faults, rule, tools });
  // A recommendation is no reason to reject a file.
  const demanded = faults.filter((fault) => !isAdvised(fault, rule));
  if (fit.kind !== "refuse" || demanded.length === faults.length) return fit;
  if (demanded.length > 0) return mended(item, spec, { faults: demanded, rule, tools });
  return { kind: "as_is", warnings: fit.reasons };
}

interface Mending {
  faults: readonly Fault[];
  /** Undefined: the network does not accept the format. */
  rule: MediaRule | undefined;
  tools: MediaTools;
}

function mended(item: MeasuredMedia, { name, media }: FitSpec, { faults, rule, tools }: Mending): MediaFit {
  const isTooHeavy = rule !== undefined && item.size_bytes !== null && item.size_bytes > rule.max_bytes;
  const tried = goalsFor(item, media.types, isTooHeavy).map((goal) => changeInto(item, goal, name));
  const change = tried.find((each) => "kind" in each);
  if (change === undefined) return refusal([...faults, ...lasting(tried)]);
  const readable = tools[change.kind];
  if (readable === null) return refusal(faults, hints[change.kind]);
  if (!readable.includes(item.mime_type)) return refusal(faults, unreadable(item, readable));
  const action = actionOf(change, item, rule !== undefined);
  return { kind: "change", action, change, reasons: faults.map(({ says }) => says) };
}

/**
 * Formats whose EXIF orientation networks may ignore when they re-encode images. All apply that of a JPEG; none
 * documents it for PNG and WebP.
 */
const turnedByFew: readonly string[] = ["image/png", "image/webp"];

/**
 * For an accepted file. An image that a network may show without its rotation is converted to an upright one, if
 * possible.
 */
function asIsOrUpright(
  item: MeasuredMedia,
  rule: MediaRule,
  { name, tools }: { name: string; tools: MediaTools },
): MediaFit {
  const { mime_type, orientation = 1 } = item;
  const isTurned = turnedByFew.includes(mime_type) && orientation !== 1 && !isAnimation(item);
  if (!isTurned) return { kind: "as_is" };
  const says = `The EXIF data rotate the image, which some networks ignore in ${mime_type}.`;
  const change = changeInto(item, rule, name);
  if (tools.image?.includes(mime_type) === true && "kind" in change) {
    return { kind: "change", action: actionOf(change, item, true), change, reasons: [says] };
  }
  return { kind: "as_is", warnings: [`${says} Save it upright.${tools.image === null ? ` ${hints.image}` : ""}`] };
}

/** The file that is sent to the network; null: none. */
export function fileAfter(item: MeasuredMedia, fit: MediaFit): FileShape | null {
  if (fit.kind === "refuse") return null;
  if (fit.kind === "as_is") return shapeOf(item);
  const { mime_type, width, height, max_bytes } = fit.change;
  return { mime_type, width, height, size_bytes: max_bytes };
}

export function shapeOf({ mime_type, width, height, size_bytes }: MeasuredMedia): FileShape {
  return { mime_type, width, height, size_bytes };
}

function notTaken(item: MeasuredMedia, { name, media }: FitSpec): Fault {
  const taken = media.types.map(({ mime }) => mime);
  if (taken.length === 0) return { says: `${name} accepts no files.`, advice: "Leave it out there." };
  const says = `${name} does not accept ${item.mime_type}; it accepts ${taken.join(", ")}.`;
  return { says, advice: isAnimation(item) ? instead(taken) : "Use one of these." };
}

function instead(taken: readonly string[]): string {
  const choice = taken.includes("video/mp4") ? "use a video (video/mp4)" : "use a still image";
  return `An animation is never converted to a still image: ${choice}.`;
}

/** The faults that prevent the preferred conversion. */
function lasting([first]: (MediaChange | { faults: Fault[] })[]): Fault[] {
  return first !== undefined && "faults" in first ? first.faults : [];
}

const hints: Readonly<Record<MediaChange["kind"], string>> = {
  image: withRemedy(
    "This service does not convert images.",
    'To have them converted: npm install sharp, import { sharpTransformer } from "postrider/media/sharp", and set mediaTransformers: [sharpTransformer()].',
  ),
  video: withRemedy(
    "This service does not convert videos.",
    'To have them converted: install ffmpeg, import { ffmpegTransformer } from "postrider/media/ffmpeg", and set mediaTransformers: [ffmpegTransformer()].',
  ),
};

function listOf(mimeTypes: readonly string[]): string {
  return mimeTypes.length === 1 ? String(mimeTypes[0]) : `one of ${mimeTypes.join(", ")}`;
}

function unreadable({ mime_type }: MeasuredMedia, readable: readonly string[]): string {
  return `This service does not convert ${mime_type}. Files that are ${listOf(readable)} are converted automatically.`;
}

function refusal(faults: readonly Fault[], hint?: string): MediaFit {
  const reasons = [...new Set(faults.map(({ says, advice }) => `${says} ${advice}`))];
  if (hint !== undefined) reasons.push(hint);
  return { kind: "refuse", reasons, message: reasons.join(" ") };
}

function actionOf(change: MediaChange, item: MeasuredMedia, isTaken: boolean): FitAction {
  if (change.kind === "video") return change.remux === undefined ? "transcode" : "remux";
  if (!isTaken) return ({ "image/jpeg": "jpeg", "image/png": "png", "image/webp": "webp" } as const)[change.mime_type];
  return change.width === item.width && change.height === item.height ? "recompress" : "downscale";
}
