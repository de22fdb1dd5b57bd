import { fitMedia, type MediaFit, type MediaTools } from "../media/fit/fit.ts";
import { ruleFor } from "../media/fit/moving.ts";
import type { ChangeWarnings } from "../media/transform/choose.ts";
import type { MediaType } from "../networks/contract/limits.ts";
import type { PlannedMedia } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import { type LocationHandling, locationIssues } from "./check-location.ts";
import type { PlanIssue } from "./schema.ts";

/** A file of a post, and how it is sent to a network. */
export interface FittedMedia {
  item: PlannedMedia;
  fit: MediaFit;
}

/** Decides how a target's files are sent, and lists their issues, each and as a set. */
export function checkMedia(
  media: readonly PlannedMedia[],
  spec: NetworkSpec,
  tools: MediaTools,
): { fitted: FittedMedia[]; issues: PlanIssue[] } {
  const alone = media.map((item) => ({ item, fit: fitMedia(item, spec, tools) }));
  const fitted = withinTotal(alone, spec.media.max_total_bytes);
  const issues = fitted.flatMap((each, index) => itemIssues(each, `media[${index}]`, spec));
  return { fitted, issues: [...setIssues(fitted, spec), ...issues] };
}

function setIssues(fitted: readonly FittedMedia[], spec: NetworkSpec): PlanIssue[] {
  const { min_items = 0, max_items, max_of_type, mixing, max_total_bytes } = spec.media;
  const issues: PlanIssue[] = [];
  if (fitted.length < min_items) {
    issues.push(
      mediaIssue(
        "media",
        `${fitted.length} files; ${spec.name} requires at least ${min_items} in a post of this kind.`,
      ),
    );
  }
  if (fitted.length > max_items) {
    issues.push(mediaIssue("media", `${fitted.length} files; ${spec.name} accepts at most ${max_items}.`));
  }
  const sent = fitted.map((each) => typeSent(each, spec));
  const types = new Set(sent);
  for (const type of types) {
    const most = max_of_type?.[type] ?? max_items;
    const count = sent.filter((each) => each === type).length;
    if (count > most && most < max_items) {
      issues.push(mediaIssue("media", `${count} files of type ${type}; ${spec.name} accepts at most ${most}.`));
    }
  }
  if (mixing === "one_type" && types.size > 1) {
    const found = [...types].join(" and ");
    issues.push(mediaIssue("media", `${found} in one post; ${spec.name} accepts files of one type only.`));
  }
  const totalBytes = fitted.reduce((sum, each) => sum + bytesSent(each), 0);
  if (max_total_bytes !== undefined && totalBytes > max_total_bytes) {
    issues.push(
      mediaIssue("media", `${megabytes(totalBytes)} in total; ${spec.name} accepts ${megabytes(max_total_bytes)}.`),
    );
  }
  return issues;
}

function itemIssues({ item, fit }: FittedMedia, field: string, spec: NetworkSpec): PlanIssue[] {
  const issues = fit.kind === "refuse" ? [mediaIssue(field, fit.message)] : [];
  for (const message of fit.kind === "as_is" ? (fit.warnings ?? []) : [])
    issues.push({ severity: "warning", code: "media_error", field, message });
  const { max_alt } = spec.media;
  if (max_alt !== undefined && (item.alt?.length ?? 0) > max_alt) {
    issues.push(mediaIssue(`${field}.alt`, `The alt text is longer than ${max_alt} characters.`));
  }
  const shown = shownAs(item, spec);
  if (shown !== null && fit.kind === "as_is") {
    issues.push(mediaWarning(field, `On ${spec.name}: ${shown}`));
  }
  return issues;
}

/** Warns of what files lose by their conversion for the network. */
export async function checkChanged(
  fitted: readonly FittedMedia[],
  { name }: NetworkSpec,
  changeWarnings: ChangeWarnings,
): Promise<PlanIssue[]> {
  const issues = fitted.map(async ({ item, fit }, index): Promise<PlanIssue[]> => {
    const warnings = fit.kind === "change" ? await changeWarnings(item, fit.change) : [];
    return warnings.map((each) => mediaWarning(`media[${index}]`, `For ${name} the file is converted. It ${each}.`));
  });
  return (await Promise.all(issues)).flat();
}

/** Lists the files that a network has to download itself and cannot. */
export async function checkPulled(
  fitted: readonly FittedMedia[],
  spec: NetworkSpec,
  pullProblem: (url: string) => Promise<string | null>,
): Promise<PlanIssue[]> {
  const issues = fitted.map(async ({ item, fit }, index): Promise<PlanIssue[]> => {
    const mimeType = fit.kind === "change" ? fit.change.mime_type : item.mime_type;
    const rule = spec.media.types.find(({ mime }) => mime === mimeType);
    const problem = rule?.pulled === true && fit.kind !== "refuse" ? await pullProblem(item.url) : null;
    if (problem === null) return [];
    return [mediaIssue(`media[${index}]`, `${spec.name} fetches this file by URL, and ${problem}.`)];
  });
  return (await Promise.all(issues)).flat();
}

/** Warns of location data in files that are sent unchanged. Converted files have none. */
export function checkLocations(
  fitted: readonly FittedMedia[],
  spec: NetworkSpec,
  location: LocationHandling,
): PlanIssue[] {
  return fitted.flatMap(({ item, fit }, index) => {
    if (fit.kind !== "as_is") return [];
    const isPulled = spec.media.types.find(({ mime }) => mime === item.mime_type)?.pulled === true;
    return locationIssues(item, { field: `media[${index}]`, network: spec.name, isPulled, location });
  });
}

/** The network's own conversion of a file that it accepts, if it may surprise. Null: none. */
export function shownAs(item: PlannedMedia, { media }: NetworkSpec): string | null {
  return ruleFor(item, media.types)?.action ?? null;
}

/** Divides the network's limit on all files: converted files share what the others leave of it. */
function withinTotal(fitted: FittedMedia[], maxTotalBytes: number | undefined): FittedMedia[] {
  const changed = fitted.filter(({ fit }) => fit.kind === "change").length;
  if (maxTotalBytes === undefined || changed === 0) return fitted;
  const left =
    maxTotalBytes - fitted.reduce((sum, each) => sum + (each.fit.kind === "change" ? 0 : bytesSent(each)), 0);
  const share = Math.floor(left / changed);
  if (share <= 0) return fitted;
  return fitted.map(({ item, fit }) => {
    if (fit.kind !== "change") return { item, fit };
    const max_bytes = Math.min(fit.change.max_bytes, share);
    return { item, fit: { ...fit, change: { ...fit.change, max_bytes } } };
  });
}

/** The type of a file as sent. */
export function typeSent({ item, fit }: FittedMedia, { media }: NetworkSpec): MediaType {
  return fit.kind === "change" ? fit.change.kind : (ruleFor(item, media.types)?.type ?? item.type);
}

function bytesSent({ item, fit }: FittedMedia): number {
  return fit.kind === "change" ? fit.change.max_bytes : (item.size_bytes ?? 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function mediaWarning(field: string, message: string): PlanIssue {
  return { severity: "warning", code: "media_error", field, message };
}

function mediaIssue(field: string, message: string): PlanIssue {
  return { severity: "error", code: "media_error", field, message };
}
