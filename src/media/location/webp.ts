import { textAt, viewOf } from "../probe/reader.ts";
import { searchExif } from "./exif.ts";
import type { Search } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** Maximum number of chunks; an animation has one for each frame, and many are megabytes. */
const maxChunks = 32;

/** Flags in the first chunk: the file has EXIF, or XMP (RFC 9649, section 2.7.1). */
const metadataFlags = 0x08 | 0x04;

/** WebP: EXIF and XMP have a chunk each, usually after the pixels (RFC 9649, section 2.7.1.5). */
export async function searchWebp(search: Search): Promise<void> {
  const header = await search.reader.read(0, 21);
  if (header.length < 21) return;
  const end = 8 + viewOf(header).getUint32(4, true);
  const hasMetadata = textAt(header, 12, 4) === "VP8X" && ((header[20] ?? 0) & metadataFlags) !== 0;
  let offset = 12;
  for (let count = 0; count < maxChunks && offset + 8 <= end; count++) {
    const chunk = await search.reader.read(offset, 8);
    if (chunk.length < 8) return;
    const length = viewOf(chunk).getUint32(4, true);
    const content = { start: offset + 8, end: offset + 8 + length };
    const name = textAt(chunk, 0, 4);
    if (name === "EXIF") await searchExif(search, content);
    if (name === "XMP ") await searchXmp(search, content);
    offset = content.end + (length % 2);
  }
  if (offset + 8 <= end && hasMetadata) search.left.add("out_of_reach");
}
