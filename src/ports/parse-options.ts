import * as z from "zod";
import { describeValue } from "../wire/describe-value.ts";
import { SocialError } from "../wire/errors.ts";
import { checkInput } from "../wire/parse.ts";
import { withThousands } from "../wire/with-thousands.ts";
import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";

/** One schema for each option, so that none is forgotten. */
export type OptionSchemas<Options> = Record<keyof Options, z.ZodType>;

/**
 * Checks what a host has given before anything is done with it.
 *
 * @param call the function that it was given to: `createSocialService`
 * @throws SocialError `invalid_options` naming the option, what came and what is right; never a secret
 */
export function checkOptions(call: string, schema: z.ZodObject, options: unknown): void {
  const checked = checkInput(schema, options, { noun: "option" });
  if ("details" in checked) throw wrongOptions(call, checked.details);
}

/** As `checkOptions`, for what is given without a name. */
export function checkArgument(call: string, field: string, schema: z.ZodType, value: unknown): void {
  checkOptions(call, z.strictObject({ [field]: schema }), { [field]: value });
}

export function wrongOptions(call: string, details: SocialError["details"]): SocialError {
  return new SocialError("invalid_options", `${call}: invalid options.`, { details });
}

/**
 * An option that a function judges.
 *
 * @param right what it must be, as the object of "must be"
 */
export function option(right: string, fits: (value: unknown) => boolean): z.ZodType {
  return z.custom(fits, {
    error: ({ input }) =>
      input === undefined ? `Missing: must be ${right}.` : `Must be ${right}, not ${describeValue(input)}.`,
  });
}

/** Something of the host's own, known by its methods. */
export function port<Port extends object>(right: string, methods: readonly (keyof Port & string)[]): z.ZodType {
  const missing = (value: unknown): string[] => methods.filter((name) => !hasMethod(value, name));
  return z.custom((value) => missing(value).length === 0, {
    error: ({ input }) => {
      if (input === undefined) return `Missing: must be ${right}.`;
      const without = missing(input);
      // What has some of the methods is nearly one.
      const lack = without.length < methods.length ? ` without ${without.join(", ")}` : "";
      return `Must be ${right}, not ${describeValue(input)}${lack}.`;
    },
  });
}

function hasMethod(value: unknown, name: string): boolean {
  const canHave = (typeof value === "object" && value !== null) || typeof value === "function";
  return canHave && typeof (value as Record<string, unknown>)[name] === "function";
}

/** @param unit `milliseconds` */
export function wholeNumber(unit: string, { from, to }: { from: number; to: number }): z.ZodType {
  const [min, max] = [from, to].map(withThousands);
  return option(
    `a whole number of ${unit}, ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to,
  );
}

/** As browsers send it: nothing else would ever be equal. */
const originOption = option(
  'an origin such as "https://admin.example.com"',
  (value) => typeof value === "string" && URL.canParse(value) && new URL(value).origin === value,
);

export const originsOption = z.array(originOption, 'Must be a list of origins, such as ["https://admin.example.com"].');

export function aFunction(right: string): z.ZodType {
  return option(right, (value) => typeof value === "function");
}

export const trueOrFalse = option("true or false", (value) => typeof value === "boolean");

export const clockOption = port<Clock>("a clock with now, monotonic and sleep", ["now", "monotonic", "sleep"]);
export const loggerOption = port<Logger>("a logger with debug, info, warn and error, such as console", [
  "debug",
  "info",
  "warn",
  "error",
]);
