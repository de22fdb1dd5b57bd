import { unstorableText } from "../wire/json.ts";

/** Levels of objects and arrays. No network's answer has a dozen. */
const maxDepth = 64;
/** Values and keys in all. A page of a hundred posts has about ten thousand. */
const maxValues = 50_000;

/**
 * An answer's JSON; null for anything else, and for JSON that is built to be
 * expensive. What no store could keep (NUL, half characters) becomes U+FFFD; an
 * integer beyond 2^53, as some networks' ids are, is a text of its digits.
 */
export function parseAnswer(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (!isModest(text)) return null;
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
const backslash = 0x5c;
const comma = 0x2c;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

/** Reads over the text without building anything: what a parser builds can take a hundred times the text's own memory. */
function isModest(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) {
      index = endOfString(text, index);
    } else if (unit === comma) {
      values += 1;
    } else if (openers.has(unit)) {
      values += 1;
      depth += 1;
      if (depth > maxDepth) return false;
    } else if (closers.has(unit)) {
      depth -= 1;
    }
    if (values > maxValues) return false;
  }
  return true;
}

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
    if (unit === quote) index = endOfString(text, index);
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

/** Where the string that begins at `start` ends: at its closing quote, or with the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
