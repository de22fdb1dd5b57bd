import type { LocationLeft } from "../../networks/contract/plan.ts";
import type { Stretch } from "../probe/boxes.ts";
import { type MediaReader, viewOf } from "../probe/reader.ts";

/** Bytes that replace the file's own from `offset` on. */
export interface Patch {
  offset: number;
  bytes: Uint8Array;
}

/** The input and the findings of a search for locations. */
export interface Search {
  reader: MediaReader;
  patches: Patch[];
  left: Set<LocationLeft>;
  /** How many more bytes may be blanked: a corrupt file may declare everything a location. */
  blankBytes: number;
}

/** Real files have a few hundred bytes of locations. */
const maxBlankBytes = 256 * 1024;

export function searchOf(reader: MediaReader): Search {
  return { reader, patches: [], left: new Set(), blankBytes: maxBlankBytes };
}

/** All bytes of a range; null: out of reach, which is recorded. */
export async function readAll({ reader, left }: Search, { start, end }: Stretch): Promise<Uint8Array | null> {
  const bytes = await reader.read(start, end - start);
  if (bytes.length === end - start) return bytes;
  left.add("out_of_reach");
  return null;
}

export function overwrite({ patches }: Search, offset: number, bytes: Uint8Array): void {
  patches.push({ offset, bytes });
}

/** Fills a range with one byte. */
export function blank(search: Search, { start, end }: Stretch, byte = 0): void {
  const length = end - start;
  if (length > search.blankBytes) return void search.left.add("out_of_reach");
  search.blankBytes -= length;
  overwrite(search, start, new Uint8Array(length).fill(byte));
}

const locationName = /location|gps|latitude|longitude|direction/i;

/** True: the name is of a location, as Apple, Android and ffmpeg write it: `com.apple.quicktime.location.ISO6709`. */
export function isLocationName(name: string): boolean {
  return locationName.test(name);
}

/** A big-endian number; null: the bytes end before it does. */
export function uintAt(bytes: Uint8Array, offset: number, length: 1 | 2 | 4 | 8): number | null {
  if (offset + length > bytes.length) return null;
  const view = viewOf(bytes);
  if (length === 8) return Number(view.getBigUint64(offset));
  return length === 4 ? view.getUint32(offset) : length === 2 ? view.getUint16(offset) : view.getUint8(offset);
}
