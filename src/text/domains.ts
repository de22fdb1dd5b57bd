import { topLevelDomains } from "./top-level-domains.ts";

/** DNS limit (RFC 1035, section 2.3.4). */
const maxLabelLength = 63;

const asciiWord = /[a-z0-9]+/iy;
const punycodeLabel = /xn--[-0-9a-z]+/iy;

/** Letters with accents, for a character class (npm twitter-text 3.1.0, read 2026-11). */
export const accentedLatin =
  "\u0300-\u036f\xc0-\xd6\xd8-\xf6\xf8-\u024f\u0253\u0254\u0256\u0257\u0259\u025b\u0263\u0268\u026f\u0272\u0289\u028b\u02bb\u1e00-\u1eff";

const latinLabel = new RegExp(`[${accentedLatin}a-z0-9-]+`, "iy");
const notAfterDomain = /[0-9a-zA-Z@+-]/;

/** The end of a sticky expression's match at `start`; -1: none. */
export function endOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/**
 * The end of a known top-level domain that begins at `start`; -1: none. Letters, digits, `@`, `+` and `-` must not
 * follow it.
 *
 * @param limit the text is ignored from here on
 */
export function endOfTopLevelDomain(text: string, start: number, limit: number): number {
  const first = text.charAt(start);
  const punycodeEnd = first === "x" || first === "X" ? endOfMatch(punycodeLabel, text, start) : -1;
  if (punycodeEnd !== -1) return Math.min(punycodeEnd, limit);
  const wordEnd = Math.min(endOfMatch(asciiWord, text, start), limit);
  if (isTopLevelDomain(text, start, wordEnd)) return wordEnd;
  // In another script, more letters of that script may follow.
  for (const length of scriptLengths(first)) {
    if (start + length <= limit && isTopLevelDomain(text, start, start + length)) return start + length;
  }
  return -1;
}

const asciiOnly = /^[\0-\x7f]*$/;
const asciiName = new RegExp(`^[^.]{1,${maxLabelLength}}(?:\\.[^.]{1,${maxLabelLength}})*$`);
let lengthsByFirst: Map<string, number[]> | undefined;

/** Lengths of the non-ASCII top-level domains that begin with this character, the longest first. */
function scriptLengths(first: string): readonly number[] {
  lengthsByFirst ??= groupLengths([...topLevelDomains].filter((domain) => !asciiOnly.test(domain)));
  return lengthsByFirst.get(first.toLowerCase()) ?? [];
}

function groupLengths(domains: readonly string[]): Map<string, number[]> {
  const grouped = new Map<string, number[]>();
  for (const domain of domains) {
    const first = domain.charAt(0);
    grouped.set(first, [...(grouped.get(first) ?? []), domain.length]);
  }
  for (const lengths of grouped.values()) lengths.sort((one, other) => other - one);
  return grouped;
}

function isTopLevelDomain(text: string, start: number, end: number): boolean {
  if (end === -1 || notAfterDomain.test(text.charAt(end))) return false;
  return topLevelDomains.has(text.slice(start, end).toLowerCase());
}

/** The domains of Latin letters inside `start`..`end` that have a known top-level domain. */
export function latinDomains(text: string, start: number, end: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let position = start;
  while (position < end) {
    const domain = latinDomainAt(text, position, end);
    if (domain.end !== -1) found.push({ start: position, end: domain.end });
    position = Math.max(domain.read, position + 1);
  }
  return found;
}

/** The longest domain that begins at `start`, and the end of the search. */
function latinDomainAt(text: string, start: number, limit: number): { end: number; read: number } {
  let end = -1;
  let position = start;
  for (;;) {
    const labelEnd = Math.min(endOfMatch(latinLabel, text, position), limit);
    if (labelEnd === limit || text[labelEnd] !== ".") return { end, read: Math.max(labelEnd, position) };
    position = labelEnd + 1;
    const domainEnd = endOfTopLevelDomain(text, position, limit);
    if (domainEnd !== -1) end = domainEnd;
  }
}

/** True: the domain name system allows this name. */
export function isDomainName(name: string): boolean {
  if (asciiOnly.test(name)) return asciiName.test(name);
  return name.split(".").every((label) => {
    const length = punycodeLength(label);
    return length >= 1 && length <= maxLabelLength;
  });
}

/** Characters that end a label like the full stop does (RFC 3490, section 3.1). */
const wideFullStop = /[。．｡]/;

/** The length of a label in ASCII; Infinity: beyond any limit. */
function punycodeLength(label: string): number {
  if (asciiOnly.test(label)) return label.length;
  if (label.length > 2 * maxLabelLength) return Infinity;
  const lengths = label.split(wideFullStop).map(encodedLength);
  return lengths.reduce((sum, length) => sum + length, lengths.length - 1);
}

/** The length including `xn--` (RFC 3492, section 6.3). */
function encodedLength(label: string): number {
  if (asciiOnly.test(label)) return label.length;
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < 0x80).length;
  return "xn--".length + basic + (basic > 0 ? 1 : 0) + deltasLength(points, basic);
}

function deltasLength(points: readonly number[], basic: number): number {
  let length = 0;
  let delta = 0;
  let bias = 72;
  let handled = basic;
  let current = 0x80;
  const others = [...new Set(points.filter((point) => point >= 0x80))].sort((a, b) => a - b);
  for (const next of others) {
    delta += (next - current) * (handled + 1);
    for (const point of points) {
      if (point < next) delta += 1;
      if (point !== next) continue;
      length += integerLength(delta, bias);
      bias = adaptBias(delta, handled + 1, handled === basic);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    current = next + 1;
  }
  return length;
}

function integerLength(delta: number, bias: number): number {
  let rest = delta;
  for (let length = 1, key = 36; ; length++, key += 36) {
    const threshold = Math.min(26, Math.max(1, key - bias));
    if (rest < threshold) return length;
    rest = Math.floor((rest - threshold) / (36 - threshold));
  }
}

function adaptBias(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(isFirst ? delta / 700 : delta / 2);
  rest += Math.floor(rest / count);
  let key = 0;
  for (; rest > 455; key += 36) rest = Math.floor(rest / 35);
  return key + Math.floor((36 * rest) / (rest + 38));
}
