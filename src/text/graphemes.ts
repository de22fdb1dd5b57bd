import { extendingRanges, lineFeed, plainRanges, type Ranges } from "./plain-characters.ts";

let segmenter: Intl.Segmenter | undefined;

/** Created at its first use: that takes longer than loading everything else here. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter;
}

/**
 * Maximum number of UTF-16 units that the segmenter gets at a time: Node 20's slows down with the length of its input
 * (20,000 emoji: seconds).
 */
const windowLength = 1_000;

/** A call of the segmenter costs as much as this many UTF-16 units. */
const minRest = 16;

/**
 * The bounds of a text's grapheme clusters (what a reader sees as one character), in UTF-16 units, ascending: 0, then
 * the end of each, so the last is the text's length. The clusters are those of Intl.Segmenter.
 */
export function graphemeOffsets(text: string): Uint32Array {
  // At most one for each unit; a growing list would take most of the time.
  const offsets = new Uint32Array(text.length + 1);
  let count = 1;
  for (let position = 0; position < text.length; ) {
    const plainEnd = endOfPlain(text, position);
    while (position < plainEnd) offsets[count++] = ++position;
    const simpleEnd = endOfSimpleCluster(text, position);
    if (simpleEnd !== -1) {
      position = simpleEnd;
      offsets[count++] = position;
      continue;
    }
    const found = segment(text, position, endOfRest(text, position));
    offsets.set(found, count);
    count += found.length;
    position = found.at(-1) ?? text.length;
  }
  return offsets.subarray(0, count);
}

/** The end of the units that are certainly clusters, since another plain one follows. This covers most of most texts. */
function endOfPlain(text: string, start: number): number {
  let end = start;
  while (end < text.length && isPlainUnit(text, end)) end++;
  return Math.max(start, end - 1);
}

/** The number of grapheme clusters in a text. */
export function countGraphemes(text: string): number {
  return graphemeOffsets(text).length - 1;
}

/**
 * The end of a cluster that begins at `start` and contains only characters whose role is known without the segmenter;
 * -1: any other cluster.
 */
function endOfSimpleCluster(text: string, start: number): number {
  const first = kindAt(text, start);
  if (first === kinds.lineFeed) return start + 1;
  if (first === kinds.other) return -1;
  let end = start + widthAt(text, start);
  while (end < text.length) {
    const next = kindAt(text, end);
    if (next === kinds.other || (first === kinds.half && next === kinds.extending)) return -1;
    if (next !== kinds.extending) return end;
    end += widthAt(text, end);
  }
  return end;
}

/** The next certain cluster boundary some way after `start`: between two plain characters. */
function endOfRest(text: string, start: number): number {
  for (let position = start + minRest; position < text.length; position++) {
    if (kindAt(text, position) === kinds.plain && isPlainUnit(text, position - 1)) return position;
  }
  return text.length;
}

/** The ends of the clusters in `start`..`end`, both of which are cluster boundaries. */
function segment(text: string, start: number, end: number): number[] {
  const ends: number[] = [];
  let position = start;
  let length = windowLength;
  while (position < end) {
    const stop = windowEnd(text, position + length, end);
    const found = [...graphemes().segment(text.slice(position, stop))].map((cluster) => cluster.index);
    // A boundary depends on the text before it and on one code point after it, so in a window all are right but the end
    // of the last cluster.
    for (const index of found.slice(1)) ends.push(position + index);
    if (stop === end) return [...ends, end];
    if (found.length === 1) {
      length *= 2;
    } else {
      position = ends.at(-1) ?? position;
      length = windowLength;
    }
  }
  return ends;
}

/** A window must not end inside a surrogate pair. */
function windowEnd(text: string, wanted: number, end: number): number {
  if (wanted >= end) return end;
  const last = text.charCodeAt(wanted - 1);
  return last >= 0xd800 && last <= 0xdbff ? wanted - 1 : wanted;
}

/**
 * What is known of a character. `half`: of a surrogate pair, which no plain character joins · `other`: nothing, so
 * the segmenter decides.
 */
const kinds = { other: 0, plain: 1, extending: 2, lineFeed: 3, leading: 4, half: 5 } as const;

function kindAt(text: string, index: number): number {
  const kind = kindOfUnit(text.charCodeAt(index));
  if (kind !== kinds.leading) return kind;
  const codePoint = text.codePointAt(index) ?? 0;
  if (codePoint <= 0xffff) return kinds.half;
  if (isIn(plainRanges, codePoint)) return kinds.plain;
  return isIn(extendingRanges, codePoint) ? kinds.extending : kinds.other;
}

function widthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function isPlainUnit(text: string, index: number): boolean {
  return kindOfUnit(text.charCodeAt(index)) === kinds.plain;
}

function kindOfUnit(unit: number): number {
  return kindsOfUnits()[unit] ?? kinds.other;
}

let table: Uint8Array | undefined;

/** A table for speed, since every unit of every text is looked up. The first halves of surrogate pairs are `leading`. */
function kindsOfUnits(): Uint8Array {
  table ??= makeTable();
  return table;
}

function makeTable(): Uint8Array {
  const made = new Uint8Array(0x1_0000);
  made.fill(kinds.leading, 0xd800, 0xdc00);
  for (const [first, last] of plainRanges) if (last < made.length) made.fill(kinds.plain, first, last + 1);
  for (const [first, last] of extendingRanges) if (last < made.length) made.fill(kinds.extending, first, last + 1);
  made[lineFeed] = kinds.lineFeed;
  return made;
}

function isIn(ranges: Ranges, codePoint: number): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
