import { crc32 } from "node:zlib";
import type { Stretch } from "../probe/boxes.ts";
import { ids, readElement, unsigned } from "../probe/ebml.ts";
import { textAt, viewOf } from "../probe/reader.ts";
import { withPatches } from "./patched.ts";
import { isLocationName, overwrite, readAll, type Search } from "./search.ts";

/** Elements that lead to the tags, and elements inside the tags: RFC 9559, sections 5.1.1 and 5.1.8. */
const tagIds = { seekHead: 0x114d9b74, seek: 0x4dbb, seekId: 0x53ab, seekPosition: 0x53ac } as const;
const tags = { tags: 0x1254c367, tag: 0x7373, simpleTag: 0x67c8, tagName: 0x45a3, checksum: 0xbf } as const;

/** Maximum number of elements before the first cluster; a real file has a dozen. */
const maxElements = 64;

/** Maximum size of the tags, and of the list with their offsets; covers are stored elsewhere. */
const maxTagBytes = 64 * 1024;

/** Maximum number of elements inside all tags. */
const maxNested = 1_000;

/** WebM and Matroska: named tags, before the first cluster or where the file's seek list points. */
export async function searchMatroska(search: Search): Promise<void> {
  const { reader } = search;
  const header = readElement(await reader.read(0, 12));
  if (header?.sizeBytes == null) return;
  const at = header.headerBytes + header.sizeBytes;
  const segment = readElement(await reader.read(at, 12));
  if (segment?.id !== ids.segment) return;
  const start = at + segment.headerBytes;
  const places = new Set<number>();
  let offset = start;
  for (let count = 0; count < maxElements; count++) {
    const element = readElement(await reader.read(offset, 12));
    if (element?.sizeBytes == null || element.id === ids.cluster) break;
    const content = { start: offset + element.headerBytes, end: offset + element.headerBytes + element.sizeBytes };
    if (element.id === tags.tags) places.add(offset);
    if (element.id === tagIds.seekHead) for (const place of await tagsIn(search, content)) places.add(start + place);
    offset = content.end;
  }
  for (const place of places) await searchTags(search, place);
}

/** Offsets of tags from the beginning of the segment. */
async function tagsIn(search: Search, { start, end }: Stretch): Promise<number[]> {
  const bytes = await readAll(search, { start, end: Math.min(end, start + maxTagBytes) });
  if (bytes === null) return [];
  return elementsIn(bytes, 0, bytes.length).flatMap((seek) => {
    if (seek.id !== tagIds.seek) return [];
    const inside = elementsIn(bytes, seek.start, seek.end);
    const numberIn = (id: number): number | null => {
      const found = inside.find((element) => element.id === id);
      return found === undefined ? null : unsigned(bytes.subarray(found.start, found.end));
    };
    const position = numberIn(tagIds.seekPosition);
    return numberIn(tagIds.seekId) === tags.tags && position !== null ? [position] : [];
  });
}

async function searchTags(search: Search, offset: number): Promise<void> {
  const header = readElement(await search.reader.read(offset, 12));
  if (header?.id !== tags.tags || header.sizeBytes === null) return;
  if (header.sizeBytes > maxTagBytes) return void search.left.add("out_of_reach");
  const start = offset + header.headerBytes;
  const bytes = await readAll(search, { start, end: start + header.sizeBytes });
  if (bytes === null) return;
  const found = search.patches.length;
  const nested = { left: maxNested };
  for (const tag of elementsIn(bytes, 0, bytes.length)) {
    if (tag.id === tags.tag) searchTag(search, { bytes, start, nested }, tag);
  }
  // The first element is a checksum of the rest.
  const [first] = elementsIn(bytes, 0, Math.min(6, bytes.length));
  if (search.patches.length === found || first?.id !== tags.checksum) return;
  const checksum = new Uint8Array(4);
  const checked = withPatches(bytes, start, search.patches).subarray(first.end);
  viewOf(checksum).setUint32(0, crc32(checked), true);
  overwrite(search, start + first.start, checksum);
}

/** The tags' content, and its offset in the file. */
interface Tags {
  bytes: Uint8Array;
  start: number;
  nested: { left: number };
}

function searchTag(search: Search, { bytes, start, nested }: Tags, parent: Placed): void {
  for (const element of elementsIn(bytes, parent.start, parent.end)) {
    if (element.id !== tags.simpleTag || nested.left === 0) continue;
    nested.left -= 1;
    const name = elementsIn(bytes, element.start, element.end).find(({ id }) => id === tags.tagName);
    if (name !== undefined && isLocationName(textAt(bytes, name.start, Math.min(name.end - name.start, 256)))) {
      overwrite(search, start + element.at, voidElement(element));
    } else searchTag(search, { bytes, start, nested }, element);
  }
}

/** An element and its position in the bytes. */
interface Placed extends Stretch {
  id: number;
  at: number;
}

function elementsIn(bytes: Uint8Array, from: number, to: number): Placed[] {
  const elements: Placed[] = [];
  let at = from;
  while (at < to) {
    const element = readElement(bytes.subarray(at, Math.min(to, at + 12)));
    if (element?.sizeBytes == null) break;
    const start = at + element.headerBytes;
    const end = start + element.sizeBytes;
    if (end > to) break;
    elements.push({ id: element.id, at, start, end });
    at = end;
  }
  return elements;
}

/** An empty element of the same length; readers skip it (RFC 8794, section 11.3.2). */
function voidElement({ at, start, end }: Placed): Uint8Array {
  const bytes = new Uint8Array(end - at);
  const lengthBytes = start - at - 1;
  bytes[0] = 0xec;
  for (let index = 0, left = end - start; index < lengthBytes; index++, left = Math.floor(left / 256)) {
    bytes[lengthBytes - index] = left % 256;
  }
  bytes[1] = (bytes[1] ?? 0) | (0x100 >> lengthBytes);
  return bytes;
}
