/** A place where a text may be cut in two without harm to a word. */
export interface Break {
  /** How many clusters stand before the white space at the cut. */
  end: number;
  /** The first cluster after it; equal to `end` where there is no white space. */
  next: number;
  kind: "paragraph" | "sentence" | "word";
}

const whitespace = /^\s+$/;
/** White space that joins what stands beside it is no place for a cut. */
const breakingSpace = /[^\S\u00a0\u202f\ufeff]/;
const lineBreak = /\r\n|[\n\r\u2028]|\u2029/g;

const sentenceEnd = /^[.!?…؟۔।॥]/;
/** Ends a sentence without white space after it. */
const wideSentenceEnd = /^[。！？｡]/;
const wideComma = /^[、，；：]/;
const closing = /^["'”’»)\]}」』】）〉》]/;
const lowerCase = /^\p{Ll}/u;

/** Closing marks between a sentence's end and the white space; more are no prose. */
const closingMarksMax = 4;

/** Whether a grapheme cluster is white space. */
export function isWhitespace(cluster: string): boolean {
  return whitespace.test(cluster);
}

/**
 * The places where the text may be cut, in its order: blank lines (paragraph),
 * line breaks and ends of sentences (sentence), other white space and commas of
 * scripts that have none (word).
 *
 * @param clusters the text's grapheme clusters
 */
export function findBreaks(clusters: readonly string[]): Break[] {
  const breaks: Break[] = [];
  for (let index = 1; index < clusters.length; index++) {
    let next = index;
    while (isWhitespace(clusters[next] ?? "")) next++;
    if (next === clusters.length) break;
    const kind = next === index ? kindWithoutSpace(clusters, index) : kindOfSpace(clusters, index, next);
    if (kind !== null) breaks.push({ end: index, next, kind });
    index = next;
  }
  return breaks;
}

function kindOfSpace(clusters: readonly string[], start: number, end: number): Break["kind"] | null {
  const space = clusters.slice(start, end).join("");
  if (!breakingSpace.test(space)) return null;
  const lines = space.match(lineBreak) ?? [];
  if (lines.length > 1 || lines[0] === "\u2029") return "paragraph";
  if (lines.length === 1) return "sentence";
  // "e.g. this" is no end of a sentence.
  const isSentence = endsSentence(clusters, start, sentenceEnd) && !lowerCase.test(clusters[end] ?? "");
  return isSentence || endsSentence(clusters, start, wideSentenceEnd) ? "sentence" : "word";
}

function kindWithoutSpace(clusters: readonly string[], index: number): Break["kind"] | null {
  const next = clusters[index] ?? "";
  if (closing.test(next) || wideSentenceEnd.test(next) || wideComma.test(next)) return null;
  if (endsSentence(clusters, index, wideSentenceEnd)) return "sentence";
  return wideComma.test(clusters[index - 1] ?? "") ? "word" : null;
}

/** Whether what stands before `end` is a mark of `ends`, perhaps with closing quotes and brackets. */
function endsSentence(clusters: readonly string[], end: number, ends: RegExp): boolean {
  let index = end - 1;
  while (index > end - 1 - closingMarksMax && closing.test(clusters[index] ?? "")) index--;
  return ends.test(clusters[index] ?? "");
}
