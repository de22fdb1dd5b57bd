import { z } from "zod";
import { type ErrorDetail, SocialError } from "./errors.ts";
import { unstorableText } from "./json.ts";

/** Text that every storage can keep. */
export const words = z
  .string()
  .refine((text) => !unstorableText.test(text), "Remove the NUL characters and half characters (lone surrogates).");

const notOnTheWeb = "Give an http or https address.";

/** An address on the web. A pattern says so, because a schema for readers tells neither which protocols are taken nor that there must be a host. */
export const webAddress = z
  .url({ error: notOnTheWeb, abort: true })
  .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#\\]/, notOnTheWeb)
  .meta({ format: "uri" });

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
  if (issue.code === "invalid_union") return closestBranch(issue, field);
  return [{ field: field === "" ? "body" : field, message: issue.message, code: "invalid_request" }];
}

function unknownField(field: string): ErrorDetail {
  return { field, message: "There is no such field; look for a typing error.", code: "invalid_request" };
}

/**
 * Of a union's branches, the one that came furthest says best what is wrong, then the one with the least to say; a
 * branch of another kind altogether says nothing.
 */
function closestBranch(issue: z.core.$ZodIssueInvalidUnion, field: string): ErrorDetail[] {
  const [closest] = issue.errors
    .map((issues) => ({ issues, depth: Math.max(...issues.map(depthOf)) }))
    .sort((a, b) => b.depth - a.depth || a.issues.length - b.issues.length);
  if (closest === undefined || closest.depth < 0) return [{ field, message: issue.message, code: "invalid_request" }];
  return closest.issues.flatMap((each) => detailsOf({ ...each, path: [...issue.path, ...each.path] }));
}

/** -1: the value is not even of this branch's kind. */
function depthOf(issue: z.core.$ZodIssue): number {
  return issue.code === "invalid_type" && issue.path.length === 0 ? -1 : issue.path.length;
}

/** `["media", 2, "url"]` as `media[2].url`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`))
    .join("");
}
