import type { z } from "zod";
import { type ErrorDetail, SocialError } from "./errors.ts";

/**
 * Parses what came in at a module's door.
 *
 * @throws SocialError `invalid_request` with one detail per field, unknown ones by name
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) => detailsOf(issue));
  const fields = [...new Set(details.map(({ field }) => field))].join(", ");
  throw new SocialError("invalid_request", `The request is not valid: ${fields}.`, { details });
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  const field = fieldPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownField(field === "" ? key : `${field}.${key}`));
  }
  if (issue.code === "invalid_key" && issue.path.length > 0) return [unknownField(field)];
  if (issue.code === "invalid_union") return [closestBranch(issue, field)];
  return [{ field: field === "" ? "body" : field, message: issue.message, code: "invalid_request" }];
}

function unknownField(field: string): ErrorDetail {
  return { field, message: "There is no such field; look for a typing error.", code: "invalid_request" };
}

/** Of a union's branches, the one that came furthest says best what is wrong. */
function closestBranch(issue: z.core.$ZodIssueInvalidUnion, field: string): ErrorDetail {
  const issues = issue.errors.flat();
  const deepest = issues.reduce<z.core.$ZodIssue | undefined>(
    (best, each) => (best === undefined || each.path.length > best.path.length ? each : best),
    undefined,
  );
  const inner = deepest === undefined ? "" : fieldPath(deepest.path);
  const joined = inner === "" || inner.startsWith("[") ? `${field}${inner}` : `${field}.${inner}`;
  return { field: joined, message: deepest?.message ?? issue.message, code: "invalid_request" };
}

/** `["media", 2, "url"]` as `media[2].url`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`))
    .join("");
}
