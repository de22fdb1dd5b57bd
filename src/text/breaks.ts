import { rememberUnits } from "./unit-table.ts";

/** A place where a text may be cut without splitting a word. */
export interface Break {
  /** Number of clusters before the white space at the cut. */
  end: number;
  /** The first cluster after the white space; equal to `end` without white space. */
  next: number;
  kind: "paragraph" | "sentence" | "word";
}

const whitespace = /^\s+$/;
const isSpaceUnit = rememberUnits((character) => whitespace.test(character));
/** White space except the kinds that join their neighbours. */
const breakingSpace = /[^\S\u00a0\u202f\ufeff]/;
const lineBreak = /\r\n|[\n\r\u2028]|\u2029/g;

const sentenceEnds = new Set(".!?…؟۔।॥");
/** Marks that end a sentence even without white space after them. */
const wideSentenceEnds = new Set("。！？｡");
const wideCommas = new Set("、，；：");
const closingMarks = new Set("\"'”’»)]}」』】）〉》");
const isClosingUnit = rememberUnits((character) => closingMarks.has(character));
const isWideStopUnit = rememberUnits((character) => wideSentenceEnds.has(character) || wideCommas.has(character));
const wordCharacter = /[A-Za-z0-9]/;
const isWordUnit = rememberUnits((character) => wordCharacter.test(character));
const lowerCase = /^\p{Ll}/u;

/** Maximum number of closing marks between a sentence's end and the white space; more are not prose. */
const closingMarksMax = 4;

/** True: a grapheme cluster is white space. */
export function isWhitespace(cluster: string): boolean {
  return whitespace.test(cluster);
}

/** True: the grapheme cluster of this number is white space. */
export function isSpaceAt(clusters: Clusters, index: number): boolean {
  const { text, offsets } = clusters;
  const isFirst = isSpaceUnit(text.charCodeAt(offsets[index] ?? 0));
  return isFirst && isWhitespace(clusterAt(clusters, index));
}

/** A text and the bounds of its grapheme clusters: 0, then the end of each. */
interface Clusters {
  text: string;
  offsets: Uint32Array;
}

/**
 * The places where a text may be cut, in order: blank lines (paragraph), line breaks and ends of sentences
 * (sentence), other white space, and commas of scripts without spaces (word).
 *
 * @param offsets the bounds of the text's grapheme clusters, in UTF-16 units: 0, then the end of each
 */
export function findBreaks(text: string, offsets: Uint32Array): Break[] {
  const clusters = { text, offsets };
  const count = offsets.length - 1;
  const breaks: Break[] = [];
  for (let index = 1; index < count; index++) {
    const start = offsets[index] ?? 0;
    if (isInsideWord(text.charCodeAt(start - 1), text.charCodeAt(start))) continue;
    if (isBetweenWords(text, start)) {
      breaks.push({ end: index, next: index + 1, kind: "word" });
      index += 1;
      continue;
    }
    let next = index;
    while (next < count && isSpaceAt(clusters, next)) next++;
    if (next === count) break;
    const kind = next === index ? kindWithoutSpace(clusters, index) : kindOfSpace(clusters, index, next);
    if (kind !== null) breaks.push({ end: index, next, kind });
    index = next;
  }
  return breaks;
}

function clusterAt({ text, offsets }: Clusters, index: number): string {
  return text.slice(offsets[index], offsets[index + 1]);
}

/** The first UTF-16 unit of a cluster; "" before the text. */
function firstOf({ text, offsets }: Clusters, index: number): string {
  return index < 0 ? "" : text.charAt(offsets[index] ?? 0);
}

/** Skips the slow tests for most places: between two ASCII characters there is no cut, except after closing marks. */
function isInsideWord(before: number, unit: number): boolean {
  return unit > 0x20 && unit < 0x7f && before < 0x7f && (isSmallLetter(before) || !isClosingUnit(before));
}

/** True: an ASCII letter. */
function isSmallLetter(unit: number): boolean {
  return unit > 0x60 && unit < 0x7b;
}

/** Skips the slow tests for most spaces: those between ASCII letters or digits, not after a sentence's end. */
function isBetweenWords(text: string, start: number): boolean {
  return (
    text.charCodeAt(start) === 0x20 && isWordUnit(text.charCodeAt(start - 1)) && isWordUnit(text.charCodeAt(start + 1))
  );
}

function kindOfSpace(clusters: Clusters, start: number, end: number): Break["kind"] | null {
  const space = clusters.text.slice(clusters.offsets[start], clusters.offsets[end]);
  if (space !== " ") {
    if (!breakingSpace.test(space)) return null;
    const lines = space.match(lineBreak) ?? [];
    if (lines.length > 1 || lines[0] === "\u2029") return "paragraph";
    if (lines.length === 1) return "sentence";
  }
  // "e.g. this" does not end a sentence.
  const mark = markBefore(clusters, start);
  const isSentence = sentenceEnds.has(mark) && !lowerCase.test(clusterAt(clusters, end));
  return isSentence || wideSentenceEnds.has(mark) ? "sentence" : "word";
}

function kindWithoutSpace(clusters: Clusters, index: number): Break["kind"] | null {
  // True nearly everywhere in a script without spaces.
  const before = clusters.text.charCodeAt(clusters.offsets[index - 1] ?? 0);
  if (!isWideStopUnit(before) && !isClosingUnit(before)) return null;
  const next = firstOf(clusters, index);
  if (closingMarks.has(next) || wideSentenceEnds.has(next) || wideCommas.has(next)) return null;
  if (wideSentenceEnds.has(markBefore(clusters, index))) return "sentence";
  return wideCommas.has(firstOf(clusters, index - 1)) ? "word" : null;
}

/** The character before `end`, not counting closing quotes and brackets. */
function markBefore(clusters: Clusters, end: number): string {
  let index = end - 1;
  while (index > end - 1 - closingMarksMax && closingMarks.has(firstOf(clusters, index))) index--;
  return firstOf(clusters, index);
}
