import type { TextRule } from "../networks/contract/limits.ts";
import { countBytes } from "./bytes.ts";
import { countGraphemes } from "./graphemes.ts";
import { readText, type TextReading } from "./reading.ts";
import { rememberUnits } from "./unit-table.ts";
import { findUrls } from "./urls.ts";
import { weightsOf } from "./weights.ts";

/**
 * The length of a text in the rule's unit, as the network counts it: an X emoji 2, a Mastodon link `url_length`,
 * `@user@host` as `@user`.
 */
export function countText(text: string, rule: TextRule): number {
  switch (rule.unit) {
    case "utf16":
      return text.length;
    case "utf8":
      return countBytes(text);
    case "weighted":
      return weightedLength(text.normalize("NFC"), rule);
    case "emoji_bytes":
      return emojiPrefixes(readText(text)).at(-1) ?? 0;
    case "graphemes":
      return hasEntities(rule) ? (graphemePrefixes(readText(text), rule).at(-1) ?? 0) : countGraphemes(text);
  }
}

/**
 * True: a piece between two cluster boundaries has the same count alone as within its text, because links have no
 * special count.
 */
export function isAdditive(rule: TextRule): boolean {
  return rule.unit !== "weighted" && !hasEntities(rule);
}

/** True: the text is within both limits of the rule, `max` and `max_bytes`. */
export function fits(text: string, rule: TextRule): boolean {
  return fitsBytes(text, rule.max_bytes) && countText(text, rule) <= rule.max;
}

/**
 * A text in grapheme clusters, with the length of each prefix. All arrays begin with 0 and have one more entry than
 * there are clusters: entry n is for the first n clusters.
 */
export interface Measure {
  /** End of the prefix, in UTF-16 units. */
  offsets: Uint32Array;
  /** Length of the prefix in the rule's unit. */
  counts: Uint32Array;
  /** Length of the prefix in UTF-8 bytes; null: the rule has no `max_bytes`. */
  bytes: Uint32Array | null;
}

/**
 * Measures all prefixes of a text, so that the length of any piece is a subtraction. If a piece begins or ends inside
 * a word, its `countText` may differ slightly: a cut can create or break a link.
 */
export function measureText(reading: TextReading, rule: TextRule): Measure {
  return {
    offsets: reading.offsets(),
    counts: prefixCounts(reading, rule),
    bytes: rule.max_bytes === undefined ? null : reading.bytes(),
  };
}

function prefixCounts(reading: TextReading, rule: TextRule): Measure["counts"] {
  switch (rule.unit) {
    case "utf16":
      return reading.offsets();
    case "utf8":
      return reading.bytes();
    case "weighted":
      return weightedPrefixes(reading, rule);
    case "emoji_bytes":
      return emojiPrefixes(reading);
    case "graphemes":
      return graphemePrefixes(reading, rule);
  }
}

function weightedPrefixes(reading: TextReading, rule: TextRule): Uint32Array {
  const { text, offsets, urls } = reading.normalized();
  return prefixSums(weightsOf(text, urls, rule.url_length), offsets);
}

function weightedLength(text: string, rule: TextRule): number {
  return sum(weightsOf(text, findUrls(text, "x"), rule.url_length));
}

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

const isEmojiUnit = rememberUnits((character) => emoji.test(character));

/** True: an ASCII character, without using the table, or another one that begins no emoji. */
function isNoEmojiUnit(unit: number): boolean {
  return unit < 0x80 || !isEmojiUnit(unit);
}

/** An emoji counts its bytes, any other cluster its code points. */
function emojiPrefixes(reading: TextReading): Uint32Array {
  const { text } = reading;
  const offsets = reading.offsets();
  const sums = new Uint32Array(offsets.length);
  let start = 0;
  let total = 0;
  for (let index = 1; index < sums.length; index++) {
    const end = offsets[index] ?? 0;
    total += emojiCost(text, start, end);
    sums[index] = total;
    start = end;
  }
  return sums;
}

function emojiCost(text: string, start: number, end: number): number {
  if (end - start === 1 && isNoEmojiUnit(text.charCodeAt(start))) return 1;
  const cluster = text.slice(start, end);
  return emoji.test(cluster) ? countBytes(cluster) : [...cluster].length;
}

function hasEntities(rule: TextRule): boolean {
  return rule.url_length !== undefined || rule.bare_mentions === true;
}

/** One per cluster; zero inside an entity, whose whole length counts at its beginning. */
function graphemePrefixes(reading: TextReading, rule: TextRule): Uint32Array {
  const offsets = reading.offsets();
  const sums = new Uint32Array(offsets.length);
  const found = entities(reading, rule);
  let next = 0;
  let { from, end: behind, cost } = found[next] ?? nowhere;
  let start = 0;
  let total = 0;
  for (let index = 1; index < sums.length; index++) {
    const end = offsets[index] ?? 0;
    if (start < from) total += 1;
    if (start <= from && from < end) total += cost;
    sums[index] = total;
    while (behind <= end) ({ from, end: behind, cost } = found[++next] ?? nowhere);
    start = end;
  }
  return sums;
}

interface Entity {
  start: number;
  from: number;
  end: number;
  cost: number;
}

const nowhere: Entity = { start: Infinity, from: Infinity, end: Infinity, cost: 0 };

/** The parts that do not count as written, without overlaps: `from`..`end` of each counts `cost`. */
function entities(reading: TextReading, rule: TextRule): Entity[] {
  const urlLength = rule.url_length;
  const links =
    urlLength === undefined
      ? []
      : reading
          .urls()
          .filter((url) => url.scheme)
          .map((url) => ({ start: url.start, from: url.start, end: url.end, cost: urlLength }));
  const named = rule.bare_mentions === true ? reading.mentions() : [];
  const hosts = named.map(({ start, end, value }) => {
    const at = value.indexOf("@");
    return { start, from: at === -1 ? end : start + 1 + at, end, cost: 0 };
  });
  let position = 0;
  return [...links, ...hosts]
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < position) return false;
      position = end;
      return true;
    });
}

/** The sums of `costs` up to each of `offsets`, of which the first is 0. */
function prefixSums(costs: Uint32Array, offsets: Uint32Array): Uint32Array {
  const sums = new Uint32Array(offsets.length);
  let total = 0;
  let position = 0;
  for (let index = 0; index < offsets.length; index++) {
    const end = offsets[index] ?? 0;
    for (; position < end; position++) total += costs[position] ?? 0;
    sums[index] = total;
  }
  return sums;
}

function sum(costs: Uint32Array): number {
  return costs.reduce((total, cost) => total + cost, 0);
}

function fitsBytes(text: string, max: number | undefined): boolean {
  return max === undefined || countBytes(text) <= max;
}
