import { contentsAt } from "./probe-boxes.ts";
import { textAt, viewOf } from "./probe-reader.ts";

export interface Movie {
  hasVideo: boolean;
  /** As shown, rotation applied. */
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
}

/** Reads the content of a `moov` box: ISO/IEC 14496-12, sections 8.2, 8.3 and 8.4. */
export function readMovie(moov: Uint8Array): Movie {
  const pictures = contentsAt(moov, "trak").filter(isVideoTrack);
  const shown = pictures.map((track) => readShownSize(contentsAt(track, "tkhd")[0])).find((size) => size !== null);
  return {
    hasVideo: pictures.length > 0,
    width: shown?.width ?? null,
    height: shown?.height ?? null,
    durationSeconds: readDuration(moov),
  };
}

function isVideoTrack(track: Uint8Array): boolean {
  return contentsAt(track, "mdia", "hdlr").some((handler) => textAt(handler, 8, 4) === "vide");
}

/** Version 1 of a header has times of eight bytes where version 0 has four. */
function isLong(header: Uint8Array): boolean {
  return header[0] === 1;
}

function readDuration(moov: Uint8Array): number | null {
  const header = contentsAt(moov, "mvhd")[0];
  if (header === undefined || header.length < (isLong(header) ? 32 : 20)) return null;
  const view = viewOf(header);
  const timescale = view.getUint32(isLong(header) ? 20 : 12);
  const ticks = readTime(header, isLong(header) ? 24 : 16) ?? readFragmentsTime(moov);
  return ticks === null || timescale === 0 ? null : ticks / timescale;
}

/** A fragmented file says in `mehd`, if anywhere, how long all its fragments are. */
function readFragmentsTime(moov: Uint8Array): number | null {
  const header = contentsAt(moov, "mvex", "mehd")[0];
  return header === undefined || header.length < (isLong(header) ? 12 : 8) ? null : readTime(header, 4);
}

/** Zero and all ones both say "unknown". */
function readTime(header: Uint8Array, offset: number): number | null {
  const view = viewOf(header);
  const ticks = isLong(header) ? view.getBigUint64(offset) : BigInt(view.getUint32(offset));
  const unknown = isLong(header) ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  return ticks === 0n || ticks === unknown ? null : Number(ticks);
}

function readShownSize(header: Uint8Array | undefined): { width: number; height: number } | null {
  if (header === undefined) return null;
  const matrix = isLong(header) ? 52 : 40;
  if (header.length < matrix + 44) return null;
  const view = viewOf(header);
  // Fixed point, 16 bits before and after.
  const width = Math.round(view.getUint32(matrix + 36) / 0x10000);
  const height = Math.round(view.getUint32(matrix + 40) / 0x10000);
  if (width === 0 || height === 0) return null;
  // The matrix a b u c d v …: by a quarter turn, a and d are zero.
  const [a, b, c, d] = [0, 4, 12, 16].map((place) => view.getInt32(matrix + place));
  const isTurned = a === 0 && d === 0 && b !== 0 && c !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}
