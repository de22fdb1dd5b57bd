import { type Break, isSpaceAt } from "./breaks.ts";
import { lowerBound } from "./lower-bound.ts";
import type { TextReading } from "./reading.ts";

/** Whose way of delimiting URLs counts; `none`: the network counts URLs as they are written. */
export type Shortening = "x" | "mastodon" | "none";

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

export function layOut(reading: TextReading, shortening: Shortening): Layout {
  const whole = wholePieces(reading, shortening);
  const clusters = { text: reading.text, offsets: reading.offsets() };
  let start = 0;
  let end = clusters.offsets.length - 1;
  while (start < end && isSpaceAt(clusters, start)) start++;
  while (end > start && isSpaceAt(clusters, end - 1)) end--;
  const breaks = reading.breaks().filter((found) => found.end > start && pieceAround(whole, found.end) === null);
  return { breaks, whole, start, end };
}

/** What must stay whole and would be cut at this boundary. */
export function pieceAround(whole: readonly Piece[], boundary: number): Piece | null {
  const found = whole[lowerBound(whole.length, (at) => (whole[at]?.end ?? 0) > boundary)];
  return found !== undefined && found.start < boundary ? found : null;
}

/** Links, mentions and hashtags as numbers of clusters; of those that overlap, what the network shortens. */
function wholePieces(reading: TextReading, shortening: Shortening): Piece[] {
  const offsets = reading.offsets();
  const shortened = shortenedUrls(reading, shortening);
  let next = 0;
  const others = reading.links().filter((link) => {
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

/** The URLs that the network itself finds and shortens, as it delimits them. */
function shortenedUrls(reading: TextReading, shortening: Shortening): readonly Piece[] {
  if (shortening === "none") return [];
  const found = reading.urls(shortening);
  return shortening === "x" ? found : found.filter((url) => url.scheme);
}
