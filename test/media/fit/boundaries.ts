import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";
import { fileFor } from "./files.ts";

/** One limit of a rule: a file just inside it, and one just outside. */
export interface Boundary {
  bound: keyof MediaRule;
  inside: MeasuredMedia;
  outside: MeasuredMedia;
  /** True: the file outside can be converted. */
  isMendable: boolean;
  /** True: without a converter, the file outside goes out unchanged. */
  isAdvised: boolean;
}

type Facts = Partial<MeasuredMedia>;

/** Every limit of a rule, from its own numbers. */
export function boundariesOf(rule: MediaRule): Boundary[] {
  const canChange = rule.type !== "gif";
  const made: [keyof MediaRule, Facts, Facts, boolean][] = [
    ...least(rule, "min_bytes", (size_bytes) => ({ size_bytes }), 1),
    ...most(rule, "max_bytes", (size_bytes) => ({ size_bytes }), 1, canChange),
    ...least(rule, "min_seconds", (duration_seconds) => ({ duration_seconds }), 0.1),
    ...most(rule, "max_seconds", (duration_seconds) => ({ duration_seconds }), 0.1, false),
    ...least(rule, "min_fps", (fps) => ({ fps }), 1, canChange),
    ...most(rule, "max_fps", (fps) => ({ fps }), 1, canChange),
    ...most(rule, "max_bitrate", (bitrate) => ({ bitrate }), 1, canChange),
    ...most(rule, "max_frames", (frames) => ({ is_animated: true, frames }), 1, false),
    ...shapes(rule, canChange),
    ...(rule.codecs ?? []).map((codec) =>
      encoded("codecs", { codec, profile: rule.profiles?.[codec]?.[0] ?? "none" }, { codec: "prores" }),
    ),
    ...Object.entries(rule.profiles ?? {})
      .filter(([codec]) => rule.codecs?.includes(codec) ?? true)
      .flatMap(([codec, profiles]) =>
        profiles.map((profile) => encoded("profiles", { codec, profile }, { codec, profile: "high-4:4:4" })),
      ),
    ...(rule.chromas ?? []).map((chroma) => encoded("chromas", { chroma }, { chroma: "4:2:2" })),
    ...most(rule, "max_audio_channels", (audio_channels) => ({ audio_channels }), 1, canChange),
    ...most(rule, "max_audio_sample_rate", (audio_sample_rate) => ({ audio_sample_rate }), 1, canChange),
    ...(rule.index_first === true ? [encoded("index_first", { is_index_first: true }, { is_index_first: false })] : []),
    ...(rule.audio_codecs ?? []).map((audio_codec) => encoded("audio_codecs", { audio_codec }, { audio_codec: "pcm" })),
  ];
  return made.map(([bound, inside, outside, isMendable]) => ({
    bound,
    inside: fileFor(rule, inside),
    outside: fileFor(rule, outside),
    isMendable,
    isAdvised: (rule.advised as readonly string[] | undefined)?.includes(bound) ?? false,
  }));
}

type Made = [keyof MediaRule, Facts, Facts, boolean];

function least(
  rule: MediaRule,
  bound: keyof MediaRule,
  facts: (value: number) => Facts,
  step: number,
  isMendable = false,
): Made[] {
  const min = rule[bound];
  return typeof min === "number" ? [[bound, facts(min), facts(min - step), isMendable]] : [];
}

function most(
  rule: MediaRule,
  bound: keyof MediaRule,
  facts: (value: number) => Facts,
  step: number,
  isMendable: boolean,
): Made[] {
  const max = rule[bound];
  return typeof max === "number" ? [[bound, facts(max), facts(max + step), isMendable]] : [];
}

function encoded(bound: keyof MediaRule, inside: Facts, outside: Facts): Made {
  return [bound, inside, outside, true];
}

/** Sides that keep every other limit of the rule. */
function shapes(rule: MediaRule, canChange: boolean): Made[] {
  const { max_pixels = Number.POSITIVE_INFINITY, min_aspect, max_aspect } = rule;
  const usual = fileFor(rule);
  const aspect = (usual.width ?? 0) / (usual.height ?? 1);
  const { max_width: widest = Number.POSITIVE_INFINITY, max_height: highest = Number.POSITIVE_INFINITY } = rule;
  const side = Math.floor(Math.sqrt(max_pixels));
  return [
    ...least(rule, "min_width", (width) => ({ width, height: Math.round((rule.min_width ?? 0) / aspect) }), 1),
    ...least(rule, "min_height", (height) => ({ height, width: Math.round((rule.min_height ?? 0) * aspect) }), 1),
    ...most(
      rule,
      "max_width",
      (width) => ({ width, height: Math.min(highest, Math.floor(max_pixels / widest), Math.round(widest / aspect)) }),
      1,
      canChange,
    ),
    ...most(
      rule,
      "max_height",
      (height) => ({ height, width: Math.min(widest, Math.floor(max_pixels / highest), Math.round(highest * aspect)) }),
      1,
      canChange,
    ),
    ...most(rule, "max_short_side", (short) => ({ width: short, height: 2 * short }), 1, canChange),
    ...most(
      rule,
      "max_pixels",
      (pixels) => ({ width: side, height: Math.floor(max_pixels / side) + (pixels > max_pixels ? 1 : 0) }),
      1,
      canChange,
    ),
    ...(min_aspect === undefined ? [] : [narrow(Math.ceil(min_aspect * 1_000))]),
    ...(max_aspect === undefined ? [] : [wide(Math.ceil(1_000 / max_aspect))]),
  ];
}

function narrow(width: number): Made {
  return ["min_aspect", { width, height: 1_000 }, { width: width - 1, height: 1_000 }, false];
}

function wide(height: number): Made {
  return ["max_aspect", { width: 1_000, height }, { width: 1_000, height: height - 1 }, false];
}
