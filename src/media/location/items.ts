import { boxesIn, type Stretch } from "../probe/boxes.ts";
import { textAt } from "../probe/reader.ts";
import { searchExif } from "./exif.ts";
import { readAll, type Search, uintAt } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** Maximum size of either list, bytes; that of an image of many tiles has some thousand. */
const maxListBytes = 48 * 1024;

/** Maximum number of items: tiles and their data. */
const maxItems = 2_048;

type Named = (type: string) => Stretch | undefined;

/** The EXIF and XMP items of AVIF and HEIC: ISO/IEC 14496-12, sections 8.11.3 and 8.11.6; ISO/IEC 23008-12, annex A. */
export async function searchItems(search: Search, named: Named): Promise<void> {
  const items = itemsIn(await readList(search, named("iinf")));
  if (items.size === 0) return;
  const places = placesIn(await readList(search, named("iloc")), named("idat")?.start ?? null);
  for (const [id, type] of items) {
    const place = places.get(id);
    // The place is unknown, or the item is split into pieces, which no program writes.
    if (place === undefined) search.left.add("out_of_reach");
    else if (type === "xmp") await searchXmp(search, place);
    else await searchExifItem(search, place);
  }
}

async function readList(search: Search, list: Stretch | undefined): Promise<Uint8Array> {
  if (list === undefined) return new Uint8Array();
  if (list.end - list.start > maxListBytes) search.left.add("out_of_reach");
  return (
    (await readAll(search, { start: list.start, end: Math.min(list.end, list.start + maxListBytes) })) ??
    new Uint8Array()
  );
}

/** EXIF data are preceded by their offset from there. */
async function searchExifItem(search: Search, { start, end }: Stretch): Promise<void> {
  const head = await readAll(search, { start, end: Math.min(end, start + 4) });
  const skipped = head === null ? null : uintAt(head, 0, 4);
  if (skipped !== null) await searchExif(search, { start: Math.min(end, start + 4 + skipped), end });
}

/** The items that may contain a location, by their id. */
function itemsIn(list: Uint8Array): Map<number, "exif" | "xmp"> {
  const items = new Map<number, "exif" | "xmp">();
  for (const { type, content } of boxesIn(list.subarray(list[0] === 0 ? 6 : 8))) {
    const version = content[0] ?? 0;
    if (type !== "infe" || version < 2) continue;
    const idBytes = version === 2 ? 2 : 4;
    const id = uintAt(content, 4, idBytes) ?? 0;
    const at = 4 + idBytes + 2;
    const kind = textAt(content, at, 4);
    const names = textAt(content, at + 4, 256).split("\0");
    if (kind === "Exif") items.set(id, "exif");
    if (kind === "mime" && names[1] === "application/rdf+xml") items.set(id, "xmp");
  }
  return items;
}

/** Where the items of one piece are in the file, by their id. @param idat where the data inside `meta` begin */
function placesIn(list: Uint8Array, idat: number | null): Map<number, Stretch> {
  const places = new Map<number, Stretch>();
  const version = list[0] ?? 0;
  const sizes = uintAt(list, 4, 2) ?? 0;
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  const idBytes = version < 2 ? 2 : 4;
  let at = 6 + idBytes;
  const next = (length: number): number => {
    const value = length === 0 ? 0 : numberBytes.has(length) ? uintAt(list, at, length as 2 | 4 | 8) : null;
    at += length;
    return value ?? Number.NaN;
  };
  for (let left = Math.min(uintAt(list, 6, idBytes) ?? 0, maxItems); left > 0 && at < list.length; left--) {
    const id = next(idBytes);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2); // The file that contains it.
    const base = next(baseBytes);
    const extents = next(2);
    if (extents !== 1 || method > 1) {
      at += (extents || 0) * (indexBytes + offsetBytes + lengthBytes);
      continue;
    }
    next(indexBytes);
    const start = base + next(offsetBytes) + (method === 1 ? (idat ?? Number.NaN) : 0);
    const end = start + next(lengthBytes);
    if (Number.isSafeInteger(end)) places.set(id, { start, end });
  }
  return places;
}

/** Possible lengths of the numbers in the list of places. */
const numberBytes = new Set([2, 4, 8]);
