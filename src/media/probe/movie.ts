import { boxesWithin, type Steps, type Stretch } from "./boxes.ts";
import { type Length, lengthOfFragments } from "./fragments.ts";
import { type MediaReader, viewOf } from "./reader.ts";
import { contentOf, isLong, type MediaTime, rateOf, readMediaTime, readTicks, readTrack, type Track } from "./track.ts";

export interface Movie {
  /** The first track with images; null: none, or none within reach. */
  video: Track | null;
  sound: Track | null;
  /** True: all tracks were read. */
  isWhole: boolean;
  durationSeconds: number | null;
  /** Frame rate of `video`: its frames divided by their duration. */
  fps: number | null;
}

/** Maximum number of headers in an index of many tracks; tables of megabytes beside them are skipped. */
const maxHeaders = 2_000;

/** Reads the headers in a `moov` box: ISO/IEC 14496-12, sections 8.2 to 8.8. */
export async function readMovie(reader: MediaReader, moov: Stretch): Promise<Movie> {
  const steps: Steps = { left: maxHeaders };
  const movie: Movie = { video: null, sound: null, isWhole: false, durationSeconds: null, fps: null };
  let time: MediaTime | null = null;
  let fragments: Fragments | null = null;
  const boxes = boxesWithin(reader, moov, steps);
  let next = await boxes.next();
  for (; !next.done; next = await boxes.next()) {
    const box = next.value;
    if (box.type === "mvhd") time ??= readMediaTime(await contentOf(reader, box));
    if (box.type === "mvex") fragments ??= await readFragments(reader, box, steps);
    if (box.type !== "trak") continue;
    const track = await readTrack(reader, box, steps);
    if (track.kind === "video") movie.video ??= track;
    if (track.kind === "sound") movie.sound ??= track;
  }
  movie.isWhole = next.value;
  const shown = movie.video === null ? null : await lengthOf(reader, moov.end, { track: movie.video, fragments });
  movie.durationSeconds =
    secondsOf(time, time?.ticks ?? fragments?.ticks) ?? secondsOf(movie.video?.time, shown?.ticks);
  movie.fps = rateOf(shown?.frames ?? 0, secondsOf(movie.video?.time, shown?.ticks) ?? 0);
  return movie;
}

function secondsOf(time: MediaTime | null | undefined, ticks: number | null | undefined): number | null {
  return time == null || ticks == null || ticks === 0 ? null : ticks / time.timescale;
}

interface Fragments {
  /** The total duration of all fragments, in ticks. */
  ticks: number | null;
  /** The default duration of a frame in ticks, by track id. */
  frameTicks: Map<number, number>;
}

/** Reads the values for all fragments in `mehd` and `trex`. */
async function readFragments(reader: MediaReader, extension: Stretch, steps: Steps): Promise<Fragments> {
  const fragments: Fragments = { ticks: null, frameTicks: new Map() };
  for await (const box of boxesWithin(reader, extension, steps)) {
    if (box.type !== "mehd" && box.type !== "trex") continue;
    const header = await contentOf(reader, box);
    if (box.type === "mehd" && header.length >= (isLong(header) ? 12 : 8)) fragments.ticks ??= readTicks(header, 4);
    if (box.type === "trex" && header.length >= 16)
      fragments.frameTicks.set(viewOf(header).getUint32(4), viewOf(header).getUint32(12));
  }
  return fragments;
}

/** The length of all frames, in the index and in fragments. Null: not known for all. */
async function lengthOf(
  reader: MediaReader,
  from: number,
  { track: { id, time, frames }, fragments }: { track: Track; fragments: Fragments | null },
): Promise<Length | null> {
  if (time === null || frames === null || (frames > 0 && time.ticks === null)) return null;
  const listed = { frames, ticks: frames > 0 ? (time.ticks ?? 0) : 0 };
  if (fragments === null || id === null) return listed;
  const frameTicks = fragments.frameTicks.get(id) ?? null;
  const others = await lengthOfFragments(reader, from, { id, frameTicks });
  return others && { frames: listed.frames + others.frames, ticks: listed.ticks + others.ticks };
}
