import { boxesWithin, readBox, type Steps, type Stretch } from "../probe/boxes.ts";
import { textAt } from "../probe/reader.ts";
import { searchMeta } from "./meta-box.ts";
import { freeBox, locationBoxes, type PlacedBox, placedBoxes } from "./placed-boxes.ts";
import { readAll, type Search } from "./search.ts";
import { searchXmp } from "./xmp.ts";

/** In all: an index of many tracks has some hundred. */
const maxHeaders = 2_000;

/** At the top; a fragmented video has its index before its fragments. */
const maxTopBoxes = 64;

/** What holds other boxes, of which some say a location. */
const containers = ["moov", "trak", "mdia", "minf", "stbl", "udta"];

/** Samples that say where a camera was, each at its time: GoPro, Google, Sony; Apple's kind holds other things as well. */
const locationTracks = ["gpmd", "camm", "rtmd"];
const appleTrack = "mebx";

/** Dashcams name pieces of the video that hold positions, or put them into boxes of their own. */
const dashcamBoxes = ["gps ", "gps0", "GPS ", "udat"];

/** Adobe's XMP specification, part 3, section 1.2.7. */
const xmpUuid = "be7acfcb97a942e89c71999491e3afac";
const uuidBytes = 16;

/** MP4, MOV, AVIF and HEIC, or such a video in another file. */
export async function searchIso(search: Search, file?: Stretch): Promise<void> {
  const whole = file ?? { start: 0, end: search.reader.sizeBytes ?? Number.POSITIVE_INFINITY };
  const steps: Steps = { left: maxHeaders };
  let hasIndex = false;
  let hasFragments = false;
  let offset = whole.start;
  const boxes = boxesWithin(search.reader, whole, { left: maxTopBoxes });
  let next = await boxes.next();
  for (; !next.done; next = await boxes.next()) {
    const box = next.value;
    hasIndex ||= box.type === "moov" || box.type === "meta";
    hasFragments ||= box.type === "moof";
    // A video in a picture of HEIC: https://developer.android.com/media/platform/motion-photo-format (November 2026).
    if (box.type === "mpvd" && file === undefined) await searchIso(search, box);
    else await searchBox(search, { ...box, at: offset }, steps);
    offset = box.end;
  }
  if (!hasIndex || (!next.value && !hasFragments && Number.isFinite(whole.end))) search.left.add("out_of_reach");
}

export async function readFirstBoxType({ reader }: Search, offset: number): Promise<string | null> {
  return readBox(await reader.read(offset, 16), offset)?.type ?? null;
}

async function searchBox(search: Search, box: PlacedBox, steps: Steps): Promise<void> {
  const { type, start, end } = box;
  if (locationBoxes.includes(type)) freeBox(search, box);
  if (dashcamBoxes.includes(type)) search.left.add("timed_track");
  if (type === "meta") await searchMeta(search, box, steps);
  if (type === "XMP_") await searchXmp(search, { start, end });
  if (type === "uuid") await searchUuid(search, box);
  if (type === "stsd") await searchSampleEntry(search, box);
  if (containers.includes(type)) {
    for await (const child of placedBoxes(search, box, steps)) await searchBox(search, child, steps);
  }
}

async function searchUuid(search: Search, { start, end }: Stretch): Promise<void> {
  const uuid = await search.reader.read(start, uuidBytes);
  if (Buffer.from(uuid).toString("hex") === xmpUuid) await searchXmp(search, { start: start + uuidBytes, end });
}

/** Enough of a description that names what is in a track. */
const entryBytes = 4 * 1024;

async function searchSampleEntry(search: Search, { start, end }: Stretch): Promise<void> {
  const head = await readAll(search, { start, end: Math.min(end, start + 16) });
  const type = textAt(head ?? new Uint8Array(), 12, 4);
  if (locationTracks.includes(type)) search.left.add("timed_track");
  if (type !== appleTrack) return;
  const entry = await search.reader.read(start, Math.min(end - start, entryBytes));
  if (textAt(entry, 0, entry.length).includes("location")) search.left.add("timed_track");
}
