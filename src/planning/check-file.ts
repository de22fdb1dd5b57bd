import type { FileRule } from "../networks/contract/limits.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import { type LocationHandling, locationIssues } from "./check-location.ts";
import type { MediaReader, MediaResult } from "./media.ts";
import type { PlanIssue } from "./schema.ts";

/** What is needed to check files outside `media`, such as covers. */
export interface FileTools {
  /** Reads the facts of a file. */
  readMedia: MediaReader["read"];
  /** Why no network can download the file from a URL. Null: no reason is known. */
  pullProblem(url: string): Promise<string | null>;
  location: LocationHandling;
}

/** A file outside `media`, with the network's rule for it. */
interface LookedAt {
  url: string;
  found: MediaResult;
  rule: FileRule;
  spec: NetworkSpec;
}

/** Why a network rejects a file outside `media`. Null: it accepts it. */
export async function fileProblem(
  noun: string,
  { url, found, rule, spec }: LookedAt,
  pullProblem: FileTools["pullProblem"],
): Promise<string | null> {
  const problem = ownProblem(noun, found, { rule, spec });
  if (problem !== null || rule.pulled !== true) return problem;
  const unreachable = await pullProblem(url);
  return unreachable === null ? null : `${spec.name} fetches this ${noun} by URL, and ${unreachable}.`;
}

function ownProblem(
  noun: string,
  found: MediaResult,
  { rule: { mimes, max_bytes }, spec: { name } }: Pick<LookedAt, "rule" | "spec">,
): string | null {
  if ("error" in found) return found.error.message;
  const { mime_type, size_bytes } = found;
  if (!mimes.includes(mime_type)) return `The ${noun} is ${mime_type}; ${name} accepts ${mimes.join(", ")}.`;
  if (size_bytes === null || size_bytes <= max_bytes) return null;
  return `The ${noun} has ${size_bytes} bytes; ${name} accepts at most ${max_bytes}.`;
}

/** Warns of location data in a file outside `media`. */
export function fileLocationIssues(
  field: string,
  { found, rule, spec }: Pick<LookedAt, "found" | "rule" | "spec">,
  location: LocationHandling,
): PlanIssue[] {
  if ("error" in found) return [];
  return locationIssues(found, { field, network: spec.name, isPulled: rule.pulled === true, location });
}
