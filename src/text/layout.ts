import { type Break, isSpaceAt } from "./breaks.ts";
import { lowerBound } from "./lower-bound.ts";

/** Where a text may be cut, regardless of limits. Positions count clusters. */
export interface Layout {
  breaks: readonly Break[];
  /** The breaks that end a paragraph, and those that end a sentence. */
  paragraphs: readonly Break[];
  sentences: readonly Break[];
  /** Pieces that must not be cut, in order, without overlaps. */
  whole: readonly Piece[];
  /** The range without the white space at both ends. */
  start: number;
  end: number;
}

export interface Piece {
  start: number;
  /** Exclusive. */
  end: number;
}

/** The parts of a layout, in the order of the text. */
interface Found {
  text: string;
  /** The bounds of the grapheme clusters: 0, then the end of each. */
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

/** The piece that a cut at this boundary would split; null: none. */
export function pieceAround(whole: readonly Piece[], boundary: number): Piece | null {
  const found = whole[lowerBound(whole.length, (at) => (whole[at]?.end ?? 0) > boundary)];
  return found !== undefined && found.start < boundary ? found : null;
}

/**
 * Links, mentions and hashtags; of overlapping ones, those that the network shortens. Returns `links` itself if that
 * is the same, as for most texts.
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

/** True: each of `pieces` is in `all`; both are in the order of the text. */
function areAmong(all: readonly Piece[], pieces: readonly Piece[]): boolean {
  let next = 0;
  return pieces.every(({ start, end }) => {
    while ((all[next]?.start ?? Infinity) < start) next++;
    return all[next]?.start === start && all[next]?.end === end;
  });
}

/** Extends ranges of UTF-16 units to clusters. */
export function inClusters(spans: readonly Piece[], offsets: Uint32Array): Piece[] {
  const indexOf = (unit: number): number => lowerBound(offsets.length, (at) => (offsets[at] ?? 0) >= unit);
  return spans.map((span) => {
    const start = indexOf(span.start);
    return { start: offsets[start] === span.start ? start : start - 1, end: indexOf(span.end) };
  });
}
