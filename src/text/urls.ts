import { endOfTopLevelDomain, isDomainName, latinDomains } from "./domains.ts";
import { rememberUnits } from "./unit-table.ts";
import { readAddress, type UrlPaths } from "./url-paths.ts";

/** A URL in a text, in UTF-16 offsets. */
export interface UrlSpan {
  start: number;
  end: number;
  /** False: a domain written without `http://` or `https://`. */
  scheme: boolean;
}

/** The longest URL that X shortens, scheme included (npm twitter-text 3.1.0, read 2026-11). */
const maxUrlLength = 4_096;

/** Maximum length of a t.co link's name (npm twitter-text 3.1.0, read 2026-11). */
const maxShortNameLength = 40;

const hostCharacter =
  /[^!'#%&()*+,\\/:;<=>?@[\]^{|}~$\s\x85\u180e\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/;
const isHostUnit = rememberUnits((character) => hostCharacter.test(character));
const cannotPrecede = /[A-Za-z0-9@＠$#＃\ufeff\ufffe\uffff]/;
const mayPrecedeUrl = rememberUnits((character) => !cannotPrecede.test(character));
const cannotPrecedeBare = /[-_./]/;
const schemeBefore = /https?:\/\/$/i;
const shortUrl = /https?:\/\/t\.co\/([a-z0-9]+)(?:\?[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*[a-z0-9\-_&=#/])?/iy;

/** A search in one text: the results, and the end of the last match. */
interface Search {
  text: string;
  paths: UrlPaths;
  found: UrlSpan[];
  position: number;
}

/**
 * The URLs of a text as X and Mastodon find and shorten them, in order, without overlaps, in linear time. They have a
 * scheme or are bare domains; both need a known top-level domain, so `http://localhost` is none.
 *
 * @param paths the characters allowed in a path and a query: X's or Mastodon's
 * @see https://github.com/twitter/twitter-text whose results these are (npm twitter-text 3.1.0, read 2026-11)
 */
export function findUrls(text: string, paths: UrlPaths): UrlSpan[] {
  const search: Search = { text, paths, found: [], position: 0 };
  let end = 0;
  for (let dot = text.indexOf("."); dot !== -1; dot = text.indexOf(".", end)) {
    const start = startOfRun(text, dot, end);
    end = endOfRun(text, dot);
    if (end > search.position) searchRun(search, start, end);
  }
  return search.found;
}

/** The beginning of the sequence of host characters around a position. */
function startOfRun(text: string, within: number, limit: number): number {
  let start = within;
  while (start > limit && isHostUnit(text.charCodeAt(start - 1))) start--;
  return start;
}

function endOfRun(text: string, within: number): number {
  let end = within + 1;
  while (end < text.length && isHostUnit(text.charCodeAt(end))) end++;
  return end;
}

/** Finds the URLs whose host is in `start`..`end`, a sequence of host characters and dots. */
function searchRun(search: Search, start: number, end: number): void {
  const { text } = search;
  const labels = readLabels(text, start, end);
  const scheme = schemeBehind(text, start);
  if (scheme !== "" && mayStart(search, start - scheme.length)) {
    const hostEnd = endOfHost(text, labels[0], start);
    if (hostEnd !== -1) takeUrl(search, start - scheme.length, start, hostEnd);
  }
  for (const label of labels) {
    for (let host = Math.max(label.start, search.position); host < label.end; host++) {
      const hostEnd = mayStart(search, host) ? endOfHost(text, label, host) : -1;
      if (hostEnd === -1 || isTakenByNext(search, label, host)) continue;
      takeUrl(search, host, host, hostEnd);
      break; // It ends after this label.
    }
  }
}

/** The scheme that ends here, with `://`; "": none. */
function schemeBehind(text: string, end: number): string {
  if (text[end - 1] !== "/") return "";
  return schemeBefore.exec(text.slice(Math.max(0, end - "https://".length), end))?.[0] ?? "";
}

/** At the beginning of a text, a non-ASCII first letter counts as the character before the host. */
function isTakenByNext(search: Search, label: Label, host: number): boolean {
  return host === 0 && mayStart(search, 1) && endOfHost(search.text, label, 1) !== -1;
}

function mayStart(search: Search, start: number): boolean {
  if (start === 0) return true;
  return start > search.position && mayPrecedeUrl(search.text.charCodeAt(start - 1));
}

/** Adds the URL whose host is `host`..`hostEnd` if it is valid, and continues the search after it either way. */
function takeUrl(search: Search, start: number, host: number, hostEnd: number): void {
  const { text, paths, found } = search;
  const rest = readAddress(text, hostEnd, paths);
  const isBare = start === host;
  search.position = rest.end;
  // twitter-text counts a written scheme twice.
  const schemeLength = isBare ? "https://".length : host - start;
  if (schemeLength + rest.end - start > maxUrlLength) return;
  const name = text.slice(host, hostEnd);
  if (!isDomainName(name)) return;
  const latin = isBare || name.startsWith("xn--") ? latinDomains(text, host, hostEnd) : [];
  if (isBare) {
    if (host > 0 && cannotPrecedeBare.test(text.charAt(host - 1))) return;
    const last = latin.at(-1);
    if (last !== undefined && rest.hasPath) last.end = rest.end;
    found.push(...latin.map((domain) => ({ ...domain, scheme: false })));
    return;
  }
  if (name.startsWith("xn--") && latin.length === 0) return;
  const end = endOfShortUrl(text, start, rest.end);
  if (end === -1) return;
  found.push({ start, end, scheme: true });
}

/** A t.co link ends after its name and query; -1: the name is too long for one. */
function endOfShortUrl(text: string, start: number, end: number): number {
  shortUrl.lastIndex = start;
  const match = shortUrl.exec(text);
  if (match === null) return end;
  return (match[1] ?? "").length > maxShortNameLength ? -1 : Math.min(end, start + match[0].length);
}

/** One label of a host. */
interface Label {
  start: number;
  end: number;
  lastUnderscore: number;
  /** True: not empty, and not ending with `-` or `_`. */
  endsWell: boolean;
  /** The end of a top-level domain in the next label; -1: none. */
  domainEnd: number;
  /** The end of the longest host with this label and more than one after it; -1: none. */
  longerEnd: number;
}

function readLabels(text: string, start: number, end: number): Label[] {
  const labels: Label[] = [];
  for (let labelStart = start; labelStart <= end; ) {
    const dot = text.indexOf(".", labelStart);
    const labelEnd = dot === -1 || dot > end ? end : dot;
    labels.push(readLabel(text, labelStart, labelEnd));
    labelStart = labelEnd + 1;
  }
  labels.reduceRight((next, label) => {
    label.domainEnd = endOfTopLevelDomain(text, next.start, text.length);
    label.longerEnd = endOfHost(text, next, next.start);
    return label;
  });
  return labels;
}

function readLabel(text: string, start: number, end: number): Label {
  return {
    start,
    end,
    lastUnderscore: text.slice(start, end).lastIndexOf("_") + start,
    endsWell: end > start && !isDash(text, end - 1),
    domainEnd: -1,
    longerEnd: -1,
  };
}

/** The end of the longest host that begins at `start`, inside `label`; -1: none. */
function endOfHost(text: string, label: Label | undefined, start: number): number {
  if (label === undefined || start >= label.end || !label.endsWell || isDash(text, start)) return -1;
  if (label.longerEnd !== -1) return label.longerEnd;
  return label.lastUnderscore < start ? label.domainEnd : -1;
}

function isDash(text: string, index: number): boolean {
  return text[index] === "-" || text[index] === "_";
}
