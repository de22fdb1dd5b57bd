import type { MediaRule } from "../../networks/contract/limits.ts";
import type { NetworkSpec } from "../../networks/contract/spec.ts";
import { withRemedy } from "../../wire/remedy.ts";
import type { MediaChange, MediaTransformer } from "../transform/transformer.ts";
import { changeInto, goalsFor } from "./change.ts";
import { type Fault, faultsOf, isAdvised, type MeasuredMedia } from "./faults.ts";
import { isAnimation, ruleFor } from "./moving.ts";

/** Of which formats a service can make others, by what it makes; null: it makes none. */
export type MediaTools = Readonly<Record<MediaChange["kind"], readonly string[] | null>>;

export function toolsOf(transformers: readonly Pick<MediaTransformer, "makes" | "reads">[] = []): MediaTools {
  const readBy = (kind: MediaChange["kind"]) => {
    const makers = transformers.filter(({ makes }) => makes === kind);
    return makers.length === 0 ? null : makers.flatMap(({ reads }) => reads);
  };
  return { image: readBy("image"), video: readBy("video") };
}

/** What is shown of a file before and after a change; null: not known. */
export interface FileShape {
  mime_type: string;
  width: number | null;
  height: number | null;
  /** After a change: at most. */
  size_bytes: number | null;
}

/** What a change is called: what the file becomes, where the network does not take its format, or what is done to it. */
export type FitAction = "jpeg" | "png" | "webp" | "downscale" | "recompress" | "transcode" | "remux";

/** What becomes of one file on one network. */
export type MediaFit =
  /** `warnings`: what the network asks for and does not get, with what to do. Absent: it gets all. */
  | { kind: "as_is"; warnings?: string[] }
  | { kind: "change"; action: FitAction; change: MediaChange; reasons: string[] }
  /** With what to do in each reason; `message` is all of it. */
  | { kind: "refuse"; reasons: string[]; message: string };

/** What of a network's spec files are held against: with its variant and the account's limits put in. */
export type FitSpec = Pick<NetworkSpec, "name" | "media">;

/** Says whether a network takes a file, and if not, what it is to be made into, or why that cannot be. Reads nothing. */
export function fitMedia(item: MeasuredMedia, { name, media }: FitSpec, tools: MediaTools): MediaFit {
  const rule = ruleFor(item, media.types);
  const spec = { name, media };
  if (rule === undefined) return mended(item, spec, { faults: [notTaken(item, spec)], rule, tools });
  const faults = faultsOf(item, rule, name);
  if (faults.length === 0) return asIsOrUpright(item, rule, { name, tools });
  const fit = mended(item, spec, { faults, rule, tools });
  // What is merely asked for is no reason to refuse.
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
 * Networks that make pictures of their own out of a file leave out its EXIF.
 * That a JPEG is to be turned all of them see before; of PNG and WebP none says so.
 */
const turnedByFew: readonly string[] = ["image/png", "image/webp"];

/** A file that a network takes: a picture that may be shown unturned is made upright where that can be done. */
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

/** What is sent to the network: null when nothing is. */
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

/** What keeps it from being made into the best that it could be. */
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
