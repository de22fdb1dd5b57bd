import { joined } from "../async/bounded-read.ts";
import { probeMedia } from "./probe/probe.ts";

/**
 * The bytes that are read to determine a file's type: first a few, then as many as the probe reads at most, since a
 * video may have long audio headers before its video track.
 */
const kindBytes = [4_096, 131_072] as const;

/** A copy of the beginning of a file. */
export interface FileStart {
  start: Uint8Array<ArrayBuffer>;
  /** The type, determined from the bytes; null: unsupported. */
  mimeType: string | null;
}

/** Reads as much of a file as its type needs. @param next the next piece; undefined at the end */
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
    // Copied, because the sender may reuse its buffer.
    pieces.push(piece.slice());
    length += piece.length;
  }
  return joined(pieces, length);
}

async function kindOf(start: Uint8Array): Promise<string | null> {
  const read = async (offset: number, length: number): Promise<Uint8Array> => start.subarray(offset, offset + length);
  return (await probeMedia({ read, sizeBytes: null }))?.mime_type ?? null;
}
