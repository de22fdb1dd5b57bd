import { orientationIn } from "../exif/orientation.ts";
import type { Stretch } from "./boxes.ts";
import type { MediaFacts } from "./facts.ts";
import { image, type Size, sizeOf, turned, unknownSize } from "./image.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

/** Maximum number of chunks whose headers are read. */
const maxChunks = 1_000;

/** Flags of the extended format: RFC 9649, section 2.7.1. */
const flags = { animation: 0x02, exif: 0x08, alpha: 0x10, profile: 0x20 } as const;

/**
 * WebP: lossy, lossless or extended, each with the size in its own place. EXIF follows the pixels, at the end of the
 * file; decoders read it if a flag is set.
 *
 * @param head the first bytes, in which frames are counted
 */
export async function probeWebp(reader: MediaReader, head: MediaReader): Promise<MediaFacts | null> {
  const chunk = await head.read(12, 18);
  const kind = textAt(chunk, 0, 4);
  if (!["VP8 ", "VP8L", "VP8X"].includes(kind)) return null;
  if (chunk.length < 18) return image("image/webp", unknownSize);
  if (kind !== "VP8X") {
    const has_alpha = kind === "VP8L" && ((chunk[12] ?? 0) & 0x10) !== 0;
    const still = { is_animated: false, frames: 1, has_alpha, has_color_profile: false };
    return image("image/webp", simpleSize(kind, viewOf(chunk)), still);
  }
  const given = chunk[8] ?? 0;
  const isAnimated = (given & flags.animation) !== 0;
  // A still image has a few chunks. An animation may have thousands, and is never converted.
  const source = isAnimated ? head : reader;
  const hasExif = (given & flags.exif) !== 0;
  const walked = isAnimated || hasExif ? await walkChunks(source) : { frames: null, exif: null };
  const orientation = hasExif && walked.exif !== null ? await orientationIn(source, walked.exif) : null;
  const size = sizeOf(uint24(viewOf(chunk), 12) + 1, uint24(viewOf(chunk), 15) + 1);
  return image("image/webp", turned(size, orientation ?? 1), {
    is_animated: isAnimated,
    frames: isAnimated ? walked.frames : 1,
    orientation,
    has_alpha: (given & flags.alpha) !== 0,
    has_color_profile: (given & flags.profile) !== 0,
  });
}

/** The result of reading the chunk headers. */
interface Walked {
  /** Null: the last frames are out of reach. */
  frames: number | null;
  exif: Stretch | null;
}

async function walkChunks(reader: MediaReader): Promise<Walked> {
  let frames = 0;
  let exif: Stretch | null = null;
  let offset = 12;
  for (let count = 0; count < maxChunks; count++) {
    if (reader.sizeBytes !== null && offset >= reader.sizeBytes) return { frames, exif };
    const header = await reader.read(offset, 8);
    if (header.length < 8) break;
    const name = textAt(header, 0, 4);
    const length = viewOf(header).getUint32(4, true);
    if (name === "ANMF") frames += 1;
    if (name === "EXIF") exif ??= { start: offset + 8, end: offset + 8 + length };
    offset += 8 + length + (length % 2);
  }
  return { frames: null, exif };
}

function simpleSize(kind: string, view: DataView): Size {
  if (kind === "VP8L") {
    if (view.getUint8(8) !== 0x2f) return unknownSize;
    const bits = view.getUint32(9, true);
    return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  const isKeyFrame = view.getUint8(11) === 0x9d && view.getUint8(12) === 0x01 && view.getUint8(13) === 0x2a;
  if (!isKeyFrame) return unknownSize;
  return sizeOf(view.getUint16(14, true) & 0x3fff, view.getUint16(16, true) & 0x3fff);
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x10000;
}
