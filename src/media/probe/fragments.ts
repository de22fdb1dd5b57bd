import { type Box, boxesWithin, type Steps, type Stretch } from "./boxes.ts";
import { type MediaReader, viewOf } from "./reader.ts";
import { contentOf, type Track } from "./track.ts";

/** Maximum number of headers in one walk: a minute of one-second fragments has about 600. */
const maxHeaders = 1_000;

/** Maximum size of a video whose fragments are all read, bytes: a longer one would transfer too much. */
const maxVideoBytes = 16 * 1024 * 1024;

/** Maximum size of one fragment's table of frame durations, bytes. */
const maxTableBytes = 16 * 1024;

/** The number of frames, and their total duration in the track's ticks. */
export interface Length {
  frames: number;
  ticks: number;
}

/** A track in fragments. */
type FragmentedTrack = Pick<Track, "id"> & {
  /** Duration of each frame unless a fragment states another; null: every fragment does. */
  frameTicks: number | null;
};

/**
 * The total length of one track in all fragments (`moof`) of a video: ISO/IEC 14496-12, section 8.8. Null: reading
 * all fragments takes too many reads, and the first ones do not show the rate of the others.
 */
export async function lengthOfFragments(
  reader: MediaReader,
  from: number,
  track: FragmentedTrack,
): Promise<Length | null> {
  if (reader.sizeBytes === null || reader.sizeBytes > maxVideoBytes) return null;
  const steps: Steps = { left: maxHeaders };
  const length: Length = { frames: 0, ticks: 0 };
  const boxes = boxesWithin(reader, { start: from, end: reader.sizeBytes }, steps);
  let next = await boxes.next();
  for (; !next.done; next = await boxes.next()) {
    if (next.value.type !== "moof") continue;
    if (!(await addFragment(reader, { stretch: next.value, steps, track }, length))) return null;
  }
  return next.value ? length : null;
}

interface Walk {
  stretch: Stretch;
  steps: Steps;
  track: FragmentedTrack;
}

/** @returns true if the whole fragment was read */
async function addFragment(reader: MediaReader, { stretch, steps, track }: Walk, length: Length): Promise<boolean> {
  for await (const box of boxesWithin(reader, stretch, steps)) {
    if (box.type !== "traf") continue;
    let frameTicks: number | null = null;
    for await (const part of boxesWithin(reader, box, steps)) {
      if (part.type === "tfhd") frameTicks = frameTicksOf(await contentOf(reader, part), track);
      if (part.type !== "trun" || frameTicks === null) continue;
      const run = await readRun(reader, part, frameTicks);
      if (run === null) return false;
      length.frames += run.frames;
      length.ticks += run.ticks;
    }
  }
  return steps.left > 0;
}

/** The default duration of a fragment's frames, 0: not stated; null: the fragment is another track's. */
function frameTicksOf(header: Uint8Array, { id, frameTicks }: FragmentedTrack): number | null {
  if (header.length < 8) return null;
  const view = viewOf(header);
  if (view.getUint32(4) !== id) return null;
  const flags = view.getUint32(0);
  // The data offset, of eight bytes, and the number of the description may precede it.
  const offset = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  return flags & 8 && header.length >= offset + 4 ? view.getUint32(offset) : (frameTicks ?? 0);
}

/** Null: too long, truncated, or without durations. */
async function readRun(reader: MediaReader, box: Box, frameTicks: number): Promise<Length | null> {
  const header = await contentOf(reader, box);
  if (header.length < 8) return null;
  const flags = viewOf(header).getUint32(0);
  const frames = viewOf(header).getUint32(4);
  if ((flags & 0x100) === 0) return frameTicks > 0 ? { frames, ticks: frames * frameTicks } : null;
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  // Duration, size, flags and delay, of four bytes each if present.
  const rowBytes = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const tableBytes = start + frames * rowBytes;
  if (tableBytes > maxTableBytes) return null;
  const table = await contentOf(reader, box, tableBytes);
  if (table.length < tableBytes) return null;
  const view = viewOf(table);
  let ticks = 0;
  for (let row = 0; row < frames; row++) ticks += view.getUint32(start + row * rowBytes);
  return { frames, ticks };
}
