import type * as z from "zod";
import { describeKind, describeValue } from "./describe-value.ts";
import type { ErrorDetail } from "./errors.ts";
import { hintFor, listed } from "./nearest.ts";
import { withThousands } from "./with-thousands.ts";

/** How messages name a part of the input: a body's field, a query's parameter, a function's option. */
export type Label = "field" | "parameter" | "option";

/** Maximum number of reported details. */
export const maxDetails = 100;

/** How messages name the input's parts, and which other names exist. */
export interface Naming {
  noun: Label;
  /** For each list of unknown names, the names that the schema has. */
  names: ReadonlyMap<readonly string[], readonly string[]>;
}

/**
 * Converts a schema's issues to this package's messages, with the received value and what it must be. A custom
 * message of a schema is kept.
 */
export function detailsFrom(issues: readonly z.core.$ZodIssue[], naming: Naming): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const issue of issues) {
    if (details.length >= maxDetails) break;
    details.push(...detailsOf(issue, naming, maxDetails - details.length));
  }
  return slipsFirst(details);
}

/** The names that an object schema has. */
export function namesIn(schema: z.core.$ZodType | undefined): string[] {
  const { shape, keyType } = (schema?._zod.def ?? {}) as { shape?: object; keyType?: z.core.$ZodType };
  return shape === undefined ? [...(keyType?._zod.values ?? [])].map(String) : Object.keys(shape);
}

function detailsOf(issue: z.core.$ZodIssue, naming: Naming, max: number): ErrorDetail[] {
  const field = fieldPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = naming.names.get(issue.keys) ?? [];
    return issue.keys.slice(0, max).map((key, index) => {
      const hint = hintFor(key, known, { lists: index === 0 });
      return unknownName(field === "" ? key : `${field}.${key}`, hint, naming.noun);
    });
  }
  if (issue.code === "invalid_key" && issue.path.length > 0) {
    const [of] = issue.issues;
    const known = of?.code === "invalid_value" ? of.values.map(String) : [];
    return [unknownName(field, hintFor(String(issue.path.at(-1)), known), naming.noun)];
  }
  const closest = issue.code === "invalid_union" ? closestBranch(issue) : null;
  if (closest !== null) {
    return closest.flatMap((each) => detailsOf({ ...each, path: [...issue.path, ...each.path] }, naming, max));
  }
  const message = issue.message === "" ? sentenceFor(issue) : issue.message;
  return [{ field: field === "" ? rootNames[naming.noun] : field, message, code: "invalid_request" }];
}

const rootNames: Record<Label, string> = { field: "body", parameter: "query", option: "options" };

function unknownName(field: string, hint: string, noun: Label): ErrorDetail {
  const meant = /^; did you mean (.+\?)$/.exec(hint)?.[1];
  const message =
    meant === undefined ? `There is no such ${noun}${hint}` : `Did you mean ${meant} There is no such ${noun}.`;
  return { field, message, code: "invalid_request" };
}

/** Puts misspelled names first: a required field is often missing because of them. */
function slipsFirst(details: readonly ErrorDetail[]): ErrorDetail[] {
  const isSlip = ({ message }: ErrorDetail): boolean => message.startsWith("Did you mean ");
  return [...details.filter(isSlip), ...details.filter((detail) => !isSlip(detail))];
}

/**
 * The union's branch that matches best: the one whose issues are deepest, then the one with the fewest. Null: the
 * value is of another kind than every branch.
 */
function closestBranch(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | null {
  const [closest] = issue.errors
    .map((issues) => ({ issues, depth: Math.max(...issues.map(depthOf)) }))
    .sort((a, b) => b.depth - a.depth || a.issues.length - b.issues.length);
  return closest === undefined || closest.depth < 0 ? null : closest.issues;
}

/** -1: the value is not of this branch's kind. */
function depthOf(issue: z.core.$ZodIssue): number {
  return issue.code === "invalid_type" && issue.path.length === 0 ? -1 : issue.path.length;
}

/** Values under these names are never repeated. */
const secretName = /credential|secret|token|password|encryptionkey/i;

function sentenceFor(issue: z.core.$ZodIssue): string {
  const isSecret = issue.path.some((step) => secretName.test(String(step)));
  const came = (isSecret ? describeKind : describeValue)(issue.input);
  if (issue.input === undefined && issue.path.length > 0) return `Missing: must be ${rightFor(issue)}.`;
  if (issue.code === "too_small" || issue.code === "too_big")
    return `Must ${units[issue.origin] === undefined ? "be" : "have"} ${rightFor(issue)}, not ${sizeMessage(issue)}.`;
  const hint = issue.code === "invalid_value" && !isSecret ? typoHint(issue) : ".";
  return `Must be ${rightFor(issue)}, not ${came}${hint}`;
}

function typoHint({ input, values }: z.core.$ZodIssueInvalidValue): string {
  const hint = typeof input === "string" ? hintFor(input, values.map(String)) : ".";
  return hint.endsWith("?") ? hint : ".";
}

/** Kinds of values, by zod's names. */
const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

/** The end of a sentence that begins with "must be". */
function rightFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ?? `a ${issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${listed(issue.values.map(String), "or")}`;
    case "too_small":
      return bounded(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return bounded(issue.origin, issue.inclusive === false ? "fewer than" : "at most", issue.maximum);
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_format":
      return formats[issue.format] ?? "a string in the described format";
    case "invalid_union":
      return listed([...new Set(issue.errors.flatMap((issues) => issues.slice(0, 1).map(rightFor)))], "or");
    default:
      return "a value of the described type";
  }
}

const formats: Readonly<Record<string, string>> = {
  url: "an http or https URL",
  datetime: "a time as ISO 8601 with a zone, such as 2026-11-21T12:00:00Z",
};

const units: Readonly<Record<string, string>> = { string: "character", array: "entry" };

function bounded(origin: string, bound: string, value: number | bigint): string {
  const unit = units[origin];
  const count = withThousands(value);
  if (unit === undefined) return `a number of ${bound} ${count}`;
  return `${bound} ${count} ${value === 1 ? unit : unit === "entry" ? "entries" : `${unit}s`}`;
}

/** A number itself; for a string or a list, its length. */
function sizeMessage({ input }: z.core.$ZodIssue): string {
  if (typeof input !== "string" && !Array.isArray(input)) return describeValue(input);
  return withThousands(input.length);
}

/** `["media", 2, "url"]` as `media[2].url`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`))
    .join("");
}
