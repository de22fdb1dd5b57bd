import * as z from "zod";
import { type ErrorDetail, SocialError } from "./errors.ts";
import { unstorableText } from "./json.ts";
import { detailsFrom, type Label, maxDetails, namesIn } from "./parse-issue.ts";

/** Text that every store can keep. */
export const storableText = z
  .string()
  .refine((text) => !unstorableText.test(text), "Remove the NUL characters and half characters (lone surrogates).");

/**
 * An http or https URL. The pattern documents in JSON Schema which schemes are allowed and that a host is required.
 *
 * @param right the error message
 */
export function addressOnTheWeb(right: string): z.ZodURL {
  return z
    .url({ error: right, abort: true })
    .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#\\]/, right)
    .meta({ format: "uri" });
}

export const webAddress = addressOnTheWeb("Must be an http or https URL.");

/** How messages name the input, and what is known before parsing. */
export interface InputNaming {
  /** @default "field" */
  noun?: Label;
  /** Further names that may have been meant, in addition to the schema's. @default none */
  besides?: readonly string[];
  /** Problems that the schema cannot find. They replace the schema's details on the same fields. @default none */
  found?: readonly ErrorDetail[];
}

/**
 * Parses a caller's input.
 *
 * @throws SocialError `invalid_request` with one detail per field, and per unknown name
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  naming: InputNaming = {},
): z.output<Schema> {
  const checked = checkInput(schema, input, naming);
  if ("data" in checked) return checked.data;
  throw new SocialError("invalid_request", "The request is not valid.", checked);
}

/** As `parseInput`, but returns the details, for callers that combine several inputs. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { noun = "field", besides = [], found = [] }: InputNaming = {},
): { data: z.output<Schema> } | { details: ErrorDetail[] } {
  const names = new Map<readonly string[], readonly string[]>();
  const parsed = schema.safeParse(input, {
    // Without messages: zod's own are for programmers.
    error: (issue) => {
      if (issue.code === "unrecognized_keys") {
        names.set(issue.keys as string[], [...namesIn(issue.inst as z.core.$ZodType), ...besides]);
      }
      return "";
    },
    reportInput: true,
  });
  if (parsed.success) return found.length === 0 ? { data: parsed.data } : { details: [...found] };
  const fields = new Set(found.map(({ field }) => field));
  const details = detailsFrom(parsed.error.issues, { noun, names }).filter(({ field }) => !fields.has(field));
  return { details: [...details, ...found].slice(0, maxDetails) };
}
