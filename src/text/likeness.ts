import { findLinks } from "./links.ts";

/** The words of a text, for a comparison with another. */
export interface Words {
  /** Words, emoji and the hosts of links, in lower case. */
  all: ReadonlySet<string>;
  /** Its numbers and its links, sorted. */
  exact: string;
  /** Words of letters that are not part of a link, a mention or an emoji's name. */
  plain: ReadonlySet<string>;
}

/** Only the beginning of a longer text is compared, UTF-16 units: each takes 3 µs to split into words. */
const comparedLength = 1_000;

/** A text without differences of width, case and white space. */
export function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

let segmenter: Intl.Segmenter | undefined;

export function wordsOf(text: string): Words {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  const plain = folded(text.slice(0, comparedLength));
  const spans = findLinks(plain);
  const links = spans
    .filter(({ kind }) => kind === "url" || kind === "domain")
    .map(({ value }) => value.replace(/^https?:\/\//, "").replace(/\/$/, ""));
  const found = [...segmenter.segment(plain)].filter(({ segment, isWordLike }) => isWordLike || isEmoji(segment));
  const words = found.map(({ segment }) => segment);
  const numbers = words.filter((word) => /^\p{N}+$/u.test(word));
  const replaceable = [...spans.filter(({ kind }) => kind !== "hashtag"), ...emojiNamesIn(plain)];
  const isReplaceable = (at: number): boolean => replaceable.some(({ start, end }) => at >= start && at < end);
  return {
    all: new Set([...words, ...links.map((link) => link.split(/[/?#]/, 1)[0] ?? "")]),
    exact: [...numbers, ...links].sort().join(" "),
    plain: new Set(
      found.flatMap(({ segment, index }) => (/\p{L}/u.test(segment) && !isReplaceable(index) ? [segment] : [])),
    ),
  };
}

/** `:smile:`, which a network may show as an image. */
function emojiNamesIn(text: string): { start: number; end: number }[] {
  return [...text.matchAll(/:[a-z0-9_]+:/g)].map(({ index, 0: name }) => ({ start: index, end: index + name.length }));
}

function isEmoji(segment: string): boolean {
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment);
}

/** The similarity of two texts, 0 to 1: twice the number of shared words, divided by the sum of both. */
export function nearness(one: Words, other: Words): number {
  const sum = one.all.size + other.all.size;
  return sum === 0 ? 0 : (2 * shared(one.all, other.all)) / sum;
}

/**
 * The share of the smaller text's words that the other one contains, 0 to 1, and the number of words of the smaller
 * one, both without `common` words.
 */
export function overlap(one: Words, other: Words, common: ReadonlySet<string>): { held: number; smaller: number } {
  const [ours, theirs] = [one, other].map(({ all }) => new Set([...all].filter((word) => !common.has(word))));
  if (ours === undefined || theirs === undefined) return { held: 0, smaller: 0 };
  const smaller = Math.min(ours.size, theirs.size);
  return { held: smaller === 0 ? 0 : shared(ours, theirs) / smaller, smaller };
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const word of one) if (other.has(word)) count += 1;
  return count;
}

/** Words of at least two of the texts. */
export function commonWords(texts: readonly Words[]): Set<string> {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { all } of texts) for (const word of all) (once.has(word) ? twice : once).add(word);
  return twice;
}
