import type { Json, JsonObject } from "../../wire/json.ts";

/** The kinds of CBOR items that records are made of. https://www.rfc-editor.org/rfc/rfc8949#section-3.1 (2020-12) */
const kinds = { whole: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6 } as const;
const falseByte = 0xf4;
const trueByte = 0xf5;
const nullByte = 0xf6;
/** https://ipld.io/specs/codecs/dag-cbor/spec/#links (2026-08) */
const linkTag = 42;

const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * A record as servers store and hash it.
 *
 * @see https://ipld.io/specs/codecs/dag-cbor/spec/ (2026-08)
 * @see https://atproto.com/specs/data-model (2026-08)
 */
export function encodeDagCbor(value: Json): Uint8Array {
  return Uint8Array.from(bytesOf(value));
}

function bytesOf(value: Json): number[] {
  if (value === null) return [nullByte];
  if (typeof value === "boolean") return [value ? trueByte : falseByte];
  if (typeof value === "number") return bytesOfNumber(value);
  if (typeof value === "string") return withHead(kinds.text, new TextEncoder().encode(value));
  if (Array.isArray(value)) return [...head(kinds.list, value.length), ...value.flatMap(bytesOf)];
  return isLink(value) ? bytesOfLink(value.$link) : bytesOfMap(value);
}

/** Records hold no fractions. https://atproto.com/specs/data-model (2026-08) */
function bytesOfNumber(value: number): number[] {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Numbers in a record must be whole, not ${value}.`);
  return value < 0 ? head(kinds.negative, -1 - value) : head(kinds.whole, value);
}

/** Keys by their length, then by their bytes. */
function bytesOfMap(map: JsonObject): number[] {
  const entries = Object.entries(map).map(([key, value]) => ({ key: new TextEncoder().encode(key), value }));
  entries.sort((a, b) => a.key.length - b.key.length || compareBytes(a.key, b.key));
  return [
    ...head(kinds.map, entries.length),
    ...entries.flatMap(({ key, value }) => [...withHead(kinds.text, key), ...bytesOf(value)]),
  ];
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const index = a.findIndex((byte, at) => byte !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** A content id within a record, in its JSON form. */
function isLink(value: JsonObject): value is { $link: string } {
  return typeof value.$link === "string" && Object.keys(value).length === 1;
}

function bytesOfLink(link: string): number[] {
  // The zero says that bytes of a content id follow as they are.
  const bytes = Uint8Array.of(0, ...fromBase32(link));
  return [...head(kinds.tag, linkTag), ...withHead(kinds.bytes, bytes)];
}

function withHead(kind: number, bytes: Uint8Array): number[] {
  return [...head(kind, bytes.length), ...bytes];
}

/** Kind and number, in as few bytes as they fit. */
function head(kind: number, number: number): number[] {
  const first = kind << 5;
  if (number < 24) return [first | number];
  const length = [1, 2, 4, 8].find((bytes) => number < 256 ** bytes) ?? 8;
  const bytes = Array.from({ length }, (_, index) => Math.floor(number / 256 ** (length - 1 - index)) % 256);
  return [first | (24 + Math.log2(length)), ...bytes];
}

/** A content id in text: `b`, then base 32 in lower case. https://github.com/multiformats/multibase (2026-08) */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += base32.charAt((held >> (bits - 5)) & 31);
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + base32.charAt((held << (5 - bits)) & 31);
}

function fromBase32(link: string): number[] {
  if (!link.startsWith("b")) throw new RangeError(`${link} is not a content id.`);
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of link.slice(1)) {
    const value = base32.indexOf(letter);
    if (value === -1) throw new RangeError(`${link} is not a content id.`);
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
  }
  return bytes;
}
