import { type Break, isSpaceAt } from "./breaks.ts";
import { lowerBound } from "./lower-bound.ts";

/** Where a text may be cut, whatever the limits are. Positions are numbers of clusters. */
export interface Layout {
  breaks: readonly Break[];
  /** Those of the breaks that end a paragraph, and those that end a sentence. */
  paragraphs: readonly Break[];
  sentences: readonly Break[];
  /** What must stay whole, in the order of the text, without overlaps. */
  whole: readonly Piece[];
  /** Between these lies everything but the white space at both ends. */
  start: number;
  end: number;
}

export interface Piece {
  start: number;
  /** Exclusive. */
  end: number;
}

/** What a layout is made of, in the order of the text. */
interface Found {
  text: string;
  /** Where grapheme clusters begin and end: 0, then the end of each. */
  offsets: Uint32Array;
  breaks: readonly Break[];
  whole: readonly Piece[];
}

export function layOut(found: Found): Layout {
  const { whole } = found;
  let start = 0;
  let end = found.offsets.length - 1;
  while (start < end && isSpaceAt(found, start)) start++;
  while (end > start && isSpaceAt(found, end - 1)) end--;
  const breaks = outside(whole, found.breaks).filter((each) => each.end > start);
  const paragraphs = breaks.filter(({ kind }) => kind === "paragraph");
  const sentences = breaks.filter(({ kind }) => kind === "sentence");
  return { breaks, paragraphs, sentences, whole, start, end };
}

/** The breaks that cut no piece. */
function outside(whole: readonly Piece[], breaks: readonly Break[]): Break[] {
  let next = 0;
  return breaks.filter(({ end }) => {
    while ((whole[next]?.end ?? Infinity) <= end) next++;
    return end <= (whole[next]?.start ?? Infinity);
  });
}

/** What must stay whole and would be cut at this boundary. */
export function pieceAround(whole: readonly Piece[], boundary: number): Piece | null {
  const found = whole[lowerBound(whole.length, (at) => (whole[at]?.end ?? 0) > boundary)];
  return found !== undefined && found.start < boundary ? found : null;
}

/**
 * Links, mentions and hashtags; of those that overlap, what the network shortens.
 * The very same `links` where that is the same, as in most texts.
 *
 * @param shortened the URLs that the network itself finds and shortens, as it delimits them
 */
export function wholePieces(links: readonly Piece[], shortened: readonly Piece[]): readonly Piece[] {
  if (areAmong(links, shortened)) return links;
  let next = 0;
  const others = links.filter((link) => {
    while ((shortened[next]?.end ?? Infinity) <= link.start) next++;
    return (shortened[next]?.start ?? Infinity) >= link.end;
  });
  return [...shortened, ...others].sort((a, b) => a.start - b.start);
}

/** Whether each of the pieces is one of all; both are in the order of the text. */
function areAmong(all: readonly Piece[], pieces: readonly Piece[]): boolean {
  let next = 0;
  return pieces.every(({ start, end }) => {
    while ((all[next]?.start ?? Infinity) < start) next++;
    return all[next]?.start === start && all[next]?.end === end;
  });
}

/** Widens spans of UTF-16 units to clusters. */
export function inClusters(spans: readonly Piece[], offsets: Uint32Array): Piece[] {
  const indexOf = (unit: number): number => lowerBound(offsets.length, (at) => (offsets[at] ?? 0) >= unit);
  return spans.map((span) => {
    const start = indexOf(span.start);
    return { start: offsets[start] === span.start ? start : start - 1, end: indexOf(span.end) };
  });
}
