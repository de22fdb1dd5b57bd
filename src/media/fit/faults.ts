import type { AdvisedBound, MediaRule } from "../../networks/contract/limits.ts";
import type { MediaFacts } from "../probe/facts.ts";

/** A file's facts: from its bytes, and its length from its host. */
export type MeasuredMedia = MediaFacts & { size_bytes: number | null };

/** Why a network does not accept a file unchanged. */
export interface Fault {
  /** `The width in pixels is 6000; Example accepts at most 4096.` */
  says: string;
  /** What the file's owner can do. */
  advice: string;
}

/** A violation of a rule by a file. */
export interface RuleFault extends Fault {
  /** True: a conversion can remove it. Enlarging, cropping and cutting are left to the file's owner. */
  isMendable: boolean;
  /** The violated bound, if it is one that a new encoding fixes. Absent: another one. */
  bound?: RemadeBound;
}

/** Bounds on the inner format of a video. */
type RemadeBound = AdvisedBound | "audio_codecs";

/** A value, its allowed range, and the advice for a lower or higher value. */
interface Bound {
  what: string;
  value: number | null;
  min?: number | undefined;
  max?: number | undefined;
  ifLess?: string;
  ifMore: string;
  isMendable: boolean;
  /** True: a value that is too low can be mended, too. */
  isMendableIfLess?: boolean;
}

/** The violations of a network's rule by a file. Unknown values are not checked. */
export function faultsOf(item: MeasuredMedia, rule: MediaRule, name: string): RuleFault[] {
  const bounds = [sizeBound(item, rule), ...shapeBounds(item, rule), ...timeBounds(item, rule)];
  const inside = [
    ...codecFaults(item, rule, name),
    ...formatFaults(item, rule, name),
    ...soundFaults(item, rule, name),
  ];
  return [...bounds.filter(isBroken).map((bound) => faultOf(bound, name)), ...inside, ...indexFaults(item, rule, name)];
}

/** True: the network recommends the bound, but is not known to reject files for it. */
export function isAdvised({ bound }: RuleFault, { advised = [] }: MediaRule): boolean {
  return bound !== undefined && bound !== "audio_codecs" && advised.includes(bound);
}

/** True: an image of this size fits the rule. */
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

/** Codecs that the network does not accept. */
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

/** Profile and chroma subsampling, which a decoder must support. */
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

/** The fault of a violated bound. */
function faultOf(bound: Bound, name: string): RuleFault {
  const { what, value, min, max, ifLess = "", ifMore, isMendable, isMendableIfLess = false } = bound;
  const isLess = min !== undefined && (value ?? min) < min;
  const says = `${what} is ${shown(value)}; ${name} accepts ${range(min, max)}.`;
  return { says, advice: isLess ? ifLess : ifMore, isMendable: isMendable && (!isLess || isMendableIfLess) };
}

/** Rounds a value to three decimals. */
function shown(value: number | null): string {
  return String(value === null ? null : Math.round(value * 1000) / 1000);
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}
