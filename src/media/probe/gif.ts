import type { MediaFacts } from "./facts.ts";
import { image, sizeOf, unknownSize } from "./image.ts";
import { type MediaReader, viewOf } from "./reader.ts";

/** Enough for most files; for the others, all that may be read. */
const firstReadBytes = 16 * 1024;
export const maxGifBytes = 80 * 1024;

/** The result of reading the blocks of a GIF (GIF89a specification, appendix A). */
export interface GifWalk {
  frames: number;
  hasTransparency: boolean;
  /** `end`: at the trailer, which is at `offset` · `cut`: the bytes ended · `broken`: there is no block at `offset`. */
  stopped: "end" | "cut" | "broken";
  offset: number;
}

export async function probeGif(head: MediaReader): Promise<MediaFacts> {
  const bytes = await readGif(head);
  if (bytes.length < 10) return { ...image("image/gif", unknownSize), type: "gif" };
  const size = sizeOf(viewOf(bytes).getUint16(6, true), viewOf(bytes).getUint16(8, true));
  const { frames, hasTransparency, stopped } = walkGif(bytes);
  const isWhole = stopped === "end";
  const details = {
    is_animated: frames > 1 ? true : isWhole ? false : null,
    frames: isWhole && frames > 0 ? frames : null,
    has_alpha: hasTransparency ? true : isWhole ? false : null,
  };
  return { ...image("image/gif", size, details), type: "gif" };
}

/** The first bytes, up to the end of the GIF or the limit. */
export async function readGif(head: MediaReader): Promise<Uint8Array> {
  const first = await head.read(0, firstReadBytes);
  if (first.length < firstReadBytes || walkGif(first).stopped !== "cut") return first;
  const rest = await head.read(first.length, maxGifBytes - first.length);
  const all = new Uint8Array(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return all;
}

export function walkGif(bytes: Uint8Array): GifWalk {
  let frames = 0;
  let hasTransparency = false;
  const result = (stopped: GifWalk["stopped"], at: number): GifWalk => ({
    frames,
    hasTransparency,
    stopped,
    offset: at,
  });
  let offset = 13 + colorTableBytes(bytes[10]);
  while (offset < bytes.length) {
    const introducer = bytes[offset];
    if (introducer === 0x3b) return result("end", offset);
    if (introducer === 0x21) {
      // In a graphic control extension, the flags follow the length.
      if (bytes[offset + 1] === 0xf9) hasTransparency ||= ((bytes[offset + 3] ?? 0) & 1) === 1;
      offset = skipSubBlocks(bytes, offset + 2);
    } else if (introducer === 0x2c) {
      frames += 1;
      // The descriptor, its colours, and one byte for the code size.
      offset = skipSubBlocks(bytes, offset + 11 + colorTableBytes(bytes[offset + 9]));
    } else if (introducer === 0) {
      offset += 1; // One extra empty block, which all readers skip.
    } else {
      return result("broken", offset);
    }
  }
  return result("cut", bytes.length);
}

function colorTableBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** The offset after the empty block that ends a series; Infinity: there is none. */
function skipSubBlocks(bytes: Uint8Array, from: number): number {
  let offset = from;
  for (;;) {
    const length = bytes[offset];
    if (length === undefined) return Number.POSITIVE_INFINITY;
    offset += 1 + length;
    if (length === 0) return offset;
  }
}
