import type { AnyOptions, MediaSource } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import { type FileTools, fileLocationIssues, fileProblem } from "./check-file.ts";
import { errorIssue } from "./issue.ts";
import type { PlanIssue } from "./schema.ts";

export interface CheckedOptionFiles {
  /** The readable files, with their MIME types. */
  files: MediaSource[];
  issues: PlanIssue[];
  /** True: a file could not be read now, but may be readable later. */
  waits: boolean;
}

/** Checks the files that a network's options name. */
export async function checkOptionFiles(
  options: AnyOptions,
  spec: NetworkSpec,
  { readMedia, pullProblem, location }: FileTools,
): Promise<CheckedOptionFiles> {
  const checked: CheckedOptionFiles = { files: [], issues: [], waits: false };
  for (const [option, rule] of Object.entries(spec.option_files ?? {})) {
    const url = options[option];
    if (typeof url !== "string") continue;
    const found = await readMedia({ url, alt: null, thumbnail_url: null });
    const problem = await fileProblem("file", { url, found, rule, spec }, pullProblem);
    const field = `networks.${spec.network}.${option}`;
    if (problem !== null) checked.issues.push(errorIssue("media_error", field, problem));
    else checked.issues.push(...fileLocationIssues(field, { found, rule, spec }, location));
    if ("error" in found) checked.waits ||= found.error.isPassing;
    else checked.files.push({ url, mime_type: found.mime_type });
  }
  return checked;
}
