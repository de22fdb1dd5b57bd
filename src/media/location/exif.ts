import { directoriesOf } from "../exif/directory.ts";
import type { Stretch } from "../probe/boxes.ts";
import { blank, type Search } from "./search.ts";

/** A directory is a count and entries of 12 bytes. */
const countBytes = 2;
const entryBytes = 12;

/** Empties the GPS directory: it then has no entries, and their values are zero. */
export async function searchExif(search: Search, exif: Stretch): Promise<void> {
  for await (const { name, place, entries } of directoriesOf(search.reader, exif)) {
    if (name !== "gps" || entries.length === 0) continue;
    blank(search, { start: place.start, end: place.start + countBytes + entryBytes * entries.length });
    for (const { value } of entries) if (value !== null) blank(search, value);
  }
}
