import { boxesIn, contentsAt } from "./boxes.ts";
import { viewOf } from "./reader.ts";

/** A property of an image, such as its size. */
export interface Property {
  type: string;
  content: Uint8Array;
}

/** Maximum number of associations of images and properties; a real file has hundreds, for its tiles. */
const maxAssociations = 4_096;

/**
 * The properties of the primary item, without those of its tiles and thumbnails (ISO/IEC 14496-12, sections 8.11.4
 * and 8.11.14). All properties if the file does not assign them.
 *
 * @param meta the content of the `meta` box after version and flags
 */
export function primaryProperties(meta: Uint8Array): Property[] {
  const all = contentsAt(meta, "iprp", "ipco").flatMap((content): Property[] => boxesIn(content));
  const primary = readPrimaryId(contentsAt(meta, "pitm")[0]);
  const places = contentsAt(meta, "iprp", "ipma").flatMap((content) => placesOf(content, primary));
  // Counted from 1; 0 means none.
  const own = places.flatMap((place) => all[place - 1] ?? []);
  return own.length > 0 ? own : all;
}

function readPrimaryId(content: Uint8Array | undefined): number | null {
  if (content === undefined || content.length < 6) return null;
  if (content[0] === 0) return viewOf(content).getUint16(4);
  return content.length < 8 ? null : viewOf(content).getUint32(4);
}

/** The numbers of an item's properties, from: version, flags, a count, then item by item. */
function placesOf(content: Uint8Array, item: number | null): number[] {
  if (item === null || content.length < 8) return [];
  const view = viewOf(content);
  const idBytes = content[0] === 0 ? 2 : 4;
  const placeBytes = (content[3] ?? 0) & 1 ? 2 : 1;
  let offset = 8;
  for (let left = Math.min(view.getUint32(4), maxAssociations); left > 0; left--) {
    if (offset + idBytes + 1 > content.length) return [];
    const id = idBytes === 2 ? view.getUint16(offset) : view.getUint32(offset);
    const count = content[offset + idBytes] ?? 0;
    offset += idBytes + 1;
    if (offset + count * placeBytes > content.length) return [];
    // The highest bit means that a reader must support the property.
    const place = (at: number): number => (placeBytes === 2 ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f);
    if (id === item) return Array.from({ length: count }, (_, index) => place(offset + index * placeBytes));
    offset += count * placeBytes;
  }
  return [];
}
