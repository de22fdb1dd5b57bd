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
  timescale: number | null;
  fps: number | null;
}

/** The longest header that is read: a track's. */
const headerBytes = 100;

/** A sample entry with what follows its fixed fields: in front of the colour some encoders put 2 KB about themselves. */
const entryBytes = 4_096;

/** Most films have one duration for all frames; of others, the first of them say how fast they are. */
const maxDurations = 128;

/** Reads the headers in a `trak` box: ISO/IEC 14496-12, sections 8.3 to 8.6. */
export async function readTrack(reader: MediaReader, stretch: Stretch, steps: Steps): Promise<Track> {
  const track: Track = {
    id: null,
    kind: null,
    size: null,
    orientation: 1,
    entry: null,
    timescale: null,
    fps: null,
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
    if (box.type === "mdhd") track.timescale ??= timescaleOf(await contentOf(reader, box));
    if (box.type === "hdlr") track.kind ??= kindOfTrack(await contentOf(reader, box));
    if (box.type === "stsd" && track.kind !== null)
      track.entry ??= readSampleEntry(await contentOf(reader, box, entryBytes), track.kind === "sound");
    if (box.type === "stts" && track.kind === "video")
      track.fps ??= averageRate(await contentOf(reader, box, 8 + 8 * maxDurations), track.timescale);
  }
}

export function contentOf(reader: MediaReader, { start, end }: Box, maxBytes = headerBytes): Promise<Uint8Array> {
  return reader.read(start, Math.min(end - start, maxBytes));
}

/** Version 1 of a header has times of eight bytes where version 0 has four. */
export function isLong(header: Uint8Array): boolean {
  return header[0] === 1;
}

function timescaleOf(header: Uint8Array): number | null {
  const offset = isLong(header) ? 20 : 12;
  return header.length < offset + 4 ? null : viewOf(header).getUint32(offset) || null;
}

/** Runs of frames, each with how many and how long. */
function averageRate(table: Uint8Array, timescale: number | null): number | null {
  if (table.length < 8 || timescale === null) return null;
  const view = viewOf(table);
  const runs = Math.min(view.getUint32(4), Math.floor((table.length - 8) / 8));
  let frames = 0;
  let ticks = 0;
  for (let run = 0; run < runs; run++) {
    const count = view.getUint32(8 + 8 * run);
    const duration = view.getUint32(12 + 8 * run);
    // The last frame of some films has no duration, or all the rest of time.
    if (duration === 0 || (run === runs - 1 && count === 1 && runs > 1)) continue;
    frames += count;
    ticks += count * duration;
  }
  return rateOf(frames, ticks / timescale);
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
