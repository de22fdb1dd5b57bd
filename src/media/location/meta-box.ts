import { boxesIn, type Steps, type Stretch } from "../probe/boxes.ts";
import { textAt } from "../probe/reader.ts";
import { searchItems } from "./items.ts";
import { freeBox, locationBoxes, type PlacedBox, placedBoxes } from "./placed-boxes.ts";
import { isLocationName, readAll, type Search } from "./search.ts";

/** Maximum size of a list of keys, bytes; a phone's has a dozen keys. */
const maxKeysBytes = 16 * 1024;

/** `meta`: Apple's keys and values (QuickTime File Format, "Metadata"), or the items of an image. */
export async function searchMeta(search: Search, box: PlacedBox, steps: Steps): Promise<void> {
  const content = await contentOf(search, box);
  const children: PlacedBox[] = [];
  for await (const child of placedBoxes(search, content, steps)) children.push(child);
  const named = (type: string): PlacedBox | undefined => children.find((child) => child.type === type);
  const [keys, list] = [named("keys"), named("ilst")];
  const locations = keys === undefined ? [] : await locationKeysIn(search, keys);
  if (list !== undefined) {
    for await (const value of placedBoxes(search, list, steps)) {
      if (locationBoxes.includes(value.type) || locations.includes(value.type)) freeBox(search, value);
    }
  }
  if (named("iinf") !== undefined) await searchItems(search, named);
}

/** ISO's box begins with version and flags; QuickTime's does not. */
async function contentOf({ reader }: Search, { start, end }: Stretch): Promise<Stretch> {
  const head = await reader.read(start, Math.min(8, end - start));
  return { start: textAt(head, 4, 4) === "hdlr" ? start : start + 4, end };
}

/** The box types of these keys' values: the key's number, counted from 1, as four bytes. */
async function locationKeysIn(search: Search, { start, end }: Stretch): Promise<string[]> {
  const keys = await readAll(search, { start, end: Math.min(end, start + maxKeysBytes) });
  if (keys === null) return [];
  if (end - start > maxKeysBytes) search.left.add("out_of_reach");
  // Version, flags and a count; then keys, each in a box named after its vendor.
  return boxesIn(keys.subarray(8)).flatMap(({ content }, index) =>
    isLocationName(textAt(content, 0, content.length)) ? [placeName(index + 1)] : [],
  );
}

function placeName(place: number): string {
  return String.fromCharCode(0, 0, (place >> 8) & 0xff, place & 0xff);
}
