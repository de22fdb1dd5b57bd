import type { AnyOptions, MediaSource } from "../networks/contract/plan.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import { type FileTools, fileLocationIssues, fileProblem } from "./check-file.ts";
import { errorIssue } from "./issue.ts";
import type { PlanIssue } from "./schema.ts";

export interface CheckedOptionFiles {
  /** The files that can be sent, with what is known of each. */
  files: MediaSource[];
  issues: PlanIssue[];
  /** One could not be read, but may be there in a while. */
  waits: boolean;
}

/** Looks at the files that the options of a network name. */
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
