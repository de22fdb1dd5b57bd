import { unstorableText } from "./json.ts";
import { endOfJsonString, jsonExcess } from "./json-excess.ts";

/**
 * JSON that a network answers or sends; null for anything else, and for JSON
 * that is built to be expensive. What no store could keep (NUL, half characters) becomes U+FFFD; an
 * integer beyond 2^53, as some networks' ids are, is a text of its digits.
 *
 * @param max as `jsonExcess`
 */
export function parseNetworkJson(bytes: Uint8Array, max: { depth: number; values: number }): unknown {
  const text = new TextDecoder().decode(bytes);
  if (jsonExcess(text, max) !== null) return null;
  try {
    const value: unknown = JSON.parse(withExactIntegers(text));
    return escapedHarm.test(text) ? mapTexts(value, storable) : value;
  } catch {
    return null;
  }
}

/** The only way in which JSON writes them: as they are they would be no JSON, or no UTF-8. */
const escapedHarm = /\\u(?:0000|d[89a-f])/i;
const eachUnstorable = new RegExp(unstorableText, "gu");

function storable(text: string): string {
  return text.replace(eachUnstorable, "\ufffd");
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

const quote = 0x22;
const manyDigits = /\d{16}/;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const minus = 0x2d;
const [zero, nine] = [0x30, 0x39];

/** As numbers they would lose their last digits. */
function withExactIntegers(text: string): string {
  if (!manyDigits.test(text)) return text;
  let exact = "";
  let copied = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) index = endOfJsonString(text, index);
    else if (unit === minus || (unit >= zero && unit <= nine)) {
      number.lastIndex = index;
      const [token = "-"] = number.exec(text) ?? [];
      const end = index + token.length;
      if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) {
        exact += `${text.slice(copied, index)}"${token}"`;
        copied = end;
      }
      index = end - 1;
    }
  }
  return exact + text.slice(copied);
}
