import { orientationIn } from "../exif/orientation.ts";
import type { Stretch } from "./boxes.ts";
import type { MediaFacts } from "./facts.ts";
import { image, type Size, sizeOf, turned, unknownSize } from "./image.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

/** Maximum number of segments; a real file has a few dozen. */
const maxSegments = 512;

const exifMark = "Exif\0\0";

interface Segment {
  marker: number;
  /** Offset of its content. */
  start: number;
  /** Length of its content, without the two bytes of the length itself. */
  length: number;
}

/** JPEG: reads markers up to the scan; EXIF may rotate the image (ITU-T T.81, annex B). */
export async function probeJpeg(head: MediaReader): Promise<MediaFacts> {
  let size: Size | null = null;
  let orientation: number | null = null;
  let hasProfile = false;
  for await (const { marker, start, length } of segmentsOf(head)) {
    if (isFrameHeader(marker)) size ??= await frameSize(head, start);
    if (marker === 0xe1) orientation ??= await orientationAt(head, { start, end: start + length });
    if (marker === 0xe2) hasProfile ||= textAt(await head.read(start, 12), 0, 12) === "ICC_PROFILE\0";
  }
  if (size === null) return image("image/jpeg", unknownSize, { orientation });
  const details = { orientation, has_alpha: false, has_color_profile: hasProfile };
  return image("image/jpeg", turned(size, orientation ?? 1), details);
}

async function frameSize(head: MediaReader, start: number): Promise<Size> {
  const frame = await head.read(start, 5);
  return frame.length < 5 ? unknownSize : sizeOf(viewOf(frame).getUint16(3), viewOf(frame).getUint16(1));
}

/** Null: the segment is not EXIF. */
async function orientationAt(head: MediaReader, segment: Stretch): Promise<number | null> {
  const begins = await head.read(segment.start, exifMark.length);
  return textAt(begins, 0, exifMark.length) === exifMark ? orientationIn(head, segment) : null;
}

/** The segments up to the scan, the end, or corrupt data. */
async function* segmentsOf(head: MediaReader): AsyncGenerator<Segment> {
  let offset = 2;
  for (let count = 0; count < maxSegments; count++) {
    const header = await head.read(offset, 4);
    const marker = header[1] ?? 0;
    if (header.length < 4 || header[0] !== 0xff) return;
    if (marker === 0xff) {
      offset += 1; // Fill byte.
      continue;
    }
    if (marker === 0xda || marker === 0xd9) return;
    const length = viewOf(header).getUint16(2) - 2;
    if (length < 0) return;
    yield { marker, start: offset + 4, length };
    offset += 4 + length;
  }
}

/** SOF0 to SOF15, without DHT, JPG and DAC between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
