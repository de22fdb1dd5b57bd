import type { MediaFacts } from "./facts.ts";
import { image, sizeOf, unknownSize } from "./image.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

/** Before the pixels; a real file has a dozen. */
const maxChunks = 512;

/** Colour types with an alpha channel: PNG specification, third edition, section 11.2.1. */
const alphaColorTypes = [4, 6];

/** PNG: the first chunk has the size; what else is asked for stands before the first `IDAT`. */
export async function probePng(head: MediaReader): Promise<MediaFacts | null> {
  const start = await head.read(8, 18);
  if (textAt(start, 4, 4) !== "IHDR") return null;
  const size = start.length < 16 ? unknownSize : sizeOf(viewOf(start).getUint32(8), viewOf(start).getUint32(12));
  const colorType = start[17];
  const { chunks, isWhole } = await readChunks(head);
  const frames = chunks.get("acTL");
  const has = (name: string): boolean | null => (chunks.has(name) ? true : isWhole ? false : null);
  return image("image/png", size, {
    is_animated: frames === undefined ? has("acTL") : frames > 1,
    frames: frames ?? (has("acTL") === false ? 1 : null),
    has_alpha: colorType !== undefined && alphaColorTypes.includes(colorType) ? true : has("tRNS"),
    has_color_profile: has("iCCP"),
  });
}

/** The names of the chunks before the pixels, each with the first number in it where that counts frames. */
async function readChunks(head: MediaReader): Promise<{ chunks: Map<string, number | undefined>; isWhole: boolean }> {
  const chunks = new Map<string, number | undefined>();
  let offset = 8;
  for (let count = 0; count < maxChunks; count++) {
    const chunk = await head.read(offset, 12);
    const name = textAt(chunk, 4, 4);
    if (chunk.length < 12) return { chunks, isWhole: false };
    if (name === "IDAT" || name === "IEND") return { chunks, isWhole: true };
    chunks.set(name, name === "acTL" ? viewOf(chunk).getUint32(8) : undefined);
    offset += 12 + viewOf(chunk).getUint32(0);
  }
  return { chunks, isWhole: false };
}

/** After so many chunks only the end of the file is looked at: some encoders make one of every 8 KB. */
const maxPixelChunks = 64;

const lastChunk = "IEND\xaeB`\x82";

/** Where the last chunk ends: infinite where the file stops before it, null where nobody can tell. */
export async function endOfPng(reader: MediaReader, sizeBytes: number, tail: string): Promise<number | null> {
  const at = tail.lastIndexOf(lastChunk);
  if (at !== -1) return sizeBytes - tail.length + at + lastChunk.length;
  if (lastPixelsEnd(tail, sizeBytes) > sizeBytes) return Number.POSITIVE_INFINITY;
  return findEnd(reader, sizeBytes);
}

/** Where the last `IDAT` in the file's tail ends, 0 where there is none. */
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
