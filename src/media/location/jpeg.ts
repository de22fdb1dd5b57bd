import type { Stretch } from "../probe/boxes.ts";
import { textAt, viewOf } from "../probe/reader.ts";
import { searchExif } from "./exif.ts";
import { searchHiddenVideo } from "./hidden-video.ts";
import { searchImageResources } from "./image-resources.ts";
import { placesOfMorePictures } from "./more-pictures.ts";
import { type Search, uintAt } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** In front of the pixels: a portrait may keep a second picture of megabytes there. */
const headBytes = 256 * 1024;
const maxSegments = 512;

const marks = {
  exif: "Exif\0\0",
  xmp: "http://ns.adobe.com/xap/1.0/\0",
  moreXmp: "http://ns.adobe.com/xmp/extension/\0",
  pictures: "MPF\0",
  resources: "Photoshop 3.0\0",
} as const;

/** In front of a piece of extended XMP: the mark, what it belongs to, the length of all pieces, its place among them. */
const moreXmpBytes = marks.moreXmp.length + 32 + 4 + 4;

/** A piece of extended XMP: XMP specification, part 3, section 1.1.3.1. */
interface XmpPiece extends Stretch {
  offset: number;
}

/** JPEG: EXIF and XMP in APP1, image resources in APP13, and the pictures and the video that phones put behind a picture. */
export async function searchJpeg(search: Search): Promise<void> {
  const { packet, more } = await searchPicture(search, 0);
  for (const place of more) {
    const start = await search.reader.read(place, 2);
    if (textAt(start, 0, 2) === "\xff\xd8") await searchPicture(search, place);
  }
  await searchHiddenVideo(search, packet);
}

/** @returns its XMP, and where the pictures begin that it says are behind it */
async function searchPicture(search: Search, at: number): Promise<{ packet: string; more: number[] }> {
  const pieces: XmpPiece[] = [];
  const more: number[] = [];
  let packet = "";
  for await (const { marker, ...segment } of segmentsOf(search, at)) {
    if (![0xe1, 0xe2, 0xed].includes(marker)) continue;
    const head = await search.reader.read(segment.start, Math.min(segment.end - segment.start, moreXmpBytes));
    const begins = (mark: string): boolean => textAt(head, 0, mark.length) === mark;
    const behind = (length: number): Stretch => ({ start: segment.start + length, end: segment.end });
    if (begins(marks.exif)) await searchExif(search, segment);
    if (begins(marks.xmp)) packet += (await searchXmp(search, behind(marks.xmp.length))) ?? "";
    if (begins(marks.moreXmp)) pieces.push({ ...behind(moreXmpBytes), offset: uintAt(head, moreXmpBytes - 4, 4) ?? 0 });
    if (begins(marks.pictures)) more.push(...(await placesOfMorePictures(search, behind(marks.pictures.length))));
    if (begins(marks.resources)) await searchImageResources(search, behind(marks.resources.length));
  }
  // A property may begin in one of them and end in the next.
  if (pieces.length > 0) await searchXmp(search, ...pieces.toSorted((one, other) => one.offset - other.offset));
  return { packet, more };
}

/** Up to the scan, the end, or what is broken. */
async function* segmentsOf({ reader, left }: Search, at: number): AsyncGenerator<Stretch & { marker: number }> {
  let offset = at + 2;
  for (let count = 0; count < maxSegments && offset < at + headBytes; count++) {
    const header = await reader.read(offset, 4);
    const marker = header[1] ?? 0;
    if (header.length < 4 || header[0] !== 0xff || marker === 0xda || marker === 0xd9) return;
    if (marker === 0xff) {
      offset += 1; // fill byte
      continue;
    }
    const end = offset + 2 + viewOf(header).getUint16(2);
    if (end < offset + 4) return;
    yield { marker, start: offset + 4, end };
    offset = end;
  }
  left.add("out_of_reach");
}
