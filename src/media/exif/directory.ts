import type { Stretch } from "../probe/boxes.ts";
import { type MediaReader, textAt, viewOf } from "../probe/reader.ts";

/** The kind of a directory: of the image itself, its thumbnail, the camera settings, the location, or interoperability. */
export type DirectoryName = "image" | "thumbnail" | "exif" | "gps" | "interoperability";

/** One field of a directory: a tag and its value. */
export interface Entry {
  /** The field's number: 0x0112 is the orientation. */
  tag: number;
  /** The type of its values: 3 is SHORT, 4 is LONG (TIFF 6.0, section 2). */
  type: number;
  /** The number of values. */
  count: number;
  /** Where its value is in the file. Null: its type is unknown, or it is not inside the EXIF data. */
  value: Stretch | null;
}

/** A list of fields. */
export interface Directory {
  name: DirectoryName;
  /** Byte order of all numbers in it and of its entries' values. */
  isLittleEndian: boolean;
  /** Where it is in the file: the count, the entries and the offset of the next directory, without values outside of it. */
  place: Stretch;
  /** In the file's order. Of entries with the same tag, the first counts. */
  entries: Entry[];
}

/** Maximum number of entries; a real directory has a few dozen. */
const maxEntries = 512;

/** Maximum number of directories; a real file has five at most. */
const maxDirectories = 16;

const headerBytes = 8;
const entryBytes = 12;

/** Bytes of one value, by type: TIFF 6.0, section 2; 13 is IFD, of TIFF Technical Note 1. */
const valueBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4] as const;

/** Tags whose value is the offset of another directory: Exif 3.0, section 4.6.3. */
const pointers = new Map<number, DirectoryName>([
  [0x8769, "exif"],
  [0x8825, "gps"],
  [0xa005, "interoperability"],
]);

/** A directory that is still to be read, by its offset from the start of the TIFF header. */
interface Found {
  name: DirectoryName;
  offset: number;
}

/**
 * Reads the directories of EXIF data one after another, each once, beginning with the image's own. Reads only headers
 * and entries, each on demand, and nothing outside of `exif`. Stops at corrupt data: it reads at most 16 directories
 * of at most 512 entries.
 *
 * @param exif where the EXIF data are in the file; "Exif" may precede the TIFF header
 */
export async function* directoriesOf(reader: MediaReader, exif: Stretch): AsyncGenerator<Directory> {
  const tiff = await findTiff(reader, exif);
  if (tiff === null) return;
  const waiting: Found[] = [{ name: "image", offset: tiff.first }];
  const seen = new Set<number>();
  for (let found = waiting.shift(); found !== undefined && seen.size < maxDirectories; found = waiting.shift()) {
    // A reference back to a directory would make an endless loop.
    if (found.offset < headerBytes || seen.has(found.offset)) continue;
    seen.add(found.offset);
    const read = await readDirectory(reader, tiff, found);
    if (read === null) continue;
    yield read.directory;
    waiting.push(...read.leadsTo);
  }
}

/** The numbers of an entry's value, up to `most`; none if it holds no whole numbers, or they cannot be read. */
export async function readNumbers(
  reader: MediaReader,
  { isLittleEndian }: Pick<Directory, "isLittleEndian">,
  { type, value }: Entry,
  most = 1,
): Promise<number[]> {
  const bytes = valueBytes[type] ?? 0;
  if (value === null || !wholeTypes.includes(type)) return [];
  const view = viewOf(await reader.read(value.start, Math.min(value.end - value.start, bytes * most)));
  return Array.from({ length: Math.floor(view.byteLength / bytes) }, (_, index) =>
    numberAt(view, index * bytes, { bytes, isLittleEndian }),
  );
}

/** BYTE, SHORT, LONG and IFD. */
const wholeTypes: readonly number[] = [1, 3, 4, 13];

/** A number of one, two or four bytes. */
function numberAt(
  view: DataView,
  offset: number,
  { bytes, isLittleEndian }: { bytes: number; isLittleEndian: boolean },
): number {
  if (bytes === 1) return view.getUint8(offset);
  return bytes === 2 ? view.getUint16(offset, isLittleEndian) : view.getUint32(offset, isLittleEndian);
}

/** The range that offsets count from, and the byte order. */
interface Tiff extends Stretch {
  isLittleEndian: boolean;
  /** Offset of the first directory from `start`. */
  first: number;
}

const exifMark = "Exif\0\0";

async function findTiff(reader: MediaReader, { start: from, end }: Stretch): Promise<Tiff | null> {
  const begins = await readWithin(reader, { start: from, end }, { offset: 0, length: exifMark.length + headerBytes });
  const isMarked = textAt(begins, 0, exifMark.length) === exifMark;
  const header = isMarked ? begins.subarray(exifMark.length) : begins;
  const byteOrder = textAt(header, 0, 2);
  if (header.length < headerBytes || (byteOrder !== "II" && byteOrder !== "MM")) return null;
  const isLittleEndian = byteOrder === "II";
  const view = viewOf(header);
  if (view.getUint16(2, isLittleEndian) !== 42) return null;
  const start = isMarked ? from + exifMark.length : from;
  return { start, end, isLittleEndian, first: view.getUint32(4, isLittleEndian) };
}

/** Reads no more than the range contains. */
async function readWithin(
  reader: MediaReader,
  { start, end }: Stretch,
  { offset, length }: { offset: number; length: number },
): Promise<Uint8Array> {
  const reachable = Math.min(length, end - start - offset);
  return reachable > 0 ? reader.read(start + offset, reachable) : new Uint8Array();
}

/** Reads a directory: a count, its entries, and the offset of the next directory. */
async function readDirectory(
  reader: MediaReader,
  tiff: Tiff,
  { name, offset }: Found,
): Promise<{ directory: Directory; leadsTo: Found[] } | null> {
  const { isLittleEndian } = tiff;
  const counted = await readWithin(reader, tiff, { offset, length: 2 });
  if (counted.length < 2) return null;
  const count = viewOf(counted).getUint16(0, isLittleEndian);
  const length = entryBytes * Math.min(count, maxEntries);
  const bytes = await readWithin(reader, tiff, { offset: offset + 2, length: length + 4 });
  const view = viewOf(bytes);
  const entries: Entry[] = [];
  const leadsTo: Found[] = [];
  for (let at = 0; at < length && at + entryBytes <= bytes.length; at += entryBytes) {
    const entry = entryAt(view, at, { tiff, offset: offset + 2 + at });
    entries.push(entry);
    const pointed = pointers.get(entry.tag);
    if (pointed !== undefined) leadsTo.push({ name: pointed, offset: view.getUint32(at + 8, isLittleEndian) });
  }
  // The image's directory is followed by its thumbnail's: Exif 3.0, section 4.5. No directory follows the others.
  const hasNext = (name === "image" || name === "thumbnail") && count <= maxEntries && bytes.length === length + 4;
  if (hasNext) leadsTo.push({ name: "thumbnail", offset: view.getUint32(length, isLittleEndian) });
  const start = tiff.start + offset;
  return { directory: { name, isLittleEndian, place: { start, end: start + 2 + bytes.length }, entries }, leadsTo };
}

/** An entry: tag, type, count, then the value if it has at most four bytes, otherwise its offset. */
function entryAt(view: DataView, at: number, { tiff, offset }: { tiff: Tiff; offset: number }): Entry {
  const { isLittleEndian } = tiff;
  const type = view.getUint16(at + 2, isLittleEndian);
  const count = view.getUint32(at + 4, isLittleEndian);
  const length = count * (valueBytes[type] ?? 0);
  const start = tiff.start + (length <= 4 ? offset + 8 : view.getUint32(at + 8, isLittleEndian));
  const isWithin = length > 0 && start + length <= tiff.end;
  return {
    tag: view.getUint16(at, isLittleEndian),
    type,
    count,
    value: isWithin ? { start, end: start + length } : null,
  };
}
