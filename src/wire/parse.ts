import * as z from "zod";
import { type ErrorDetail, SocialError } from "./errors.ts";
import { unstorableText } from "./json.ts";
import { detailsFrom, type Label, maxDetails, namesIn } from "./parse-issue.ts";

/** Text that every storage can keep. */
export const storableText = z
  .string()
  .refine((text) => !unstorableText.test(text), "Remove the NUL characters and half characters (lone surrogates).");

/**
 * An address on the web. A pattern says so, because a schema for readers tells neither which protocols are taken nor
 * that there must be a host.
 *
 * @param right what anything else is answered with
 */
export function addressOnTheWeb(right: string): z.ZodURL {
  return z
    .url({ error: right, abort: true })
    .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#\\]/, right)
    .meta({ format: "uri" });
}

export const webAddress = addressOnTheWeb("Must be an http or https URL.");

/** What an input's parts are called in messages, and what is known of them beforehand. */
export interface InputNaming {
  /** @default "field" */
  noun?: Label;
  /** Names that somebody may have meant although the schema does not have them. @default none */
  besides?: readonly string[];
  /** What is wrong that no schema can tell; the schema's own details on the same fields are left out. @default nothing */
  found?: readonly ErrorDetail[];
}

/**
 * Parses what came in at a module's door.
 *
 * @throws SocialError `invalid_request` with one detail per field, unknown ones by name
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

/** As `parseInput`, for those who gather the details of several inputs. */
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
