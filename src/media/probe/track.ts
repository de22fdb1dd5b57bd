import { type Box, boxesWithin, type Steps, type Stretch } from "./boxes.ts";
import { type MediaReader, viewOf } from "./reader.ts";
import { kindOfTrack, readSampleEntry, type SampleEntry } from "./sample-entry.ts";

export interface Track {
  id: number | null;
  kind: "video" | "sound" | null;
  /** As shown, rotation applied. */
  size: { width: number; height: number } | null;
  /** As EXIF counts. */
  orientation: number;
  entry: SampleEntry | null;
  time: MediaTime | null;
  /** How many the index lists. */
  frames: number | null;
}

/** How long something is; `ticks` is null where the file says "unknown". */
export interface MediaTime {
  /** Ticks a second. */
  timescale: number;
  ticks: number | null;
}

/** The longest header that is read: a track's. */
const headerBytes = 100;

/** A sample entry with what follows its fixed fields: in front of the colour some encoders put 2 KB about themselves. */
const entryBytes = 4_096;

/** Reads the headers in a `trak` box: ISO/IEC 14496-12, sections 8.3 to 8.6. */
export async function readTrack(reader: MediaReader, stretch: Stretch, steps: Steps): Promise<Track> {
  const track: Track = {
    id: null,
    kind: null,
    size: null,
    orientation: 1,
    entry: null,
    time: null,
    frames: null,
  };
  await readBoxes(reader, { stretch, steps }, track);
  return track;
}

const containers = ["mdia", "minf", "stbl"];

async function readBoxes(
  reader: MediaReader,
  { stretch, steps }: { stretch: Stretch; steps: Steps },
  track: Track,
): Promise<void> {
  for await (const box of boxesWithin(reader, stretch, steps)) {
    if (containers.includes(box.type)) await readBoxes(reader, { stretch: box, steps }, track);
    if (box.type === "tkhd" && track.id === null) readTrackHeader(await contentOf(reader, box), track);
    if (box.type === "mdhd") track.time ??= readMediaTime(await contentOf(reader, box));
    if (box.type === "hdlr") track.kind ??= kindOfTrack(await contentOf(reader, box));
    if (box.type === "stsd" && track.kind !== null)
      track.entry ??= readSampleEntry(await contentOf(reader, box, entryBytes), track.kind === "sound");
    if (box.type === "stsz" || box.type === "stz2") track.frames ??= countOf(await contentOf(reader, box));
  }
}

export function contentOf(reader: MediaReader, { start, end }: Box, maxBytes = headerBytes): Promise<Uint8Array> {
  return reader.read(start, Math.min(end - start, maxBytes));
}

/** Version 1 of a header has times of eight bytes where version 0 has four. */
export function isLong(header: Uint8Array): boolean {
  return header[0] === 1;
}

/** What `mvhd` says of the video, and `mdhd` of a track. */
export function readMediaTime(header: Uint8Array): MediaTime | null {
  if (header.length < (isLong(header) ? 32 : 20)) return null;
  const timescale = viewOf(header).getUint32(isLong(header) ? 20 : 12);
  return timescale === 0 ? null : { timescale, ticks: readTicks(header, isLong(header) ? 24 : 16) };
}

/** Zero and all ones both say "unknown". */
export function readTicks(header: Uint8Array, offset: number): number | null {
  const view = viewOf(header);
  const ticks = isLong(header) ? view.getBigUint64(offset) : BigInt(view.getUint32(offset));
  const unknown = isLong(header) ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  return ticks === 0n || ticks === unknown ? null : Number(ticks);
}

/** How many sizes of frames follow: two fields stand before it. */
function countOf(header: Uint8Array): number | null {
  return header.length < 12 ? null : viewOf(header).getUint32(8);
}

/** Frames a second, to three digits: 29.97. */
export function rateOf(frames: number, seconds: number): number | null {
  const rate = Math.round((frames / seconds) * 1_000) / 1_000;
  return Number.isFinite(rate) && rate > 0 ? rate : null;
}

function readTrackHeader(header: Uint8Array, track: Track): void {
  const matrix = isLong(header) ? 52 : 40;
  if (header.length < matrix + 44) return;
  const view = viewOf(header);
  track.id = view.getUint32(isLong(header) ? 20 : 12);
  // Fixed point, 16 bits before and after.
  const width = Math.round(view.getUint32(matrix + 36) / 0x10000);
  const height = Math.round(view.getUint32(matrix + 40) / 0x10000);
  // The matrix a b u c d v …: by a quarter turn, a and d are zero.
  const [a = 0, b = 0, c = 0, d = 0] = [0, 4, 12, 16].map((place) => view.getInt32(matrix + place));
  const isTurned = a === 0 && d === 0 && b !== 0 && c !== 0;
  track.orientation = isTurned ? (b > 0 ? 6 : 8) : a < 0 && d < 0 ? 3 : 1;
  if (width > 0 && height > 0) track.size = isTurned ? { width: height, height: width } : { width, height };
}
