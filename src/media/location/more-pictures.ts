import { directoriesOf } from "../exif/directory.ts";
import type { Stretch } from "../probe/boxes.ts";
import { viewOf } from "../probe/reader.ts";
import { readAll, type Search } from "./search.ts";

/** The list of images in a JPEG of several: CIPA DC-007, section 5.2.3.3. */
const listTag = 0xb002;
const entryBytes = 16;

/** Maximum number of images; a camera adds two previews, a phone its gain map for high dynamic range. */
const maxPictures = 8;

/** The offsets of the images after the first. @param list the directory that lists them in the file */
export async function placesOfMorePictures(search: Search, list: Stretch): Promise<number[]> {
  for await (const { entries, isLittleEndian } of directoriesOf(search.reader, list)) {
    const value = entries.find(({ tag }) => tag === listTag)?.value;
    if (value == null) continue;
    const end = Math.min(value.end, value.start + entryBytes * maxPictures);
    const bytes = await readAll(search, { start: value.start, end });
    if (bytes === null) return [];
    const places: number[] = [];
    for (let at = entryBytes; at + entryBytes <= bytes.length; at += entryBytes) {
      places.push(list.start + viewOf(bytes).getUint32(at + 8, isLittleEndian));
    }
    return places;
  }
  return [];
}
