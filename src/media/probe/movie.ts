import { type Box, boxesWithin, type Steps, type Stretch } from "./boxes.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

export interface Movie {
  hasVideo: boolean;
  /** As shown, rotation applied. */
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
}

interface Size {
  width: number;
  height: number;
}

/** Headers in an index of many tracks; what lies beside them, tables of megabytes, is passed over. */
const maxHeaders = 2_000;

/** The longest header that is read: a track's. */
const headerBytes = 100;

/**
 * Reads the headers in a `moov` box, up to where all is known: ISO/IEC
 * 14496-12, sections 8.2, 8.3 and 8.4. Null when it is broken or out of reach
 * before it says whether there is a picture.
 */
export async function readMovie(reader: MediaReader, moov: Stretch): Promise<Movie | null> {
  const steps: Steps = { left: maxHeaders };
  let hasVideo = false;
  let size: Size | null = null;
  let time: MovieTime | null = null;
  let fragmentTicks: number | null = null;
  const isDone = (): boolean => size !== null && time?.ticks != null;

  const boxes = boxesWithin(reader, moov, steps);
  let next = await boxes.next();
  for (; !next.done && !isDone(); next = await boxes.next()) {
    const box = next.value;
    if (box.type === "mvhd") time ??= readMovieTime(await contentOf(reader, box));
    if (box.type === "mvex") fragmentTicks ??= await readFragmentsTicks(reader, box, steps);
    if (box.type !== "trak" || size !== null) continue;
    const track = await readTrack(reader, box, steps);
    hasVideo ||= track.isVideo;
    if (track.isVideo) size = track.size;
  }
  const isWhole = isDone() || (next.done === true && next.value);
  if (!isWhole && !hasVideo) return null;
  const ticks = time?.ticks ?? fragmentTicks;
  return {
    hasVideo,
    width: size?.width ?? null,
    height: size?.height ?? null,
    durationSeconds: time === null || ticks === null || time.timescale === 0 ? null : ticks / time.timescale,
  };
}

function contentOf(reader: MediaReader, { start, end }: Box): Promise<Uint8Array> {
  return reader.read(start, Math.min(end - start, headerBytes));
}

async function readTrack(
  reader: MediaReader,
  track: Stretch,
  steps: Steps,
): Promise<{ isVideo: boolean; size: Size | null }> {
  let isVideo = false;
  let size: Size | null = null;
  let hasHeader = false;
  for await (const box of boxesWithin(reader, track, steps)) {
    if (box.type === "tkhd" && !hasHeader) {
      hasHeader = true;
      size = readShownSize(await contentOf(reader, box));
    }
    if (box.type === "mdia") isVideo ||= await holdsVideo(reader, box, steps);
  }
  return { isVideo, size };
}

async function holdsVideo(reader: MediaReader, media: Stretch, steps: Steps): Promise<boolean> {
  for await (const box of boxesWithin(reader, media, steps)) {
    if (box.type === "hdlr" && textAt(await contentOf(reader, box), 8, 4) === "vide") return true;
  }
  return false;
}

/** Version 1 of a header has times of eight bytes where version 0 has four. */
function isLong(header: Uint8Array): boolean {
  return header[0] === 1;
}

/** `ticks` is null where the file says "unknown". */
interface MovieTime {
  timescale: number;
  ticks: number | null;
}

function readMovieTime(header: Uint8Array): MovieTime | null {
  if (header.length < (isLong(header) ? 32 : 20)) return null;
  const timescale = viewOf(header).getUint32(isLong(header) ? 20 : 12);
  return { timescale, ticks: readTime(header, isLong(header) ? 24 : 16) };
}

/** A fragmented file says in `mehd`, if anywhere, how long all its fragments are. */
async function readFragmentsTicks(reader: MediaReader, fragments: Stretch, steps: Steps): Promise<number | null> {
  for await (const box of boxesWithin(reader, fragments, steps)) {
    if (box.type !== "mehd") continue;
    const header = await contentOf(reader, box);
    return header.length < (isLong(header) ? 12 : 8) ? null : readTime(header, 4);
  }
  return null;
}

/** Zero and all ones both say "unknown". */
function readTime(header: Uint8Array, offset: number): number | null {
  const view = viewOf(header);
  const ticks = isLong(header) ? view.getBigUint64(offset) : BigInt(view.getUint32(offset));
  const unknown = isLong(header) ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  return ticks === 0n || ticks === unknown ? null : Number(ticks);
}

function readShownSize(header: Uint8Array): Size | null {
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
