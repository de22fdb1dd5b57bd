import type { Stretch } from "../probe/boxes.ts";
import type { MediaReader } from "../probe/reader.ts";
import { directoriesOf, readNumbers } from "./directory.ts";

const orientationTag = 0x0112;

/**
 * The orientation that EXIF data say, 1 to 8; 1 when they do not say, or say
 * what is none. From 5 on, width and height change places. Of any type of whole number: encoders write SHORT and LONG.
 *
 * @param exif where the EXIF data lie in the file
 */
export async function orientationIn(reader: MediaReader, exif: Stretch): Promise<number> {
  for await (const directory of directoriesOf(reader, exif)) {
    const entry = directory.entries.find(({ tag }) => tag === orientationTag);
    const [orientation = 1] = entry === undefined ? [] : await readNumbers(reader, directory, entry);
    // The picture's own directory is the first; a thumbnail has an orientation of its own.
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}
