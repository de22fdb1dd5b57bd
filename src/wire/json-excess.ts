/** What makes JSON expensive: levels of objects and arrays in each other, or values and keys in all. */
export type JsonExcess = "depth" | "values";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

/**
 * Reads over a text without building anything: what a parser builds can take a
 * hundred times the text's own memory, and for a megabyte of open brackets it
 * takes half a second.
 *
 * @param max.values empty objects and arrays count twice
 * @returns what there is too much of, or null
 */
export function jsonExcess(text: string, max: { depth: number; values: number }): JsonExcess | null {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) {
      index = endOfJsonString(text, index);
    } else if (unit === comma) {
      values += 1;
    } else if (openers.has(unit)) {
      values += 1;
      depth += 1;
      if (depth > max.depth) return "depth";
    } else if (closers.has(unit)) {
      depth -= 1;
    }
    if (values > max.values) return "values";
  }
  return null;
}

/** Where the string that begins at `start` ends: at its closing quote, or with the text. */
export function endOfJsonString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
