import type { AdvisedBound, MediaRule } from "../../networks/contract/limits.ts";
import type { MediaFacts } from "../probe/facts.ts";

/** A file, as far as its bytes tell and its host. */
export type MeasuredMedia = MediaFacts & { size_bytes: number | null };

/** Why a network does not take a file as it is. */
export interface Fault {
  /** `The width in pixels is 6000; Example takes at most 4096.` */
  says: string;
  /** What its owner can do. */
  advice: string;
}

/** What of a file does not keep a rule. */
export interface RuleFault extends Fault {
  /** A file made of this one can be without it. Enlarging, cropping and cutting are for its owner. */
  isMendable: boolean;
  /** Which bound it breaks, of those that say what is to be made anew; absent: another one. */
  bound?: RemadeBound;
}

/** Bounds of what a video is like inside. */
type RemadeBound = AdvisedBound | "audio_codecs";

/** A value, what it may be, and what to do when it is less or more. */
interface Bound {
  what: string;
  value: number | null;
  min?: number | undefined;
  max?: number | undefined;
  ifLess?: string;
  ifMore: string;
  isMendable: boolean;
  /** Too little of it can be mended, too. */
  isMendableIfLess?: boolean;
}

/** What stands between a file and a rule of the network `name`. What nobody knows of it is not checked. */
export function faultsOf(item: MeasuredMedia, rule: MediaRule, name: string): RuleFault[] {
  const bounds = [sizeBound(item, rule), ...shapeBounds(item, rule), ...timeBounds(item, rule)];
  const inside = [
    ...codecFaults(item, rule, name),
    ...formatFaults(item, rule, name),
    ...soundFaults(item, rule, name),
  ];
  return [...bounds.filter(isBroken).map((bound) => faultOf(bound, name)), ...inside, ...indexFaults(item, rule, name)];
}

/** The network asks for it, and is not known to refuse a file for it. */
export function isAdvised({ bound }: RuleFault, { advised = [] }: MediaRule): boolean {
  return bound !== undefined && bound !== "audio_codecs" && advised.includes(bound);
}

/** Does a picture of this size keep the rule? */
export function fitsShape(size: { width: number; height: number }, rule: MediaRule): boolean {
  return !shapeBounds(size, rule).some(isBroken);
}

function sizeBound({ size_bytes }: MeasuredMedia, rule: MediaRule): Bound {
  const what = "The size in bytes";
  const { min_bytes: min, max_bytes: max } = rule;
  return {
    what,
    value: size_bytes,
    min,
    max,
    ifLess: "Use a larger file.",
    ifMore: "Make it smaller.",
    isMendable: true,
  };
}

function shapeBounds({ width, height }: Pick<MeasuredMedia, "width" | "height">, rule: MediaRule): Bound[] {
  const pixels = width === null || height === null ? null : width * height;
  const shortSide = width === null || height === null ? null : Math.min(width, height);
  const aspect = width === null || height === null || height === 0 ? null : width / height;
  const scaled = { ifLess: "Files are never enlarged: use a larger one.", ifMore: "Scale it down.", isMendable: true };
  const crop = "Files are never cropped: crop it yourself.";
  return [
    { what: "The width in pixels", value: width, min: rule.min_width, max: rule.max_width, ...scaled },
    { what: "The height in pixels", value: height, min: rule.min_height, max: rule.max_height, ...scaled },
    { what: "The shorter side in pixels", value: shortSide, max: rule.max_short_side, ...scaled },
    { what: "The number of pixels", value: pixels, max: rule.max_pixels, ...scaled },
    {
      what: "The width divided by the height",
      value: aspect,
      min: rule.min_aspect,
      max: rule.max_aspect,
      ifLess: crop,
      ifMore: crop,
      isMendable: false,
    },
  ];
}

function timeBounds(item: MeasuredMedia, rule: MediaRule): Bound[] {
  const { duration_seconds, fps = null, bitrate = null, frames = null } = item;
  return [
    {
      what: "The duration in seconds",
      value: duration_seconds,
      min: rule.min_seconds,
      max: rule.max_seconds,
      ifLess: "Use a longer one.",
      ifMore: "Cut it yourself.",
      isMendable: false,
    },
    {
      what: "The frame rate in frames per second",
      value: fps === null ? null : Math.round(fps),
      min: rule.min_fps,
      max: rule.max_fps,
      ifLess: "Export it with a higher frame rate.",
      ifMore: "Export it with a lower frame rate.",
      isMendable: true,
      isMendableIfLess: true,
    },
    {
      what: "The bitrate in bits per second",
      value: bitrate,
      max: rule.max_bitrate,
      ifMore: "Export it with a lower one.",
      isMendable: true,
    },
    { what: "The number of frames", value: frames, max: rule.max_frames, ifMore: "Use fewer.", isMendable: false },
  ];
}

/** What is encoded otherwise than the network takes it. */
function codecFaults(item: MeasuredMedia, rule: MediaRule, name: string): RuleFault[] {
  const tracks = [
    { what: "The video", codec: item.codec, taken: rule.codecs, bound: {} },
    { what: "The audio", codec: item.audio_codec, taken: rule.audio_codecs, bound: { bound: "audio_codecs" as const } },
  ];
  return tracks.flatMap(({ what, codec, taken, bound }) => {
    if (codec === undefined || taken === undefined || taken.includes(codec)) return [];
    const choice = taken.join(" or ");
    const says = `${what} is encoded as ${codec}; ${name} accepts ${choice}.`;
    return [{ says, advice: `Export it as ${choice}.`, isMendable: true, ...bound }];
  });
}

/** What a decoder must be able to do to show the pictures. */
function formatFaults(item: MeasuredMedia, rule: MediaRule, name: string): RuleFault[] {
  const { codec, profile, chroma, bit_depth } = item;
  const profiles = codec === undefined ? undefined : rule.profiles?.[codec];
  const isOther = profile !== undefined && profiles !== undefined && !profiles.includes(profile);
  const isOtherChroma = chroma !== undefined && rule.chromas !== undefined && !rule.chromas.includes(chroma);
  if (!isOther && !isOtherChroma) return [];
  const bound = isOther ? "profiles" : "chromas";
  const found = [profile, chroma, bit_depth && `${bit_depth} bit`].filter(Boolean).join(", ");
  const taken = isOther ? profiles.join(", ") : rule.chromas?.join(", ");
  const says = `The video is encoded as ${codec} (${found}); ${name} ${verb(bound, rule)} ${taken}.`;
  return [{ says, advice: "Export it with 8 bit and 4:2:0 (yuv420p).", isMendable: true, bound }];
}

function soundFaults(item: MeasuredMedia, rule: MediaRule, name: string): RuleFault[] {
  const bounds = [
    {
      bound: "max_audio_channels",
      what: "The number of audio channels",
      value: item.audio_channels,
      advice: "Export it with stereo sound.",
    },
    {
      bound: "max_audio_sample_rate",
      what: "The audio sample rate in hertz",
      value: item.audio_sample_rate,
      advice: "Export it with 48 kHz.",
    },
  ] as const;
  return bounds.flatMap(({ bound, what, value, advice }) => {
    const max = rule[bound];
    if (value === undefined || max === undefined || value <= max) return [];
    const says = `${what} is ${value}; ${name} ${verb(bound, rule)} at most ${max}.`;
    return [{ says, advice, isMendable: true, bound }];
  });
}

function indexFaults({ is_index_first }: MeasuredMedia, rule: MediaRule, name: string): RuleFault[] {
  if (rule.index_first !== true || is_index_first !== false) return [];
  const says = `The index (moov) is at the end of the file; ${name} ${verb("index_first", rule)} it at the start.`;
  return [{ says, advice: "Export it for the web (fast start).", isMendable: true, bound: "index_first" }];
}

function verb(bound: AdvisedBound, { advised = [] }: MediaRule): string {
  return advised.includes(bound) ? "recommends" : "accepts";
}

function isBroken({ value, min, max }: Bound): boolean {
  return value !== null && (value < (min ?? value) || value > (max ?? value));
}

/** Of a broken bound. */
function faultOf(bound: Bound, name: string): RuleFault {
  const { what, value, min, max, ifLess = "", ifMore, isMendable, isMendableIfLess = false } = bound;
  const isLess = min !== undefined && (value ?? min) < min;
  const says = `${what} is ${shown(value)}; ${name} accepts ${range(min, max)}.`;
  return { says, advice: isLess ? ifLess : ifMore, isMendable: isMendable && (!isLess || isMendableIfLess) };
}

/** A few digits are enough for a reader. */
function shown(value: number | null): string {
  return String(value === null ? null : Math.round(value * 1000) / 1000);
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}
