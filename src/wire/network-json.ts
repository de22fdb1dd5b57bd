import { endOfJsonString, jsonExcess } from "./json-excess.ts";
import { mapTexts, mayBeUnstorable, storableText } from "./storable.ts";

const decoder = new TextDecoder();

/**
 * Parses JSON from a network; null: it is not JSON, or too expensive to parse. Characters that no store keeps (NUL,
 * lone surrogates) become U+FFFD. An integer beyond 2^53, such as some networks' ids, becomes a string of its digits.
 *
 * @param max as in `jsonExcess`
 */
export function parseNetworkJson(bytes: Uint8Array, max: { depth: number; values: number }): unknown {
  const text = decoder.decode(bytes);
  if (jsonExcess(text, max) !== null) return null;
  try {
    const value: unknown = JSON.parse(withExactIntegers(text));
    return mayBeUnstorable(text) ? mapTexts(value, storableText) : value;
  } catch {
    return null;
  }
}

const quote = 0x22;
const manyDigits = /\d{16}/;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const minus = 0x2d;
const [zero, nine] = [0x30, 0x39];

/** Quotes large integers, which would lose their last digits as numbers. */
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
