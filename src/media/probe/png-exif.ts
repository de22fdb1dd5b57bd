import { inflateSync, constants as zlib } from "node:zlib";
import { orientationIn } from "../exif/orientation.ts";
import type { Stretch } from "./boxes.ts";
import { bytesReader, type MediaReader, textAt } from "./reader.ts";

/** A PNG chunk with its name; the range is its content. */
export interface PngChunk extends Stretch {
  name: string;
}

/**
 * Maximum bytes of a text that are read from the file: EXIF is shorter, except for a thumbnail after the fields that
 * are read.
 */
const maxTextBytes = 32 * 1024;

/** Maximum size of a decompressed text, bytes: EXIF has 64 KB at most, and each of its bytes takes two digits. */
const maxOpenedBytes = 256 * 1024;

/** Keyword of EXIF in hexadecimal digits, which ImageMagick, exiv2 and others wrote before PNG had a chunk for it. */
const rawProfile = /^Raw profile type (?:exif|APP1)\0/i;
const rawProfileBytes = 24;

/** The orientation in `eXIf`, otherwise in a text chunk of an older program; null: there is no EXIF. */
export async function orientationOfPng(reader: MediaReader, chunks: readonly PngChunk[]): Promise<number | null> {
  const exif = chunks.find(({ name }) => name === "eXIf");
  if (exif !== undefined) return orientationIn(reader, exif);
  for (const chunk of chunks.filter(({ name }) => /^[zi]TXt$|^tEXt$/.test(name))) {
    const profile = await profileIn(reader, chunk);
    if (profile !== null) return orientationIn(bytesReader(profile), { start: 0, end: profile.length });
  }
  return null;
}

/** The EXIF bytes in a text; null: none. */
async function profileIn(reader: MediaReader, { name, start, end }: PngChunk): Promise<Uint8Array | null> {
  const [keyword] = rawProfile.exec(textAt(await reader.read(start, rawProfileBytes), 0, rawProfileBytes)) ?? [];
  if (keyword === undefined) return null;
  const content = await reader.read(start, Math.min(end - start, maxTextBytes));
  const digits = openText(name, content.subarray(keyword.length));
  return digits === null ? null : bytesOf(Buffer.from(digits).toString("latin1"));
}

/** The text after the keyword: PNG specification, third edition, section 11.3.3. */
function openText(name: string, rest: Uint8Array): Uint8Array | null {
  if (name === "tEXt") return rest;
  if (name === "zTXt") return inflated(rest.subarray(1));
  // Two bytes about the compression, then a language and the translated keyword, each ended by a zero.
  const language = rest.indexOf(0, 2);
  const text = rest.subarray(rest.indexOf(0, language + 1) + 1);
  return rest[0] === 0 ? text : inflated(text);
}

/** Decompresses as far as the bytes go; null: they are not compressed, or contain far more than EXIF can. */
function inflated(bytes: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(bytes, { maxOutputLength: maxOpenedBytes, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
}

/** Decodes the digits, which follow a line with the name and a line with the length. */
function bytesOf(text: string): Uint8Array | null {
  const [, digits] = /^\s*\w+\s+\d+\s+([\da-f\s]*)/i.exec(text) ?? [];
  return digits === undefined ? null : Buffer.from(digits.replaceAll(/\s+/g, ""), "hex");
}
