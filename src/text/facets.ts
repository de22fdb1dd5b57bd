import { countBytes } from "./bytes.ts";
import { endOfMatch } from "./domains.ts";
import { countGraphemes } from "./graphemes.ts";
import { topLevelDomains } from "./top-level-domains.ts";

/** A link, mention or tag in a Bluesky post. Offsets are UTF-8 bytes, the end exclusive. */
export interface TextFacet {
  byteStart: number;
  byteEnd: number;
  kind: "link" | "mention" | "tag";
  /**
   * - `link`: the URL, with a scheme even if the text has none
   * - `mention`: the handle, without `@`; to be resolved to a DID
   * - `tag`: without `#`; a cashtag in capitals and with its `$`
   */
  value: string;
}

interface Found {
  start: number;
  end: number;
  kind: TextFacet["kind"];
  value: string;
}

/** The lexicon app.bsky.richtext.facet (npm @atproto/api 0.21.0, read 2026-11). */
const maxTagLength = 64;
const maxTagBytes = 640;

/** https://atproto.com/specs/handle, as npm @atproto/syntax 0.5.4 checks it (read 2026-11). */
const maxHandleLength = 253;
const handle = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const mentionStart = /(?<=^|[\s(])@[a-zA-Z0-9.-]+/g;
const linkStart = /(?<=^|[\s(])(?:https?:\/\/\S+|[a-z][a-z0-9]*(?:\.[a-z0-9]+)+\S*)/gi;
const bareDomain = /[a-z][a-z0-9]*(?:\.[a-z0-9]+)+/iy;
const usableLink = /^https?:\/\/[^\s/]/;
// biome-ignore lint/suspicious/noMisleadingCharacterClass: U+20E2 stands for itself here
const tagStart = /(?<=^|\s)[#＃](?!\ufe0f)[^\u20e2\s\u00ad\u2060\u200a-\u200d]+/g;
const tagLetter = /[^\d\p{P}]/u;
const cashtag = /(?<=^|[\s(])\$[A-Za-z][A-Za-z0-9]{0,4}(?=$|[\s.,;:!?)"'\u2019])/g;
const wordCharacter = /\w/;
const punctuation = /\p{P}/u;

/**
 * The links, mentions and hashtags of a text, in order, as Bluesky's own clients find them (`RichText.detectFacets`
 * of npm @atproto/api 0.21.0, read 2026-11). In addition, they do not overlap, every link has a scheme, and the
 * network's schema accepts every handle and tag. In linear time.
 */
export function findFacets(text: string): TextFacet[] {
  const found = [...findMentions(text), ...findLinks(text), ...findTags(text), ...findCashtags(text)];
  found.sort((a, b) => a.start - b.start);
  const facets: TextFacet[] = [];
  let position = 0;
  let bytes = 0;
  for (const { start, end, kind, value } of found) {
    if (start < position) continue;
    const byteStart = bytes + countBytes(text.slice(position, start));
    const byteEnd = byteStart + countBytes(text.slice(start, end));
    facets.push({ byteStart, byteEnd, kind, value });
    position = end;
    bytes = byteEnd;
  }
  return facets;
}

function findMentions(text: string): Found[] {
  return Array.from(text.matchAll(mentionStart), (match): Found => {
    const start = match.index;
    const end = lastWordBoundary(text, start + 1, start + match[0].length);
    return { start, end, kind: "mention", value: text.slice(start + 1, end) };
  }).filter(({ value }) => isHandle(value));
}

/** The last place in `start`..`end`, except `start`, where a word begins or ends; `start`: none. */
function lastWordBoundary(text: string, start: number, end: number): number {
  let position = end;
  while (position > start && isWord(text, position - 1) === isWord(text, position)) position--;
  return position;
}

function isWord(text: string, index: number): boolean {
  return wordCharacter.test(text.charAt(index));
}

function isHandle(value: string): boolean {
  if (value.length > maxHandleLength || !handle.test(value)) return false;
  return hasKnownDomain(value) || value.endsWith(".test");
}

/** Case-sensitive: the network's clients do not link `Hello.World`. */
function hasKnownDomain(name: string): boolean {
  return topLevelDomains.has(name.slice(name.lastIndexOf(".") + 1));
}

function findLinks(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(linkStart)) {
    const start = match.index;
    const scheme = missingScheme(text, start, match[0]);
    const written = trimLink(match[0]);
    if (scheme === null || !usableLink.test(scheme + written)) continue;
    found.push({ start, end: start + written.length, kind: "link", value: scheme + written });
  }
  return found;
}

/** The scheme to add to the link, if any; null: it is not a link. */
function missingScheme(text: string, start: number, written: string): string | null {
  const domainEnd = endOfMatch(bareDomain, text, start);
  if (domainEnd === -1) return written.startsWith("http") ? "" : null;
  return hasKnownDomain(text.slice(start, domainEnd)) ? "https://" : null;
}

/** Removes one punctuation mark, then one unopened bracket, like the network's clients. */
function trimLink(written: string): string {
  const unpunctuated = written.replace(/[.,;:!?]$/, "");
  return unpunctuated.endsWith(")") && !unpunctuated.includes("(") ? unpunctuated.slice(0, -1) : unpunctuated;
}

function findTags(text: string): Found[] {
  return Array.from(text.matchAll(tagStart), (match): Found => {
    const value = tagLetter.test(match[0].slice(1)) ? trimTag(match[0].slice(1)) : "";
    return { start: match.index, end: match.index + 1 + value.length, kind: "tag", value };
  }).filter(({ value }) => value !== "" && isShortTag(value));
}

/** Removes punctuation at the end. */
function trimTag(tag: string): string {
  const characters = Array.from(tag);
  while (punctuation.test(characters.at(-1) ?? "")) characters.pop();
  return characters.join("");
}

function isShortTag(tag: string): boolean {
  return tag.length <= maxTagLength || (countBytes(tag) <= maxTagBytes && countGraphemes(tag) <= maxTagLength);
}

function findCashtags(text: string): Found[] {
  return Array.from(text.matchAll(cashtag), (match): Found => {
    const [written] = match;
    return { start: match.index, end: match.index + written.length, kind: "tag", value: written.toUpperCase() };
  });
}
