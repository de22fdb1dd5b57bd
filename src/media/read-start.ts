import { joined } from "../async/bounded-read.ts";
import { probeMedia } from "./probe/probe.ts";

/**
 * Enough to tell what kind of file it is; and if not, as much as the probe
 * reads at most: a video may describe its sound at length before its picture.
 */
const kindBytes = [4_096, 131_072] as const;

/** The beginning of a file, copied. */
export interface FileStart {
  start: Uint8Array<ArrayBuffer>;
  /** What it says that the file is; null: none of those that are known. */
  mimeType: string | null;
}

/** Reads as much of a file as it takes to tell what kind it is. @param next the next piece; undefined at the end */
export async function readStart(next: () => Promise<Uint8Array | undefined>): Promise<FileStart> {
  let start = new Uint8Array();
  for (const enough of kindBytes) {
    start = await readOn(next, start, enough);
    const mimeType = await kindOf(start);
    if (mimeType !== null) return { start, mimeType };
  }
  return { start, mimeType: null };
}

async function readOn(
  next: () => Promise<Uint8Array | undefined>,
  start: Uint8Array<ArrayBuffer>,
  enough: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = [start];
  let { length } = start;
  while (length < enough) {
    const piece = await next();
    if (piece === undefined) break;
    // What a sender does with its buffer afterwards is its own affair.
    pieces.push(piece.slice());
    length += piece.length;
  }
  return joined(pieces, length);
}

async function kindOf(start: Uint8Array): Promise<string | null> {
  const read = async (offset: number, length: number): Promise<Uint8Array> => start.subarray(offset, offset + length);
  return (await probeMedia({ read, sizeBytes: null }))?.mime_type ?? null;
}
