import type { Json } from "../../wire/json.ts";

/**
 * The order in which the server stores a record's keys: by length, then by bytes.
 * https://ipld.io/specs/codecs/dag-cbor/spec/ (2026-08)
 */
export function inStoredOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inStoredOrder);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inStoredOrder(each)]));
}
