import type { TextRule } from "../networks/contract/limits.ts";
import { type Break, isSpaceAt } from "../text/breaks.ts";
import { countText, fits, isAdditive, type Measure, measureText } from "../text/count.ts";
import { type Layout, pieceAround } from "../text/layout.ts";
import { lowerBound } from "../text/lower-bound.ts";
import { readText, type Shortening, type TextReader, type TextReading } from "../text/reading.ts";
import { PublishingError } from "../wire/errors.ts";

export interface SplitOptions {
  /** More parts than this are refused. @default no limit */
  maxParts?: number;
  /** @default reads the text for this call alone */
  read?: TextReader;
}

/** A part that ends at a blank line may be this empty, one that ends with a sentence this. */
const minFilled = { paragraph: 1 / 2, sentence: 1 / 3 } as const;

/** How much of an address an error message shows, in UTF-16 units. */
const shownLength = 80;

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
    `The text would be a thread of ${parts.length} parts; at most ${maxParts} are allowed. Shorten it.`,
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
  const reading = read(text);
  const measure = measureText(reading, rule);
  if (isWithin(measure, rule)) return yield text;
  const cutting = { reading, rule, measure, ...reading.layout(shorteningOf(rule)) };
  if (cutting.start === cutting.end) yield "";
  for (let start = cutting.start; start < cutting.end; ) {
    const cut = nextCut(cutting, start);
    yield piece(cutting, start, cut.end);
    start = cut.next;
  }
}

/** All that is known of the text before the first cut. */
interface Cutting extends Layout {
  reading: TextReading;
  rule: TextRule;
  measure: Measure;
}

type Cut = Pick<Break, "end" | "next">;

function shorteningOf(rule: TextRule): Shortening {
  if (rule.unit === "weighted") return "x";
  return rule.url_length === undefined ? "none" : "mastodon";
}

/** Whether the whole text keeps both limits of the rule. */
function isWithin({ counts, bytes }: Measure, rule: TextRule): boolean {
  return (counts.at(-1) ?? 0) <= rule.max && (bytes?.at(-1) ?? 0) <= (rule.max_bytes ?? Infinity);
}

/** Cuts off the part that begins at `start`. */
function nextCut(cutting: Cutting, start: number): Cut {
  const { rule } = cutting;
  if (isAdditive(rule)) return chooseCut(cutting, start, rule.max);
  for (let max = rule.max; ; ) {
    const cut = chooseCut(cutting, start, max);
    if (standsAlone(cutting, start, cut.end)) return cut;
    // The cut itself may have made or unmade a link, so the part is counted again.
    const excess = countText(piece(cutting, start, cut.end), rule) - rule.max;
    if (excess <= 0) return cut;
    max -= excess;
  }
}

const plainSpace = /[ \n]/;
const plainStart = /[\x21-\x7e]|[^\s.]+(?:[ \n]|$)/y;

/**
 * Whether the part counts by itself what it counts in its text: it lies between
 * plain white space, which no link goes through, and does not begin with a domain
 * in another script (which counts differently where it stands first).
 */
function standsAlone({ reading, measure }: Cutting, start: number, end: number): boolean {
  const { text } = reading;
  const from = measure.offsets[start] ?? 0;
  const to = measure.offsets[end] ?? 0;
  if (from > 0 && !plainSpace.test(text.charAt(from - 1))) return false;
  if (to < text.length && !plainSpace.test(text.charAt(to))) return false;
  plainStart.lastIndex = from;
  return plainStart.test(text);
}

function chooseCut(cutting: Cutting, start: number, max: number): Cut {
  const { breaks, paragraphs, sentences, end } = cutting;
  const furthest = furthestEnd(cutting, start, max);
  if (furthest >= end) return { end, next: end };
  const paragraph = lastUpTo(paragraphs, furthest);
  if (isFilled(cutting, start, paragraph, minFilled.paragraph)) return paragraph;
  const sentence = lastUpTo(sentences, furthest);
  if (isFilled(cutting, start, sentence, minFilled.sentence)) return sentence;
  const last = lastUpTo(breaks, furthest);
  return isFilled(cutting, start, last, 0) ? last : cutInsideWord(cutting, start, furthest);
}

function lastUpTo(breaks: readonly Break[], furthest: number): Break | undefined {
  return breaks[lowerBound(breaks.length, (at) => (breaks[at]?.end ?? 0) > furthest) - 1];
}

/** The last boundary between clusters that the limits allow. */
function furthestEnd({ measure, rule }: Cutting, start: number, max: number): number {
  const { counts, bytes } = measure;
  const countLimit = (counts[start] ?? 0) + max;
  const byteLimit = (bytes?.[start] ?? 0) + (rule.max_bytes ?? Infinity);
  const beyond = lowerBound(counts.length, (at) => (counts[at] ?? 0) > countLimit || (bytes?.[at] ?? 0) > byteLimit);
  return beyond - 1;
}

/** Whether a part that ends here has something in it, and takes at least this share of what it may. */
function isFilled({ measure, rule }: Cutting, start: number, cut: Break | undefined, share: number): cut is Break {
  if (cut === undefined || cut.end <= start) return false;
  const { counts, bytes } = measure;
  const count = (counts[cut.end] ?? 0) - (counts[start] ?? 0);
  const byteCount = (bytes?.[cut.end] ?? 0) - (bytes?.[start] ?? 0);
  return Math.max(count / rule.max, byteCount / (rule.max_bytes ?? Infinity)) >= share;
}

function cutInsideWord(cutting: Cutting, start: number, furthest: number): Cut {
  const { end: textEnd } = cutting;
  const clusters = { text: cutting.reading.text, offsets: cutting.measure.offsets };
  const around = pieceAround(cutting.whole, Math.max(furthest, start + 1));
  let end = around?.start ?? furthest;
  if (end <= start) {
    end = around?.end ?? start + 1;
    // By itself it may count less than in its place: `#https://…` is no link to X.
    if (!fits(piece(cutting, start, end), cutting.rule)) throw tooLong(cutting, start, end);
  }
  let next = end;
  while (next < textEnd && isSpaceAt(clusters, next)) next++;
  while (end > 0 && isSpaceAt(clusters, end - 1)) end--;
  return { end, next };
}

function tooLong(cutting: Cutting, start: number, end: number): PublishingError {
  const value = piece(cutting, start, end);
  const shown = value.length > shownLength ? `${value.slice(0, shownLength)}…` : value;
  return new PublishingError(
    "invalid_request",
    `"${shown}" is longer than one post allows (${cutting.rule.max}) and cannot be split. Shorten or remove it.`,
  );
}

function piece({ reading, measure }: Cutting, start: number, end: number): string {
  return reading.text.slice(measure.offsets[start], measure.offsets[end]);
}
