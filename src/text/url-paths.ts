import { accentedLatin, endOfMatch } from "./domains.ts";

/** The characters that a network allows in the path and the query of a URL, and those allowed at the end. */
interface PathCharacters {
  path: RegExp;
  pathEnd: RegExp;
  /** True: balanced brackets may end the path after any character, not only after one that may end it. */
  bracketsEndAll: boolean;
  query: RegExp;
  queryEnd: RegExp;
}

/**
 * - `x`: Latin and Cyrillic letters, so that a URL ends where Japanese begins
 * - `mastodon`: nearly all but white space and brackets
 */
export type UrlPaths = "x" | "mastodon";

const characters: Record<UrlPaths, PathCharacters> = {
  // npm twitter-text 3.1.0, read 2026-11
  x: {
    path: new RegExp(`[${accentedLatin}\\u0400-\\u04ffa-z0-9!*';:=+,.$/%#[\\]\\u2013_~@|&-]+`, "iy"),
    pathEnd: new RegExp(`[${accentedLatin}\\u0400-\\u04ffa-z0-9+=_#/-]`, "i"),
    bracketsEndAll: false,
    query: /[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]+/iy,
    queryEnd: /[a-z0-9\-_&=#/]/i,
  },
  // https://github.com/mastodon/mastodon/blob/main/config/initializers/twitter_regex.rb, read 2026-11
  mastodon: {
    path: /[^\s\x85<>()?]+/y,
    pathEnd: /[^\s\x85()?!*"'「」<>;:=,.$%[\]~&|@]/,
    bracketsEndAll: true,
    query:
      /[a-z0-9!?*'();:&=+$/%#[\]\-_.,~|@^\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\uffef]+/iy,
    queryEnd: /[a-z0-9_&=#/\-\xa1-\uffef]/i,
  },
};

const port = /:[0-9]+/y;

/** The part of a URL after the host. */
export interface AddressRest {
  /** The end of port, path and query; the end of the host if there are none. */
  end: number;
  hasPath: boolean;
}

/** Reads the port, the path and the query after a host that ends at `hostEnd`. */
export function readAddress(text: string, hostEnd: number, paths: UrlPaths): AddressRest {
  const allowed = characters[paths];
  const portEnd = endOfMatch(port, text, hostEnd);
  const pathStart = portEnd === -1 ? hostEnd : portEnd;
  const hasPath = text[pathStart] === "/";
  const pathEnd = hasPath ? endOfPath(text, pathStart + 1, allowed) : pathStart;
  return {
    end: text[pathEnd] === "?" ? endOfQuery(text, pathEnd, allowed) : pathEnd,
    hasPath,
  };
}

/** The end of the longest sequence of path characters and balanced brackets that may end a path. */
function endOfPath(text: string, start: number, allowed: PathCharacters): number {
  let end = start;
  let position = start;
  for (;;) {
    const runEnd = endOfMatch(allowed.path, text, position);
    const lastGood = trim(text, position, runEnd, allowed.pathEnd);
    if (lastGood > position) end = lastGood;
    if (runEnd !== -1) position = runEnd;
    const groupEnd = text[position] === "(" ? endOfBrackets(text, position, allowed) : -1;
    if (groupEnd === -1) return end;
    if (end === position || allowed.bracketsEndAll) end = groupEnd;
    position = groupEnd;
  }
}

/** The end of `(…)` with at most one pair of brackets inside; -1: not balanced. */
function endOfBrackets(text: string, start: number, allowed: PathCharacters): number {
  const first = endOfRun(text, start + 1, allowed);
  if (text[first] === ")") return first > start + 1 ? first + 1 : -1;
  if (text[first] !== "(") return -1;
  const inner = endOfRun(text, first + 1, allowed);
  if (inner === first + 1 || text[inner] !== ")") return -1;
  const last = endOfRun(text, inner + 1, allowed);
  return text[last] === ")" ? last + 1 : -1;
}

function endOfRun(text: string, start: number, allowed: PathCharacters): number {
  return Math.max(start, endOfMatch(allowed.path, text, start));
}

function endOfQuery(text: string, start: number, allowed: PathCharacters): number {
  const runEnd = endOfMatch(allowed.query, text, start + 1);
  if (runEnd === -1) return start;
  const end = trim(text, start + 1, runEnd, allowed.queryEnd);
  return end === start + 1 ? start : end;
}

/** The end of the last character in `start`..`end` that `mayEnd` accepts; `start`: none. */
function trim(text: string, start: number, end: number, mayEnd: RegExp): number {
  let position = end;
  while (position > start && !mayEnd.test(text.charAt(position - 1))) position--;
  return position;
}
