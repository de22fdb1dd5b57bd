import { contentsAt, readBox } from "./boxes.ts";
import type { MediaFacts } from "./facts.ts";
import { image, sizeOf } from "./image.ts";
import { boundedReader, type MediaReader, viewOf } from "./reader.ts";

/** Pictures keep their `meta` box, a few kilobytes, behind `ftyp`. */
const headBytes = 256 * 1024;

/** AVIF and HEIC: the size stands in an `ispe` property, a rotation in `irot` (ISO/IEC 23008-12, section 6.5). */
export async function probeHeif(reader: MediaReader, ftypEnd: number, mimeType: string): Promise<MediaFacts> {
  const head = boundedReader(reader, headBytes);
  const box = readBox(await head.read(ftypEnd, 16), ftypEnd);
  // `meta` starts with version and flags.
  const meta =
    box?.type === "meta" ? await head.read(box.start + 4, Math.min(box.end, headBytes) - box.start - 4) : null;
  const properties = meta === null ? undefined : contentsAt(meta, "iprp", "ipco")[0];
  if (properties === undefined) return image(mimeType, sizeOf(0, 0));
  const { width, height } = largestSize(properties);
  const isTurned = contentsAt(properties, "irot").some((rotation) => (rotation[0] ?? 0) % 2 === 1);
  return image(mimeType, isTurned ? sizeOf(height, width) : sizeOf(width, height));
}

/** Thumbnails and the tiles of a grid have sizes of their own; the whole picture's is the largest. */
function largestSize(properties: Uint8Array): { width: number; height: number } {
  return contentsAt(properties, "ispe")
    .filter((content) => content.length >= 12)
    .map((content) => ({ width: viewOf(content).getUint32(4), height: viewOf(content).getUint32(8) }))
    .reduce((largest, size) => (size.width * size.height > largest.width * largest.height ? size : largest), {
      width: 0,
      height: 0,
    });
}
