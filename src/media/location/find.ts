import type { LocationLeft } from "../../networks/contract/plan.ts";
import { type MediaReader, readerWithBudget, textAt } from "../probe/reader.ts";
import { searchGif } from "./gif.ts";
import { searchIso } from "./iso.ts";
import { searchJpeg } from "./jpeg.ts";
import { searchMatroska } from "./matroska.ts";
import { searchPng } from "./png.ts";
import { type Patch, type Search, searchOf } from "./search.ts";
import { searchWebp } from "./webp.ts";

/** Where a file contains the location of its recording. */
export interface Locations {
  /** Patches that overwrite it, in the file's order. */
  patches: readonly Patch[];
  /** Why there may be more that the patches do not overwrite. */
  left: readonly LocationLeft[];
}

/** Maximum that one search reads, for any input. */
const searchLimit = { bytes: 128 * 1024, reads: 4_000 } as const;

/**
 * Finds the location data in a file: JPEG, PNG, GIF, WebP, AVIF, HEIC, MP4, MOV, WebM and Matroska. Reads headers and
 * the data that they point to: at most 128 KB in at most 4,000 reads, for any input.
 *
 * @throws the errors of `reader`
 */
export async function findLocations(reader: MediaReader): Promise<Locations> {
  const search = searchOf(reader);
  search.reader = noticing(readerWithBudget(reader, searchLimit), search);
  await searchKind(search);
  const patches = search.patches.toSorted((one, other) => one.offset - other.offset);
  return { patches, left: [...search.left].sort() };
}

/** The same file; records reads that return less than the file has. */
function noticing(reader: MediaReader, { left }: Pick<Search, "left">): MediaReader {
  const { sizeBytes } = reader;
  return {
    sizeBytes,
    async read(offset, length) {
      const bytes = await reader.read(offset, length);
      if (sizeBytes !== null && bytes.length < Math.min(length, sizeBytes - offset)) left.add("out_of_reach");
      return bytes;
    },
  };
}

/** `ftyp`, and the first boxes of QuickTime files that are older than it. */
const firstBoxes = ["ftyp", "moov", "mdat", "wide"];

async function searchKind(search: Search): Promise<void> {
  const start = await search.reader.read(0, 12);
  if (textAt(start, 0, 3) === "\xff\xd8\xff") await searchJpeg(search);
  else if (textAt(start, 0, 8) === "\x89PNG\r\n\x1a\n") await searchPng(search);
  else if (textAt(start, 0, 4) === "GIF8") await searchGif(search);
  else if (textAt(start, 0, 4) === "RIFF" && textAt(start, 8, 4) === "WEBP") await searchWebp(search);
  else if (textAt(start, 0, 4) === "\x1a\x45\xdf\xa3") await searchMatroska(search);
  else if (firstBoxes.includes(textAt(start, 4, 4))) await searchIso(search);
}
