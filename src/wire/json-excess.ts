/** Why JSON is expensive to parse: its depth, or its number of values and keys. */
export type JsonExcess = "depth" | "values";

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

/**
 * Scans a text without parsing it: a parsed value can take a hundred times the text's own memory, and a megabyte of
 * open brackets takes half a second to parse.
 *
 * @param max.values empty objects and arrays count twice
 * @returns the exceeded limit, or null
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

/** The end of the string that begins at `start`: its closing quote, or the end of the text. */
export function endOfJsonString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
