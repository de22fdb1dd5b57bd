import type { TextRule } from "../networks/contract/limits.ts";
import { type Break, findBreaks, isWhitespace } from "../text/breaks.ts";
import { countText, fits, isAdditive, type Measure, measureText } from "../text/count.ts";
import { graphemeEnds } from "../text/graphemes.ts";
import { findLinks, type LinkSpan } from "../text/links.ts";
import { findUrls } from "../text/urls.ts";
import { PublishingError } from "../wire/errors.ts";

export interface SplitOptions {
  /** More parts than this are refused. @default no limit */
  maxParts?: number;
  /** @default reads the text for this call alone */
  read?: TextReader;
}

/** A part that ends at a blank line may be this empty, one that ends with a sentence this. */
const minFilled = { paragraph: 1 / 2, sentence: 1 / 3, word: 0 } as const;

/** How much of an address an error message shows, in UTF-16 units. */
const shownLength = 80;

/** What every network finds in a text, whatever its limits are. */
export interface TextReading {
  /** Where each grapheme cluster ends, in UTF-16 units. */
  ends: readonly number[];
  clusters: readonly string[];
  /** In numbers of clusters, those inside links, too. */
  breaks: readonly Break[];
  links: readonly LinkSpan[];
}

export type TextReader = (text: string) => TextReading;

/** Reading takes longer than cutting: one reader for all networks reads each text once. It keeps what it has read. */
export function createTextReader(): TextReader {
  const readings = new Map<string, TextReading>();
  return (text) => {
    const reading = readings.get(text) ?? readText(text);
    readings.set(text, reading);
    return reading;
  };
}

function readText(text: string): TextReading {
  const ends = graphemeEnds(text);
  const clusters = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  return { ends, clusters, breaks: findBreaks(clusters), links: findLinks(text) };
}

/** As `cutThread`, all parts at once. */
export function splitThread(
  text: string,
  rule: TextRule,
  { maxParts = Infinity, read = readText }: SplitOptions = {},
): string[] {
  const parts = [...cutThread(text, rule, read)];
  if (parts.length <= maxParts) return parts;
  throw new PublishingError(
    "invalid_request",
    `The text makes a thread of ${parts.length} parts; at most ${maxParts} are allowed. Shorten it.`,
  );
}

/**
 * Splits a text into the parts of a thread, each within the rule. Cuts at the
 * end of a paragraph, else of a sentence or line, else of a word; never inside a
 * link, mention, hashtag or grapheme cluster. Only white space at the cuts (and,
 * where there are cuts, at both ends) is lost. Only a word that is longer than a
 * part is cut itself.
 *
 * A text that fits is one part, verbatim, also when it is empty; white space
 * alone that does not fit is one empty part.
 *
 * @throws PublishingError `invalid_request` when a link, mention, hashtag or
 *   single character is longer than a part
 */
export function* cutThread(text: string, rule: TextRule, read: TextReader = readText): Generator<string, void> {
  if (fits(text, rule)) return yield text;
  const layout = layOut(text, rule, read(text));
  if (layout.start === layout.end) yield "";
  for (let start = layout.start; start < layout.end; ) {
    const cut = nextCut(layout, start);
    yield piece(layout, start, cut.end);
    start = cut.next;
  }
}

/** All that is known of the text before the first cut. Positions are numbers of clusters. */
interface Layout {
  text: string;
  rule: TextRule;
  measure: Measure;
  clusters: readonly string[];
  breaks: readonly Break[];
  /** What must stay whole, in the order of the text, without overlaps. */
  whole: readonly Piece[];
  /** Between these lies everything but the white space at both ends. */
  start: number;
  end: number;
}

interface Piece {
  start: number;
  end: number;
}

type Cut = Pick<Break, "end" | "next">;

function layOut(text: string, rule: TextRule, { ends, clusters, breaks, links }: TextReading): Layout {
  const measure = measureText(text, rule, ends);
  const whole = wholePieces(text, rule, { offsets: measure.offsets, links });
  let start = 0;
  let end = clusters.length;
  while (start < end && isWhitespace(clusters[start] ?? "")) start++;
  while (end > start && isWhitespace(clusters[end - 1] ?? "")) end--;
  const allowed = breaks.filter((found) => found.end > start && pieceAround(whole, found.end) === null);
  return { text, rule, measure, clusters, breaks: allowed, whole, start, end };
}

/** Links, mentions and hashtags as numbers of clusters. */
function wholePieces(
  text: string,
  rule: TextRule,
  { offsets, links }: { offsets: readonly number[]; links: readonly LinkSpan[] },
): Piece[] {
  const counted = countedUrls(text, rule);
  const others = links.filter((link) => {
    const index = lowerBound(counted.length, (at) => (counted[at]?.end ?? 0) > link.start);
    return (counted[index]?.start ?? Infinity) >= link.end;
  });
  const spans = [...counted, ...others].sort((a, b) => a.start - b.start);
  return spans.map(({ start, end }) => ({
    start: lowerBound(offsets.length, (at) => (offsets[at + 1] ?? Infinity) > start),
    end: lowerBound(offsets.length, (at) => (offsets[at] ?? Infinity) >= end),
  }));
}

/** The URLs that the network itself finds and shortens, as it delimits them. */
function countedUrls(text: string, rule: TextRule): Piece[] {
  if (rule.unit === "weighted") return findUrls(text, "x");
  return rule.url_length === undefined ? [] : findUrls(text, "mastodon").filter((url) => url.scheme);
}

/** Cuts off the part that begins at `start`. */
function nextCut(layout: Layout, start: number): Cut {
  const { rule } = layout;
  if (isAdditive(rule)) return chooseCut(layout, start, rule.max);
  for (let max = rule.max; ; ) {
    const cut = chooseCut(layout, start, max);
    // The cut itself may have made or unmade a link, so the part is counted again.
    const excess = countText(piece(layout, start, cut.end), rule) - rule.max;
    if (excess <= 0) return cut;
    max -= excess;
  }
}

function chooseCut(layout: Layout, start: number, max: number): Cut {
  const { breaks, end } = layout;
  const furthest = furthestEnd(layout, start, max);
  if (furthest >= end) return { end, next: end };
  const latest: Partial<Record<Break["kind"], Break>> = {};
  for (let index = lowerBound(breaks.length, (at) => (breaks[at]?.end ?? 0) > furthest) - 1; index >= 0; index--) {
    const found = breaks[index];
    if (found === undefined || found.end <= start) break;
    latest[found.kind] ??= found;
    if (filled(layout, start, found.end) < minFilled.sentence && latest.word !== undefined) break;
  }
  for (const kind of ["paragraph", "sentence"] as const) {
    const found = latest[kind];
    if (found !== undefined && filled(layout, start, found.end) >= minFilled[kind]) return found;
  }
  const candidates = Object.values(latest).sort((a, b) => b.end - a.end);
  return candidates[0] ?? cutInsideWord(layout, start, furthest);
}

/** The last boundary between clusters that the limits allow. */
function furthestEnd({ measure, rule }: Layout, start: number, max: number): number {
  const { counts, bytes } = measure;
  const countLimit = (counts[start] ?? 0) + max;
  const byteLimit = (bytes[start] ?? 0) + (rule.max_bytes ?? Infinity);
  return lowerBound(counts.length, (at) => (counts[at] ?? 0) > countLimit || (bytes[at] ?? 0) > byteLimit) - 1;
}

/** How much of a part `start`..`end` takes, from 0 to 1. */
function filled({ measure, rule }: Layout, start: number, end: number): number {
  const count = (measure.counts[end] ?? 0) - (measure.counts[start] ?? 0);
  const bytes = (measure.bytes[end] ?? 0) - (measure.bytes[start] ?? 0);
  return Math.max(count / rule.max, bytes / (rule.max_bytes ?? Infinity));
}

function cutInsideWord(layout: Layout, start: number, furthest: number): Cut {
  const { clusters, end: textEnd } = layout;
  const around = pieceAround(layout.whole, Math.max(furthest, start + 1));
  let end = around?.start ?? furthest;
  if (end <= start) {
    end = around?.end ?? start + 1;
    // By itself it may count less than in its place: `#https://…` is no link to X.
    if (!fits(piece(layout, start, end), layout.rule)) throw tooLong(layout, start, end);
  }
  let next = end;
  while (next < textEnd && isWhitespace(clusters[next] ?? "")) next++;
  while (isWhitespace(clusters[end - 1] ?? "")) end--;
  return { end, next };
}

function tooLong(layout: Layout, start: number, end: number): PublishingError {
  const value = piece(layout, start, end);
  const shown = value.length > shownLength ? `${value.slice(0, shownLength)}…` : value;
  return new PublishingError(
    "invalid_request",
    `"${shown}" is longer than one post may be (${layout.rule.max}) and cannot be cut. Shorten or remove it.`,
  );
}

/** What must stay whole and would be cut at this boundary. */
function pieceAround(whole: readonly Piece[], boundary: number): Piece | null {
  const found = whole[lowerBound(whole.length, (at) => (whole[at]?.end ?? 0) > boundary)];
  return found !== undefined && found.start < boundary ? found : null;
}

function piece({ text, measure }: Layout, start: number, end: number): string {
  return text.slice(measure.offsets[start], measure.offsets[end]);
}

/** The first of 0..length for which the condition, once true always true, holds; `length` when none does. */
function lowerBound(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
