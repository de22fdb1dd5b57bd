import { plainRanges } from "./plain-characters.ts";

let segmenter: Intl.Segmenter | undefined;

/** Made at its first use: it takes longer than loading everything else here. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter;
}

/**
 * Node 20's segmenter slows down with the length of its input (20,000 emoji:
 * seconds), so it is fed this many UTF-16 units at a time.
 */
const windowLength = 1_000;

/** Calling the segmenter costs as much as this many UTF-16 units. */
const minRest = 16;

/**
 * Where each grapheme cluster (what a reader sees as one character) ends, in
 * UTF-16 offsets, ascending; the last is the text's length. Empty for "".
 * The clusters are those of Intl.Segmenter.
 */
export function graphemeEnds(text: string): number[] {
  const ends: number[] = [];
  let position = 0;
  while (position < text.length) {
    if (isPlain(text, position) && (position + 1 === text.length || isPlain(text, position + 1))) {
      position += 1;
      ends.push(position);
    } else {
      const end = endOfRest(text, position);
      segment(text, position, end, ends);
      position = end;
    }
  }
  return ends;
}

/** How many grapheme clusters the text has. */
export function countGraphemes(text: string): number {
  return graphemeEnds(text).length;
}

/**
 * The next place some way behind `start` that is a cluster's end for certain:
 * between two plain characters.
 */
function endOfRest(text: string, start: number): number {
  for (let position = start + minRest; position < text.length; position++) {
    if (isPlain(text, position - 1) && isPlain(text, position)) return position;
  }
  return text.length;
}

/** Adds the ends of the clusters in `start`..`end`, both of which are cluster boundaries. */
function segment(text: string, start: number, end: number, ends: number[]): void {
  let position = start;
  let length = windowLength;
  while (position < end) {
    const stop = windowEnd(text, position + length, end);
    const found = [...graphemes().segment(text.slice(position, stop))].map((cluster) => cluster.index);
    // A boundary depends on what stands before it and on one code point after
    // it, so in a window all are right but the end of the last cluster.
    const isLast = stop === end;
    for (const index of found.slice(1)) ends.push(position + index);
    if (isLast) ends.push(end);
    if (isLast) return;
    if (found.length === 1) {
      length *= 2;
    } else {
      position = ends.at(-1) ?? position;
      length = windowLength;
    }
  }
}

/** A window must not end between the halves of a surrogate pair. */
function windowEnd(text: string, wanted: number, end: number): number {
  if (wanted >= end) return end;
  const last = text.charCodeAt(wanted - 1);
  return last >= 0xd800 && last <= 0xdbff ? wanted - 1 : wanted;
}

/** Whether the character is one of `plainRanges`. */
function isPlain(text: string, index: number): boolean {
  plain ??= tableOf(plainRanges);
  return plain[text.charCodeAt(index)] === 1;
}

let plain: Uint8Array | undefined;

/** 1 for each UTF-16 unit that is in one of the ranges, for it is asked for every unit of every text. */
function tableOf(ranges: typeof plainRanges): Uint8Array {
  const table = new Uint8Array(0x1_0000);
  for (const [first, last] of ranges) table.fill(1, first, last + 1);
  return table;
}
