import { textAt, viewOf } from "./reader.ts";

const orientationTag = 0x0112;

/** A real directory has a few dozen. */
const maxEntries = 512;

/**
 * The orientation in a JPEG's EXIF segment, 1 to 8; from 5 on width and height
 * change places. 1 when EXIF does not say; null when the segment is no EXIF.
 */
export function orientationOf(segment: Uint8Array): number | null {
  if (textAt(segment, 0, 6) !== "Exif\0\0") return null;
  const tiff = viewOf(segment.subarray(6));
  if (tiff.byteLength < 8) return 1;
  const byteOrder = textAt(segment, 6, 2);
  if (byteOrder !== "II" && byteOrder !== "MM") return 1;
  const isLittleEndian = byteOrder === "II";
  const directory = tiff.getUint32(4, isLittleEndian);
  if (directory + 2 > tiff.byteLength) return 1;
  const count = Math.min(tiff.getUint16(directory, isLittleEndian), maxEntries);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + 12 * index;
    if (entry + 12 > tiff.byteLength) return 1;
    if (tiff.getUint16(entry, isLittleEndian) !== orientationTag) continue;
    const orientation = tiff.getUint16(entry + 8, isLittleEndian);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}
