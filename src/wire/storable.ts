import { type Json, unstorableText } from "./json.ts";

/** JSON escapes of characters that no store keeps. JSON always escapes them. */
const escapedHarm = /\\u(?:0000|d[89a-f])/i;
const eachUnstorable = new RegExp(unstorableText, "gu");

/** Replaces NUL and lone surrogates by U+FFFD. */
export function storableText(text: string): string {
  return text.replace(eachUnstorable, "\ufffd");
}

/** Makes all strings of a JSON value storable. Returns the value itself if they are already. */
export function storableJson<Value extends Json>(value: Value): Value {
  const text = JSON.stringify(value);
  return mayBeUnstorable(text) ? (mapTexts(JSON.parse(text), storableText) as Value) : value;
}

/** False: all strings in the JSON can be stored, as nearly always. */
export function mayBeUnstorable(json: string): boolean {
  return escapedHarm.test(json);
}

/** Changes each string of a parsed value, in place. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(entries)) {
    // The parser makes `__proto__` an ordinary key; assigning it would set the prototype.
    if (key !== "__proto__") entries[key] = mapTexts(entries[key], change);
  }
  return value;
}
