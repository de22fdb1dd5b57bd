import type { Json, JsonObject } from "../../wire/json.ts";

/** The fields that have a value, null among them: what is undefined is left out. */
export function defined(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
