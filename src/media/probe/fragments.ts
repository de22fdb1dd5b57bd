import { type Box, boxesWithin, type Steps, type Stretch } from "./boxes.ts";
import { type MediaReader, viewOf } from "./reader.ts";
import { contentOf, type Track } from "./track.ts";

/** Pieces of fragments in one walk: a minute of fragments of a second each has about 600. */
const maxHeaders = 1_000;

/** Of a longer video too much would be transferred to see all of its fragments, bytes. */
const maxFilmBytes = 16 * 1024 * 1024;

/** Frames of one fragment whose durations are listed one by one, bytes. */
const maxTableBytes = 16 * 1024;

/** Frames, and how long they are together in the track's ticks. */
export interface Length {
  frames: number;
  ticks: number;
}

/** A track in fragments. */
type FragmentedTrack = Pick<Track, "id"> & {
  /** How long each frame is unless a fragment says otherwise; null: each does. */
  frameTicks: number | null;
};

/**
 * What all fragments (`moof`) of a video hold of one track: ISO/IEC 14496-12,
 * section 8.8. Null where not all of them can be seen in few reads: the first
 * ones do not tell how fast the others are.
 */
export async function lengthOfFragments(
  reader: MediaReader,
  from: number,
  track: FragmentedTrack,
): Promise<Length | null> {
  if (reader.sizeBytes === null || reader.sizeBytes > maxFilmBytes) return null;
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

/** @returns whether all of it was seen */
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

/** Of a fragment's frames without a duration of their own, 0 where nothing says it; null: they are another track's. */
function frameTicksOf(header: Uint8Array, { id, frameTicks }: FragmentedTrack): number | null {
  if (header.length < 8) return null;
  const view = viewOf(header);
  if (view.getUint32(4) !== id) return null;
  const flags = view.getUint32(0);
  // Before it stand where the data begins, in eight bytes, and which description holds.
  const offset = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  return flags & 8 && header.length >= offset + 4 ? view.getUint32(offset) : (frameTicks ?? 0);
}

/** Null where it is too long to be read, or cut off, or says no durations. */
async function readRun(reader: MediaReader, box: Box, frameTicks: number): Promise<Length | null> {
  const header = await contentOf(reader, box);
  if (header.length < 8) return null;
  const flags = viewOf(header).getUint32(0);
  const frames = viewOf(header).getUint32(4);
  if ((flags & 0x100) === 0) return frameTicks > 0 ? { frames, ticks: frames * frameTicks } : null;
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  // Duration, size, flags and delay, each in four bytes where it is there.
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
