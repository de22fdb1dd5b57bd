import type * as z from "zod";

type Issues = readonly [z.core.$ZodIssue, ...z.core.$ZodIssue[]];

/** Parses a value with the schema. @throws the error that `refuse` makes of the issues, in their order */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (issues: Issues) => Error,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues as unknown as Issues);
}

/** The requested fields of an object, in the object's order. */
export function pickFields(all: object, asked: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name)));
}
