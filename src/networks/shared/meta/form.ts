import type { Json } from "../../../wire/json.ts";

/** Fields as the Graph API takes them in a form: what is no text is JSON, and what is undefined is left out. */
export function graphForm(fields: Readonly<Record<string, Json | object | undefined>>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}
