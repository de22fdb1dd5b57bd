import { type Break, isSpaceAt } from "./breaks.ts";
import { lowerBound } from "./lower-bound.ts";

/** Where a text may be cut, whatever the limits are. Positions are numbers of clusters. */
export interface Layout {
  breaks: readonly Break[];
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

/** What a layout is made of; spans in UTF-16 units, in the order of the text. */
interface Found {
  text: string;
  /** Where grapheme clusters begin and end: 0, then the end of each. */
  offsets: Uint32Array;
  breaks: readonly Break[];
  links: readonly Piece[];
  /** The URLs that the network itself finds and shortens, as it delimits them. */
  shortened: readonly Piece[];
}

export function layOut(found: Found): Layout {
  const whole = wholePieces(found);
  let start = 0;
  let end = found.offsets.length - 1;
  while (start < end && isSpaceAt(found, start)) start++;
  while (end > start && isSpaceAt(found, end - 1)) end--;
  const breaks = found.breaks.filter((each) => each.end > start && pieceAround(whole, each.end) === null);
  return { breaks, whole, start, end };
}

/** What must stay whole and would be cut at this boundary. */
export function pieceAround(whole: readonly Piece[], boundary: number): Piece | null {
  const found = whole[lowerBound(whole.length, (at) => (whole[at]?.end ?? 0) > boundary)];
  return found !== undefined && found.start < boundary ? found : null;
}

/** Links, mentions and hashtags as numbers of clusters; of those that overlap, what the network shortens. */
function wholePieces({ offsets, links, shortened }: Found): Piece[] {
  let next = 0;
  const others = links.filter((link) => {
    while ((shortened[next]?.end ?? Infinity) <= link.start) next++;
    return (shortened[next]?.start ?? Infinity) >= link.end;
  });
  return inClusters(
    [...shortened, ...others].sort((a, b) => a.start - b.start),
    offsets,
  );
}

/** Widens spans of UTF-16 units, which are in the order of the text, to clusters. */
function inClusters(spans: readonly Piece[], offsets: Uint32Array): Piece[] {
  let index = 0;
  return spans.map((span) => {
    while ((offsets[index + 1] ?? Infinity) <= span.start) index++;
    const start = index;
    while ((offsets[index] ?? Infinity) < span.end) index++;
    const end = index;
    // The next one may begin in the cluster in which this one ends.
    index = Math.max(start, end - 1);
    return { start, end };
  });
}
