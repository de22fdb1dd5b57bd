import type { TextRule } from "../networks/contract/limits.ts";
import { countGraphemes, graphemeEnds } from "./graphemes.ts";
import { mentions } from "./links.ts";
import { findUrls } from "./urls.ts";
import { weightsOf } from "./weights.ts";

/**
 * How long a text is, in the unit of the rule, as the network counts it: an X
 * emoji 2, a Mastodon link `url_length`, `@user@host` as `@user`.
 */
export function countText(text: string, rule: TextRule): number {
  switch (rule.unit) {
    case "utf16":
      return text.length;
    case "utf8":
      return countBytes(text);
    case "weighted":
      return sum(weightsOf(text.normalize("NFC"), rule.url_length));
    case "emoji_bytes":
      return sum(emojiCosts(text, graphemeEnds(text)));
    case "graphemes":
      return hasEntities(rule) ? sum(graphemeCosts(text, graphemeEnds(text), rule)) : countGraphemes(text);
  }
}

/** Whether a piece that begins and ends between two clusters counts by itself what it counts in its text: no link in it is counted as one. */
export function isAdditive(rule: TextRule): boolean {
  return rule.unit !== "weighted" && !hasEntities(rule);
}

/** Whether the text keeps both limits of the rule, `max` and `max_bytes`. */
export function fits(text: string, rule: TextRule): boolean {
  return fitsBytes(text, rule.max_bytes) && countText(text, rule) <= rule.max;
}

/**
 * A text cut into its grapheme clusters, with what each prefix costs. All
 * arrays begin with 0 and have one more entry than there are clusters: entry n
 * is about the first n clusters.
 */
export interface Measure {
  /** Where the prefix ends, in UTF-16 units. */
  offsets: readonly number[];
  /** Its length in the unit of the rule. */
  counts: readonly number[];
  /** Its length in UTF-8 bytes. */
  bytes: readonly number[];
}

/**
 * Measures every prefix of a text at once, so that the length of any piece is a
 * subtraction. Where a piece begins or ends inside a word, `countText` of the
 * piece may differ a little: a cut can make or unmake a link.
 *
 * @param ends where the text's grapheme clusters end
 */
export function measureText(text: string, rule: TextRule, ends: readonly number[] = graphemeEnds(text)): Measure {
  const bytes = [0];
  let start = 0;
  for (const end of ends) {
    bytes.push((bytes.at(-1) ?? 0) + countBytes(text.slice(start, end)));
    start = end;
  }
  return { offsets: [0, ...ends], counts: prefixCounts(text, ends, rule, bytes), bytes };
}

function prefixCounts(text: string, ends: readonly number[], rule: TextRule, bytes: readonly number[]): number[] {
  switch (rule.unit) {
    case "utf16":
      return [0, ...ends];
    case "utf8":
      return [...bytes];
    case "weighted":
      return weightedPrefixes(text, ends, rule);
    case "emoji_bytes":
      return prefixSums(emojiCosts(text, ends), ends);
    case "graphemes":
      return prefixSums(graphemeCosts(text, ends, rule), ends);
  }
}

/** Characters below it stand for themselves, whatever follows in another cluster. */
const firstCombining = "\u0300";

/** Normalizes cluster by cluster, so that each prefix of the original has its own in the result. */
function weightedPrefixes(text: string, ends: readonly number[], rule: TextRule): number[] {
  if (text.normalize("NFC") === text) return prefixSums(weightsOf(text, rule.url_length), ends);
  let normalized = "";
  let start = 0;
  const normalizedEnds = ends.map((end) => {
    const cluster = text.slice(start, end);
    normalized += cluster.length === 1 && cluster < firstCombining ? cluster : cluster.normalize("NFC");
    start = end;
    return normalized.length;
  });
  return prefixSums(weightsOf(normalized, rule.url_length), normalizedEnds);
}

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Of each cluster, on its first unit: an emoji's bytes, else its code points. */
function emojiCosts(text: string, ends: readonly number[]): Uint32Array {
  const costs = new Uint32Array(text.length);
  let start = 0;
  for (const end of ends) {
    const cluster = text.slice(start, end);
    costs[start] = emoji.test(cluster) ? countBytes(cluster) : [...cluster].length;
    start = end;
  }
  return costs;
}

function hasEntities(rule: TextRule): boolean {
  return rule.url_length !== undefined || rule.bare_mentions === true;
}

/** One per cluster, on its first unit; a link's `url_length` on the link's first unit. */
function graphemeCosts(text: string, ends: readonly number[], rule: TextRule): Uint32Array {
  const costs = new Uint32Array(text.length);
  let start = 0;
  for (const end of ends) {
    costs[start] = 1;
    start = end;
  }
  let position = 0;
  for (const entity of entities(text, rule)) {
    if (entity.start < position) continue;
    position = entity.end;
    costs.fill(0, entity.from, entity.end);
    if (entity.cost > 0) costs[entity.from] = entity.cost;
  }
  return costs;
}

/** What does not count as written: `from`..`end` of each counts `cost`. */
function entities(text: string, rule: TextRule): { start: number; from: number; end: number; cost: number }[] {
  const urlLength = rule.url_length;
  const links =
    urlLength === undefined
      ? []
      : findUrls(text, "mastodon")
          .filter((url) => url.scheme)
          .map((url) => ({ start: url.start, from: url.start, end: url.end, cost: urlLength }));
  const named = rule.bare_mentions === true ? mentions(text) : [];
  const hosts = named.map(({ start, end, value }) => {
    const at = value.indexOf("@");
    return { start, from: at === -1 ? end : start + 1 + at, end, cost: 0 };
  });
  return [...links, ...hosts].sort((a, b) => a.start - b.start);
}

/** The sums of `costs` up to each of `ends`, after a leading 0. */
function prefixSums(costs: Uint32Array, ends: readonly number[]): number[] {
  const sums = [0];
  let total = 0;
  let position = 0;
  for (const end of ends) {
    for (; position < end; position++) total += costs[position] ?? 0;
    sums.push(total);
  }
  return sums;
}

function sum(costs: Uint32Array): number {
  return costs.reduce((total, cost) => total + cost, 0);
}

function fitsBytes(text: string, max: number | undefined): boolean {
  return max === undefined || countBytes(text) <= max;
}

/** The length in UTF-8; half a surrogate pair counts as U+FFFD, which is what encoders send. */
export function countBytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index++;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}
