import type { Stretch } from "../probe/boxes.ts";
import type { MediaReader } from "../probe/reader.ts";
import { directoriesOf, readNumbers } from "./directory.ts";

const orientationTag = 0x0112;

/**
 * Reads the orientation from EXIF data, 1 to 8; 1 if it is absent or invalid. From 5 on, width and height are
 * swapped. Any type of whole number is read: encoders write SHORT and LONG.
 *
 * @param exif where the EXIF data are in the file
 */
export async function orientationIn(reader: MediaReader, exif: Stretch): Promise<number> {
  for await (const directory of directoriesOf(reader, exif)) {
    const entry = directory.entries.find(({ tag }) => tag === orientationTag);
    const [orientation = 1] = entry === undefined ? [] : await readNumbers(reader, directory, entry);
    // The image's own directory is the first; a thumbnail has a separate orientation.
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}
