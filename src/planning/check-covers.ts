import type { PlannedMedia } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import { type FileTools, fileLocationIssues, fileProblem } from "./check-file.ts";
import { type FittedMedia, typeSent } from "./check-media.ts";
import { errorIssue, warning } from "./issue.ts";
import type { PlanIssue } from "./schema.ts";

export interface CheckedCovers {
  /** The files, with the MIME types of their covers. */
  media: PlannedMedia[];
  issues: PlanIssue[];
  /** True: a cover could not be read now, but may be readable later. */
  waits: boolean;
}

/** Checks the covers of a post's files against a network's rules. */
export async function checkCovers(
  fitted: readonly FittedMedia[],
  spec: NetworkSpec,
  tools: FileTools,
): Promise<CheckedCovers> {
  const covers = await Promise.all(fitted.map((file, index) => checkCover(file, `media[${index}]`, { spec, tools })));
  return {
    media: covers.map(({ item }) => item),
    issues: covers.flatMap(({ issues }) => issues),
    waits: covers.some(({ waits }) => waits),
  };
}

interface CheckedCover {
  item: PlannedMedia;
  issues: PlanIssue[];
  waits: boolean;
}

async function checkCover(
  { item, fit }: FittedMedia,
  field: string,
  { spec, tools }: { spec: NetworkSpec; tools: FileTools },
): Promise<CheckedCover> {
  const { thumbnail_url } = item;
  if (thumbnail_url === null || fit.kind === "refuse") return { item, issues: [], waits: false };
  const place = `${field}.thumbnail_url`;
  const rule = spec.media.cover;
  if (rule === undefined || typeSent({ item, fit }, spec) !== "video") {
    const message = `${spec.name} accepts no cover for this file; it is left out there.`;
    return { item, issues: [warning(place, message)], waits: false };
  }
  const cover = await tools.readMedia({ url: thumbnail_url, alt: null, thumbnail_url: null });
  const problem = await fileProblem("cover", { url: thumbnail_url, found: cover, rule, spec }, tools.pullProblem);
  if (problem !== null) {
    const waits = "error" in cover && cover.error.isPassing;
    return { item, issues: [errorIssue("media_error", place, problem)], waits };
  }
  const known = "error" in cover ? {} : { thumbnail_mime_type: cover.mime_type };
  const issues = fileLocationIssues(place, { found: cover, rule, spec }, tools.location);
  return { item: { ...item, ...known }, issues, waits: false };
}
