import type * as z from "zod";

type Issues = readonly [z.core.$ZodIssue, ...z.core.$ZodIssue[]];

/** A value as the schema reads it. @throws what `refuse` makes of the things that are wrong with it, the first one first */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (issues: Issues) => Error,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues as unknown as Issues);
}

/** Those of an object's fields that were asked for, in the object's order. */
export function pickFields(all: object, asked: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name)));
}
