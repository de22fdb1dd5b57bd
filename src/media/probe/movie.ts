import { boxesWithin, type Steps, type Stretch } from "./boxes.ts";
import { type MediaReader, viewOf } from "./reader.ts";
import { contentOf, isLong, rateOf, readTrack, type Track } from "./track.ts";

export interface Movie {
  /** The first that has a picture; null when there is none, or none within reach. */
  video: Track | null;
  sound: Track | null;
  /** All tracks were seen. */
  isWhole: boolean;
  durationSeconds: number | null;
}

/** Headers in an index of many tracks; what lies beside them, tables of megabytes, is passed over. */
const maxHeaders = 2_000;

/** Reads the headers in a `moov` box: ISO/IEC 14496-12, sections 8.2 to 8.8. */
export async function readMovie(reader: MediaReader, moov: Stretch): Promise<Movie> {
  const steps: Steps = { left: maxHeaders };
  const movie: Movie = { video: null, sound: null, isWhole: false, durationSeconds: null };
  let time: MovieTime | null = null;
  let fragments: Fragments = { ticks: null, frameTicks: new Map() };
  const boxes = boxesWithin(reader, moov, steps);
  let next = await boxes.next();
  for (; !next.done; next = await boxes.next()) {
    const box = next.value;
    if (box.type === "mvhd") time ??= readMovieTime(await contentOf(reader, box));
    if (box.type === "mvex") fragments = await readFragments(reader, box, steps);
    if (box.type !== "trak") continue;
    const track = await readTrack(reader, box, steps);
    if (track.kind === "video") movie.video ??= track;
    if (track.kind === "sound") movie.sound ??= track;
  }
  movie.isWhole = next.value;
  const ticks = time?.ticks ?? fragments.ticks;
  if (time !== null && ticks !== null && time.timescale > 0) movie.durationSeconds = ticks / time.timescale;
  if (movie.video !== null) movie.video.fps ??= fragmentedRate(movie.video, fragments);
  return movie;
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

interface Fragments {
  /** How long all of them are. */
  ticks: number | null;
  /** How long each frame is, by the track's id. */
  frameTicks: Map<number, number>;
}

/** What a fragmented file says of all its fragments in `mehd` and `trex`. */
async function readFragments(reader: MediaReader, extension: Stretch, steps: Steps): Promise<Fragments> {
  const fragments: Fragments = { ticks: null, frameTicks: new Map() };
  for await (const box of boxesWithin(reader, extension, steps)) {
    if (box.type !== "mehd" && box.type !== "trex") continue;
    const header = await contentOf(reader, box);
    if (box.type === "mehd" && header.length >= (isLong(header) ? 12 : 8)) fragments.ticks ??= readTime(header, 4);
    if (box.type === "trex" && header.length >= 16)
      fragments.frameTicks.set(viewOf(header).getUint32(4), viewOf(header).getUint32(12));
  }
  return fragments;
}

function fragmentedRate({ id, timescale }: Track, { frameTicks }: Fragments): number | null {
  const ticks = id === null ? undefined : frameTicks.get(id);
  return ticks === undefined || timescale === null ? null : rateOf(timescale, ticks);
}

/** Zero and all ones both say "unknown". */
function readTime(header: Uint8Array, offset: number): number | null {
  const view = viewOf(header);
  const ticks = isLong(header) ? view.getBigUint64(offset) : BigInt(view.getUint32(offset));
  const unknown = isLong(header) ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  return ticks === 0n || ticks === unknown ? null : Number(ticks);
}
