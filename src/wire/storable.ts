import { type Json, unstorableText } from "./json.ts";

/** How JSON writes what no storage takes: as it is it would be no JSON, or no UTF-8. */
const escapedHarm = /\\u(?:0000|d[89a-f])/i;
const eachUnstorable = new RegExp(unstorableText, "gu");

/** A text in which NUL and half characters are U+FFFD. */
export function storableText(text: string): string {
  return text.replace(eachUnstorable, "\ufffd");
}

/** JSON whose texts are storable. What has none that is not comes back as it is. */
export function storableJson<Value extends Json>(value: Value): Value {
  const text = JSON.stringify(value);
  return mayBeUnstorable(text) ? (mapTexts(JSON.parse(text), storableText) as Value) : value;
}

/** False for JSON of which each text can be stored, which is nearly all. */
export function mayBeUnstorable(json: string): boolean {
  return escapedHarm.test(json);
}

/** Changes each text of a parsed value, in its place. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(entries)) {
    // As the parser left it, `__proto__` is a key like others; set like others it would be more.
    if (key !== "__proto__") entries[key] = mapTexts(entries[key], change);
  }
  return value;
}
