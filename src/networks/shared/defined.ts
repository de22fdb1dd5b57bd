import type { Json, JsonObject } from "../../wire/json.ts";

/** Removes fields that are undefined. Null fields stay. */
export function defined(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
