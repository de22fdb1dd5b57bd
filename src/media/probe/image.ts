import { orientationOf } from "./exif.ts";
import type { MediaFacts } from "./facts.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

/** A real file has a few dozen. */
const maxSegments = 512;

interface Size {
  width: number | null;
  height: number | null;
}

const unknownSize: Size = { width: null, height: null };

/** JPEG: markers up to the frame header; EXIF may turn the picture on its side. */
export async function probeJpeg(head: MediaReader): Promise<MediaFacts> {
  let isTurned = false;
  let offset = 2;
  for (let count = 0; count < maxSegments; count++) {
    const segment = await head.read(offset, 10);
    const marker = segment[1] ?? 0;
    if (segment.length < 4 || segment[0] !== 0xff) break;
    if (marker === 0xff) {
      offset += 1; // fill byte
      continue;
    }
    if (isFrameHeader(marker) && segment.length >= 9) {
      const view = viewOf(segment);
      const size = sizeOf(view.getUint16(7), view.getUint16(5));
      return image("image/jpeg", isTurned ? { width: size.height, height: size.width } : size);
    }
    // A scan or the end before any frame header: broken.
    if (marker === 0xda || marker === 0xd9) break;
    const length = viewOf(segment).getUint16(2);
    if (length < 2) break;
    if (marker === 0xe1) isTurned ||= orientationOf(await head.read(offset + 4, length - 2)) >= 5;
    offset += 2 + length;
  }
  return image("image/jpeg", unknownSize);
}

/** SOF0 to SOF15, without the Huffman table, the extension and the arithmetic table between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** PNG: the first chunk has the size; `acTL` before the first `IDAT` makes it an animation. */
export async function probePng(head: MediaReader): Promise<MediaFacts | null> {
  const start = await head.read(8, 16);
  if (textAt(start, 4, 4) !== "IHDR") return null;
  const size = start.length < 16 ? unknownSize : sizeOf(viewOf(start).getUint32(8), viewOf(start).getUint32(12));
  const frames = await countPngFrames(head);
  return { ...image("image/png", size), ...(frames === null ? {} : { frames }) };
}

async function countPngFrames(head: MediaReader): Promise<number | null> {
  let offset = 8;
  for (let count = 0; count < maxSegments; count++) {
    const chunk = await head.read(offset, 12);
    const name = textAt(chunk, 4, 4);
    if (chunk.length < 12 || name === "IDAT") return null;
    if (name === "acTL") return viewOf(chunk).getUint32(8);
    offset += 12 + viewOf(chunk).getUint32(0);
  }
  return null;
}

export async function probeGif(head: MediaReader): Promise<MediaFacts> {
  const start = await head.read(6, 4);
  if (start.length < 4) return { ...image("image/gif", unknownSize), type: "gif" };
  const size = sizeOf(viewOf(start).getUint16(0, true), viewOf(start).getUint16(2, true));
  return { ...image("image/gif", size), type: "gif" };
}

/** WebP: lossy, lossless or extended, each with the size in its own place. */
export async function probeWebp(head: MediaReader): Promise<MediaFacts | null> {
  const chunk = await head.read(12, 18);
  const kind = textAt(chunk, 0, 4);
  if (!["VP8 ", "VP8L", "VP8X"].includes(kind)) return null;
  return image("image/webp", chunk.length < 18 ? unknownSize : webpSize(kind, chunk));
}

function webpSize(kind: string, chunk: Uint8Array): Size {
  const view = viewOf(chunk);
  if (kind === "VP8X") return sizeOf(uint24(view, 12) + 1, uint24(view, 15) + 1);
  if (kind === "VP8L") {
    if (chunk[8] !== 0x2f) return unknownSize;
    const bits = view.getUint32(9, true);
    return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (textAt(chunk, 11, 3) !== "\x9d\x01\x2a") return unknownSize;
  return sizeOf(view.getUint16(14, true) & 0x3fff, view.getUint16(16, true) & 0x3fff);
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x10000;
}

/** Zero means at best that the size is given elsewhere. */
export function sizeOf(width: number, height: number): Size {
  return width > 0 && height > 0 ? { width, height } : unknownSize;
}

export function image(mimeType: string, size: Size): MediaFacts {
  return { type: "image", mime_type: mimeType, ...size, duration_seconds: null };
}
