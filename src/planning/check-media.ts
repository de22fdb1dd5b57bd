import type { MediaRule } from "../networks/contract/limits.ts";
import type { PlannedMedia } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import type { PlanIssue } from "./schema.ts";

/** Checks a target's files against its network's media table. */
export function checkMedia(media: readonly PlannedMedia[], spec: NetworkSpec): PlanIssue[] {
  return [...checkSet(media, spec), ...media.flatMap((item, index) => checkItem(item, `media[${index}]`, spec))];
}

function checkSet(media: readonly PlannedMedia[], spec: NetworkSpec): PlanIssue[] {
  const { min_items = 0, max_items, max_of_type, mixing, max_total_bytes } = spec.media;
  const issues: PlanIssue[] = [];
  if (media.length < min_items) {
    issues.push(mediaIssue("media", `${media.length} files; ${spec.name} takes at least ${min_items} in such a post.`));
  }
  if (media.length > max_items) {
    issues.push(mediaIssue("media", `${media.length} files; ${spec.name} takes at most ${max_items}.`));
  }
  const types = new Set(media.map(({ type }) => type));
  for (const type of types) {
    const most = max_of_type?.[type] ?? max_items;
    const count = media.filter((item) => item.type === type).length;
    if (count > most && most < max_items) {
      issues.push(mediaIssue("media", `${count} files of type ${type}; ${spec.name} takes at most ${most}.`));
    }
  }
  if (mixing === "one_type" && types.size > 1) {
    const found = [...types].join(" and ");
    issues.push(mediaIssue("media", `${found} in one post; ${spec.name} takes files of one type only.`));
  }
  const totalBytes = media.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0);
  if (max_total_bytes !== undefined && totalBytes > max_total_bytes) {
    issues.push(
      mediaIssue("media", `${megabytes(totalBytes)} in all; ${spec.name} takes ${megabytes(max_total_bytes)}.`),
    );
  }
  return issues;
}

function checkItem(item: PlannedMedia, field: string, spec: NetworkSpec): PlanIssue[] {
  const rule = spec.media.types.find(({ mime }) => mime === item.mime_type);
  if (rule === undefined) {
    const known = spec.media.types.map(({ mime }) => mime).join(", ");
    return [mediaIssue(field, `${spec.name} does not take ${item.mime_type}; it takes ${known}.`)];
  }
  const issues = boundsOf(item, rule)
    .filter(({ value, min, max }) => value !== null && (value < (min ?? value) || value > (max ?? value)))
    .map(({ what, value, min, max }) =>
      mediaIssue(field, `${what} is ${shown(value)}; ${spec.name} takes ${range(min, max)}.`),
    );
  issues.push(...codecIssues(item, rule).map((problem) => mediaIssue(field, problem(spec.name))));
  const { max_alt } = spec.media;
  if (max_alt !== undefined && (item.alt?.length ?? 0) > max_alt) {
    issues.push(mediaIssue(`${field}.alt`, `The alt text is longer than ${max_alt} characters.`));
  }
  if (rule.action !== undefined) {
    issues.push({ severity: "warning", code: "media_error", field, message: `On ${spec.name}: ${rule.action}` });
  }
  return issues;
}

/** What is encoded otherwise than the network takes it. */
function codecIssues(item: PlannedMedia, rule: MediaRule): ((network: string) => string)[] {
  const tracks = [
    { what: "The picture", codec: item.codec, taken: rule.codecs },
    { what: "The sound", codec: item.audio_codec, taken: rule.audio_codecs },
  ];
  return tracks.flatMap(({ what, codec, taken }) => {
    if (codec === undefined || taken === undefined || taken.includes(codec)) return [];
    const choice = taken.join(" or ");
    return [(network) => `${what} is encoded as ${codec}; ${network} takes ${choice}. Export it as ${choice}.`];
  });
}

interface Bound {
  what: string;
  value: number | null;
  min?: number | undefined;
  max?: number | undefined;
}

function boundsOf(item: PlannedMedia, rule: MediaRule): Bound[] {
  const { width, height, fps = null, bitrate = null, frames = null } = item;
  const pixels = width === null || height === null ? null : width * height;
  const aspect = width === null || height === null || height === 0 ? null : width / height;
  return [
    { what: "The size in bytes", value: item.size_bytes, min: rule.min_bytes, max: rule.max_bytes },
    { what: "The width in pixels", value: width, min: rule.min_width, max: rule.max_width },
    { what: "The height in pixels", value: height, min: rule.min_height, max: rule.max_height },
    { what: "The number of pixels", value: pixels, max: rule.max_pixels },
    { what: "The width divided by the height", value: aspect, min: rule.min_aspect, max: rule.max_aspect },
    { what: "The duration in seconds", value: item.duration_seconds, min: rule.min_seconds, max: rule.max_seconds },
    { what: "The number of frames a second", value: rounded(fps), min: rule.min_fps, max: rule.max_fps },
    { what: "The bitrate in bits a second", value: bitrate, max: rule.max_bitrate },
    { what: "The number of frames", value: frames, max: rule.max_frames },
  ];
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

/** A few digits are enough for a reader. */
function shown(value: number | null): string {
  return String(value === null ? null : Math.round(value * 1000) / 1000);
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function mediaIssue(field: string, message: string): PlanIssue {
  return { severity: "error", code: "media_error", field, message };
}
