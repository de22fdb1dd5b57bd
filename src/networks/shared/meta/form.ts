import type { Json } from "../../../wire/json.ts";

/** Form fields for the Graph API: values that are not strings become JSON, and undefined ones are omitted. */
export function graphForm(fields: Readonly<Record<string, Json | object | undefined>>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}
