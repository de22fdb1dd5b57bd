import { type Break, findBreaks } from "./breaks.ts";
import { bytesBefore } from "./bytes.ts";
import { graphemeOffsets } from "./graphemes.ts";
import { inClusters, type Layout, layOut, type Piece, wholePieces } from "./layout.ts";
import { findLinks, type LinkSpan, mentions } from "./links.ts";
import { normalizeClusters } from "./normalize.ts";
import type { UrlPaths } from "./url-paths.ts";
import { findUrls, type UrlSpan } from "./urls.ts";

/** The network's way of delimiting URLs; `none`: the network counts URLs as written. */
export type Shortening = UrlPaths | "none";

/** The structure of a text, independent of networks' limits. Each part is computed once, when it is first needed. */
export interface TextReading {
  text: string;
  /** The bounds of the grapheme clusters, in UTF-16 units: 0, then the end of each. */
  offsets: () => Uint32Array;
  /** The number of UTF-8 bytes before each of `offsets`. */
  bytes: () => Uint32Array;
  /** In numbers of clusters, including breaks inside links. */
  breaks: () => readonly Break[];
  links: () => readonly LinkSpan[];
  mentions: () => readonly LinkSpan[];
  /** As Mastodon finds them. */
  urls: () => readonly UrlSpan[];
  /** The text as X reads it, with the same number of clusters. */
  normalized: () => NormalizedReading;
  layout: (shortening: Shortening) => Layout;
}

/** A text whose clusters are in Unicode normalization form C. */
export interface NormalizedReading {
  text: string;
  /** One for each bound of the original's clusters. */
  offsets: Uint32Array;
  /** As X finds them. */
  urls: readonly UrlSpan[];
}

export type TextReader = (text: string) => TextReading;

/** Creates a reader that caches its results. Reading takes longer than cutting, so all networks share one reader. */
export function createTextReader(): TextReader {
  const readings = new Map<string, TextReading>();
  return (text) => {
    const reading = readings.get(text) ?? readText(text);
    readings.set(text, reading);
    return reading;
  };
}

export function readText(text: string): TextReading {
  const offsets = once(() => graphemeOffsets(text));
  const breaks = once(() => findBreaks(text, offsets()));
  const foundMentions = once(() => mentions(text));
  const urls = once(() => findUrls(text, "mastodon"));
  const normalized = once((): NormalizedReading => {
    const clusters = normalizeClusters({ text, offsets: offsets() });
    return { ...clusters, urls: findUrls(clusters.text, "x") };
  });
  const isNormalized = (): boolean => normalized().text === text;
  const links = once(() => findLinks(text, { urls: urls(), mentions: foundMentions() }));
  const linkPieces = once(() => inClusters(links(), offsets()));
  const layOutWith = (whole: readonly Piece[]): Layout => layOut({ text, offsets: offsets(), breaks: breaks(), whole });
  const none = once(() => layOutWith(linkPieces()));
  const layOutShortened = (shortened: readonly UrlSpan[]): Layout => {
    const whole = wholePieces(linkPieces(), inClusters(shortened, offsets()));
    return whole === linkPieces() ? none() : layOutWith(whole);
  };
  const layouts = {
    // The layout is of the text as given, so X's URLs are searched in it unless it is already normalized.
    x: once(() => layOutShortened(isNormalized() ? normalized().urls : findUrls(text, "x"))),
    mastodon: once(() => layOutShortened(urls().filter(hasScheme))),
    none,
  };
  return {
    text,
    offsets,
    bytes: once(() => bytesBefore(text, offsets())),
    breaks,
    links,
    mentions: foundMentions,
    urls,
    normalized,
    layout: (shortening) => layouts[shortening](),
  };
}

function hasScheme({ scheme }: UrlSpan): boolean {
  return scheme;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
