import { contentsAt, readBox } from "./boxes.ts";
import { colrTransfer, transferOf } from "./color.ts";
import type { MediaFacts } from "./facts.ts";
import { type Property, primaryProperties } from "./heif-items.ts";
import { image, sizeOf, turned } from "./image.ts";
import { boundedReader, type MediaReader, textAt, viewOf } from "./reader.ts";

/** Images have their `meta` box, a few kilobytes, after `ftyp`. */
const headBytes = 96 * 1024;

/** EXIF orientations by clockwise quarter turns; `mirrored`: of an image that was first mirrored left to right. */
const orientations = { straight: [1, 6, 3, 8], mirrored: [2, 7, 4, 5] } as const;

/** Identifies an image that is another's alpha channel: ISO/IEC 23008-12, section 6.5.8; MPEG's older and newer name. */
const alphaNames = /^urn:mpeg:(mpegB:cicp:systems:auxiliary:alpha|hevc:2015:auxid:1)\0?$/;

/**
 * AVIF and HEIC: the size is in an `ispe` property, a rotation in `irot`, a mirror in `imir` (ISO/IEC 23008-12,
 * section 6.5). The orientation in EXIF has no meaning here: decoders ignore it.
 */
export async function probeHeif(
  reader: MediaReader,
  ftypEnd: number,
  { mimeType, isAnimated }: { mimeType: string; isAnimated: boolean },
): Promise<MediaFacts> {
  const head = boundedReader(reader, headBytes);
  const box = readBox(await head.read(ftypEnd, 16), ftypEnd);
  // `meta` begins with version and flags.
  const meta =
    box?.type === "meta" ? await head.read(box.start + 4, Math.min(box.end, headBytes) - box.start - 4) : null;
  if (meta === null) return image(mimeType, sizeOf(0, 0), { is_animated: isAnimated });
  const properties = primaryProperties(meta);
  const { width, height } = croppedSize(properties, largestSize(properties));
  const orientation = orientationOf(properties);
  return image(mimeType, turned(sizeOf(width, height), orientation), {
    is_animated: isAnimated,
    orientation,
    has_alpha: contentsAt(meta, "iprp", "ipco", "auxC").some((name) => alphaNames.test(textAt(name, 4, 64))),
    color_transfer: transferOf(
      contentsOf(properties, "colr")
        .map(colrTransfer)
        .find((code) => code !== null) ?? null,
    ),
    has_color_profile: contentsOf(properties, "colr").some((color) => /^(prof|rICC)$/.test(textAt(color, 0, 4))),
  });
}

/** Applies rotations, which are counterclockwise, and mirrors in their order. */
function orientationOf(properties: readonly Property[]): number {
  let turns = 0;
  let isMirrored = false;
  for (const { type, content } of properties) {
    const value = content[0] ?? 0;
    if (type === "irot") turns -= value & 3;
    if (type !== "imir") continue;
    isMirrored = !isMirrored;
    // Axis 1 swaps left and right, axis 0 top and bottom.
    turns = ((value & 1) === 1 ? 0 : 2) - turns;
  }
  return orientations[isMirrored ? "mirrored" : "straight"][turns & 3] ?? 1;
}

function contentsOf(properties: readonly Property[], type: string): Uint8Array[] {
  return properties.filter((property) => property.type === type).map(({ content }) => content);
}

interface Pixels {
  width: number;
  height: number;
}

/** Encoders code whole blocks; `clap` states the visible part (ISO/IEC 14496-12, section 12.1.4). */
function croppedSize(properties: readonly Property[], coded: Pixels): Pixels {
  const [crop] = contentsOf(properties, "clap");
  if (crop === undefined || crop.length < 16) return coded;
  const view = viewOf(crop);
  const width = Math.floor(view.getUint32(0) / view.getUint32(4));
  const height = Math.floor(view.getUint32(8) / view.getUint32(12));
  const isWithin = width > 0 && height > 0 && width <= coded.width && height <= coded.height;
  return isWithin ? { width, height } : coded;
}

/** The largest size, which is the whole image's if it cannot be told from thumbnails and tiles. */
function largestSize(properties: readonly Property[]): Pixels {
  return contentsOf(properties, "ispe")
    .filter((content) => content.length >= 12)
    .map((content) => ({ width: viewOf(content).getUint32(4), height: viewOf(content).getUint32(8) }))
    .reduce((largest, size) => (size.width * size.height > largest.width * largest.height ? size : largest), {
      width: 0,
      height: 0,
    });
}
