import { crc32, inflateSync } from "node:zlib";
import type { Stretch } from "../probe/boxes.ts";
import { bytesReader, textAt, viewOf } from "../probe/reader.ts";
import { searchExif } from "./exif.ts";
import { searchImageResources, searchIptc } from "./image-resources.ts";
import { withPatches } from "./patched.ts";
import { overwrite, readAll, type Search, searchOf, uintAt } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** Maximum number of chunks; a real file has a dozen besides its pixels. */
const maxChunks = 512;

/**
 * After this many pixel chunks, later metadata is searched at the end of the file: some encoders write a chunk for
 * every 8 KB.
 */
const maxPixelChunks = 16;
const tailBytes = 32 * 1024;
const pixelNames = ["IDAT", "fdAT", "fcTL"];

/** Maximum number of compressed texts to decompress, and the maximum size of each, bytes. */
const maxOpened = 4;
const maxOpenedBytes = 1024 * 1024;

/** A chunk, from its name to the byte before its checksum. */
interface Chunk extends Stretch {
  name: string;
}

const nameBytes = 4;
const checksumBytes = 4;

/** PNG: EXIF in `eXIf`, XMP in `iTXt`, and both in the text chunks of older programs. */
export async function searchPng(search: Search): Promise<void> {
  const texts = { left: maxOpened };
  let offset: number | null = 8;
  let pixelChunks = 0;
  for (let count = 0; offset !== null && count < maxChunks; count++) {
    const chunk: Chunk | null = await readChunk(search, offset);
    if (chunk === null || chunk.name === "IEND") return;
    const isPixels = pixelNames.includes(chunk.name);
    if (isPixels) pixelChunks += 1;
    else await searchChunk(search, chunk, texts);
    offset =
      isPixels && pixelChunks === maxPixelChunks ? await lastPixelsEnd(search, chunk) : chunk.end + checksumBytes;
  }
  search.left.add("out_of_reach");
}

async function readChunk({ reader }: Search, offset: number): Promise<Chunk | null> {
  const header = await reader.read(offset, 8);
  const name = textAt(header, 4, 4);
  if (!/^[A-Za-z]{4}$/.test(name)) return null;
  const start = offset + 4;
  return { name, start, end: start + nameBytes + viewOf(header).getUint32(0) };
}

/** The end of the last pixel chunk, found from the end of the file; null: not found. */
async function lastPixelsEnd({ reader }: Search, { end }: Chunk): Promise<number | null> {
  const { sizeBytes } = reader;
  if (sizeBytes === null) return null;
  const from = Math.max(end + checksumBytes, sizeBytes - tailBytes);
  const tail = await reader.read(from, sizeBytes - from);
  const text = textAt(tail, 0, tail.length);
  const at = Math.max(text.lastIndexOf("IDAT"), text.lastIndexOf("fdAT"));
  const length = at < 4 ? null : uintAt(tail, at - 4, 4);
  if (length === null) return null;
  const behind = from + at + nameBytes + length + checksumBytes;
  return behind < sizeBytes ? behind : null;
}

async function searchChunk(search: Search, chunk: Chunk, texts: { left: number }): Promise<void> {
  if (!["eXIf", "iTXt", "tEXt", "zTXt"].includes(chunk.name)) return;
  const text = chunk.name === "eXIf" ? null : await textIn(search, chunk);
  if (chunk.name !== "eXIf" && (text === null || !isAboutLocation(text.keyword))) return;
  const bytes = await readAll(search, chunk);
  if (bytes === null) return;
  const found = search.patches.length;
  if (text === null) await searchExif(search, { start: chunk.start + nameBytes, end: chunk.end });
  else if (text.isXmp && !text.isCompressed) await searchXmp(search, { start: text.start, end: chunk.end });
  else await searchText(search, { ...text, chunk, bytes, texts });
  if (search.patches.length === found) return;
  const checksum = new Uint8Array(checksumBytes);
  viewOf(checksum).setUint32(0, crc32(withPatches(bytes, chunk.start, search.patches)));
  overwrite(search, chunk.end, checksum);
}

/** A named text. */
interface Text {
  keyword: string;
  isXmp: boolean;
  isCompressed: boolean;
  /** Its file offset, compressed or not. */
  start: number;
}

/** A keyword has at most 79 characters; in `iTXt`, two bytes, a language and the translated keyword follow. */
const headBytes = 1_024;

const xmpKeyword = "XML:com.adobe.xmp";

/** Null: corrupt, or its names are longer than any program writes. */
async function textIn({ reader }: Search, { name, start, end }: Chunk): Promise<Text | null> {
  const from = start + nameBytes;
  const head = await reader.read(from, Math.min(end - from, headBytes));
  const keywordEnd = head.indexOf(0);
  if (keywordEnd === -1) return null;
  const keyword = textAt(head, 0, keywordEnd);
  if (name !== "iTXt") {
    const isCompressed = name === "zTXt";
    return { keyword, isXmp: false, isCompressed, start: from + keywordEnd + (isCompressed ? 2 : 1) };
  }
  const languageEnd = head.indexOf(0, keywordEnd + 3);
  const translatedEnd = languageEnd === -1 ? -1 : head.indexOf(0, languageEnd + 1);
  if (translatedEnd === -1) return null;
  const isCompressed = head[keywordEnd + 1] !== 0;
  return { keyword, isXmp: keyword === xmpKeyword, isCompressed, start: from + translatedEnd + 1 };
}

/** ImageMagick's keyword for EXIF, XMP and similar data, as hexadecimal digits. */
const rawProfile = /^Raw profile type (exif|app1|xmp|iptc|8bim)$/i;

/** Keywords of single values, as ImageMagick writes them: `exif:GPSLatitude`, `photoshop:City`. */
const locationKeyword = /gps|location|:(city|state|country)/i;

function isAboutLocation(keyword: string): boolean {
  return keyword === xmpKeyword || rawProfile.test(keyword) || locationKeyword.test(keyword);
}

interface OpenText extends Text {
  chunk: Chunk;
  /** The bytes of the chunk. */
  bytes: Uint8Array;
  /** How many more compressed texts may be decompressed. */
  texts: { left: number };
}

/** A compressed or hexadecimal text can only be overwritten as a whole: it becomes an empty comment. */
async function searchText(search: Search, text: OpenText): Promise<void> {
  const { chunk, bytes, isCompressed } = text;
  const raw = bytes.subarray(text.start - chunk.start);
  const opened = isCompressed ? inflated(raw, text.texts) : raw;
  if (opened === null) search.left.add("compressed_text");
  else if (await saysLocation(text.keyword, opened)) overwrite(search, chunk.start, emptyComment(bytes.length));
}

function inflated(raw: Uint8Array, texts: { left: number }): Uint8Array | null {
  if (texts.left === 0) return null;
  texts.left -= 1;
  try {
    return inflateSync(raw, { maxOutputLength: maxOpenedBytes });
  } catch {
    return null; // Corrupt, or too large.
  }
}

async function saysLocation(keyword: string, text: Uint8Array): Promise<boolean> {
  if (locationKeyword.test(keyword)) return true;
  const profile = keyword === xmpKeyword ? text : fromHex(text);
  const inner = searchOf(bytesReader(profile));
  const all = { start: 0, end: profile.length };
  await searchExif(inner, all);
  await searchXmp(inner, all);
  await searchImageResources(inner, all);
  await searchIptc(inner, all);
  return inner.patches.length > 0;
}

/** Decodes the digits, which follow a line with the name and a line with the length. */
function fromHex(text: Uint8Array): Uint8Array {
  const [, digits = ""] = /^\s*\w+\s+\d+\s+([\da-f\s]*)/i.exec(Buffer.from(text).toString("latin1")) ?? [];
  return Buffer.from(digits.replaceAll(/\s+/g, ""), "hex");
}

function emptyComment(length: number): Uint8Array {
  return Buffer.from("tEXtComment\0".padEnd(length).slice(0, length), "latin1");
}
