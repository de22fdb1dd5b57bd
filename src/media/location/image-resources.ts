import type { Stretch } from "../probe/boxes.ts";
import { textAt } from "../probe/reader.ts";
import { searchExif } from "./exif.ts";
import { overwrite, readAll, type Search, uintAt } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** Image resources that may contain a location: Adobe Photoshop File Formats Specification, "Image Resource IDs". */
const resources = { iptc: 0x0404, exif: 0x0422, xmp: 0x0424 } as const;

/** Maximum number of resources; no program writes more. */
const maxResources = 256;

/** Searches image resources, as JPEG has them in APP13. */
export async function searchImageResources(search: Search, { start, end }: Stretch): Promise<void> {
  let offset = start;
  for (let count = 0; count < maxResources && offset + 12 <= end; count++) {
    // A name of up to 255 characters precedes the length.
    const header = await readAll(search, { start: offset, end: Math.min(end, offset + 12 + 256) });
    if (header === null || textAt(header, 0, 4) !== "8BIM") return;
    const nameBytes = evenUp(1 + (header[6] ?? 0));
    const length = uintAt(header, 6 + nameBytes, 4);
    if (length === null) return;
    const content = { start: offset + 10 + nameBytes, end: offset + 10 + nameBytes + length };
    await searchResource(search, uintAt(header, 4, 2), { ...content, end: Math.min(content.end, end) });
    if (content.end > end && uintAt(header, 4, 2) === resources.iptc) search.left.add("out_of_reach");
    offset = content.start + evenUp(length);
  }
}

async function searchResource(search: Search, id: number | null, content: Stretch): Promise<void> {
  if (id === resources.iptc) await searchIptc(search, content);
  if (id === resources.exif) await searchExif(search, content);
  if (id === resources.xmp) await searchXmp(search, content);
}

function evenUp(length: number): number {
  return length + (length % 2);
}

/** Record 2, "content location" to "country": IPTC-IIM 4.2, chapter 6. */
const locationSets = [26, 27, 90, 92, 95, 100, 101];

/** An unassigned number; readers skip data sets with unknown numbers. */
const unknownSet = 254;

const space = 0x20;

/** Tag mark, record, number, length, value: IPTC-IIM 4.2, section 3. */
export async function searchIptc(search: Search, content: Stretch): Promise<void> {
  const bytes = await readAll(search, content);
  if (bytes === null) return;
  for (let at = 0; bytes[at] === 0x1c; ) {
    const length = uintAt(bytes, at + 3, 2);
    // The highest bit marks an extended length, which no text has.
    if (length === null || length >= 0x8000) return;
    if (bytes[at + 1] === 2 && locationSets.includes(bytes[at + 2] ?? 0)) {
      const value = new Uint8Array(Math.min(length, bytes.length - at - 5)).fill(space);
      overwrite(search, content.start + at + 2, Uint8Array.of(unknownSet));
      overwrite(search, content.start + at + 5, value);
    }
    at += 5 + length;
  }
}
