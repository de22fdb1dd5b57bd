import type { MediaFacts } from "./facts.ts";
import { image, sizeOf, turned, unknownSize } from "./image.ts";
import { orientationOfPng, type PngChunk } from "./png-exif.ts";
import { bytesReader, type MediaReader, textAt, viewOf } from "./reader.ts";

/** Maximum number of chunks before the pixels; a real file has a dozen. */
const maxChunks = 512;

/** Colour types with an alpha channel: PNG specification, third edition, section 11.2.1. */
const alphaColorTypes = [4, 6];

/** PNG: the first chunk has the size; the other facts are before the first `IDAT`. */
export async function probePng(head: MediaReader): Promise<MediaFacts | null> {
  const start = await head.read(8, 18);
  if (textAt(start, 4, 4) !== "IHDR") return null;
  const size = start.length < 16 ? unknownSize : sizeOf(viewOf(start).getUint32(8), viewOf(start).getUint32(12));
  const colorType = start[17];
  const { chunks, isWhole } = await readChunks(head);
  const has = (name: string): boolean | null =>
    chunks.some((chunk) => chunk.name === name) ? true : isWhole ? false : null;
  const frames = await framesOf(head, chunks);
  const orientation = await orientationOfPng(head, chunks);
  return image("image/png", turned(size, orientation ?? 1), {
    is_animated: frames === null ? has("acTL") : frames > 1,
    frames: frames ?? (has("acTL") === false ? 1 : null),
    orientation,
    has_alpha: colorType !== undefined && alphaColorTypes.includes(colorType) ? true : has("tRNS"),
    has_color_profile: has("iCCP"),
  });
}

/** The number of frames that an animation states; null: not an animation, or not stated. */
async function framesOf(head: MediaReader, chunks: readonly PngChunk[]): Promise<number | null> {
  const animation = chunks.find(({ name }) => name === "acTL");
  const count = animation === undefined ? new Uint8Array() : await head.read(animation.start, 4);
  return count.length < 4 ? null : viewOf(count).getUint32(0);
}

/** The chunks before the pixels. */
async function readChunks(head: MediaReader): Promise<{ chunks: PngChunk[]; isWhole: boolean }> {
  const chunks: PngChunk[] = [];
  let offset = 8;
  for (let count = 0; count < maxChunks; count++) {
    const header = await head.read(offset, 8);
    const name = textAt(header, 4, 4);
    if (header.length < 8) break;
    if (name === "IDAT" || name === "IEND") return { chunks, isWhole: true };
    const start = offset + 8;
    const end = start + viewOf(header).getUint32(0);
    chunks.push({ name, start, end });
    offset = end + 4;
  }
  return { chunks, isWhole: false };
}

/** Maximum number of names that are tried as the first chunk after the pixels, and of chunks after it. */
const maxTried = 64;

/** The same facts, with an orientation from after the pixels, where programs may also write it. */
export async function turnedAtEnd(facts: MediaFacts, tail: string): Promise<MediaFacts> {
  const bytes = Buffer.from(tail, "latin1");
  const orientation = await orientationOfPng(bytesReader(bytes), chunksAtEnd(bytes));
  return orientation === null ? facts : { ...facts, ...turned(facts, orientation), orientation };
}

/** The metadata chunks at the end of the file. */
function chunksAtEnd(tail: Buffer): PngChunk[] {
  let tried = 0;
  for (const { index } of tail.toString("latin1").matchAll(/eXIf|[zi]TXt|tEXt/g)) {
    const chunks = chunksUpToEnd(tail, index - 4);
    if (chunks !== null) return chunks;
    tried += 1;
    if (tried === maxTried) break;
  }
  return [];
}

/** Null: no chunk begins there. Pixels may contain a chunk's name by chance, but then do not lead to the last chunk. */
function chunksUpToEnd(bytes: Uint8Array, from: number): PngChunk[] | null {
  const chunks: PngChunk[] = [];
  let offset = from;
  while (offset >= 0 && offset + 8 <= bytes.length && chunks.length < maxTried) {
    const name = textAt(bytes, offset + 4, 4);
    if (name === "IEND") return chunks;
    const start = offset + 8;
    const end = start + viewOf(bytes).getUint32(offset);
    chunks.push({ name, start, end });
    offset = end + 4;
  }
  return null;
}

/** After this many chunks only the end of the file is checked: some encoders write a chunk for every 8 KB. */
const maxPixelChunks = 64;

const lastChunk = "IEND\xaeB`\x82";

/** The end of the last chunk. Infinity: the file ends before it; null: unknown. */
export async function endOfPng(reader: MediaReader, sizeBytes: number, tail: string): Promise<number | null> {
  const at = tail.lastIndexOf(lastChunk);
  if (at !== -1) return sizeBytes - tail.length + at + lastChunk.length;
  if (lastPixelsEnd(tail, sizeBytes) > sizeBytes) return Number.POSITIVE_INFINITY;
  return findEnd(reader, sizeBytes);
}

/** The end of the last `IDAT` in the file's tail; 0: none. */
function lastPixelsEnd(tail: string, sizeBytes: number): number {
  const at = tail.lastIndexOf("IDAT") - 4;
  if (at < 0) return 0;
  const length = viewOf(Uint8Array.from(tail.slice(at, at + 4), (character) => character.charCodeAt(0))).getUint32(0);
  return sizeBytes - tail.length + at + 12 + length;
}

async function findEnd(reader: MediaReader, sizeBytes: number): Promise<number | null> {
  let offset = 8;
  for (let count = 0; count < maxPixelChunks && offset + 8 <= sizeBytes; count++) {
    const chunk = await reader.read(offset, 8);
    const name = textAt(chunk, 4, 4);
    if (chunk.length < 8) return null;
    if (name === "IEND") return offset + 12;
    if (!/^[A-Za-z]{4}$/.test(name)) return Number.POSITIVE_INFINITY;
    offset += 12 + viewOf(chunk).getUint32(0);
  }
  return offset + 8 <= sizeBytes ? null : Number.POSITIVE_INFINITY;
}
