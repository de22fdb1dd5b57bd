import { textAt, viewOf } from "../probe/reader.ts";
import { readFirstBoxType, searchIso } from "./iso.ts";
import type { Search } from "./search.ts";

/**
 * The length of a video at the end of the file, as XMP states it: in Google's first format, and for an item of its
 * second.
 */
const firstFormat = /:MicroVideoOffset(?:\s*=\s*["']|>)(\d{1,15})\b/;
const itemLength = /:Length(?:\s*=\s*["']|>)(\d{1,15})\b/;
const videoItem = /:Semantic(?:\s*=\s*["']|>)MotionPhoto\b/;

/** The end mark of the data that Samsung's phones append to an image. */
const samsungEnd = "SEFT";

/** The type of a video in Samsung's list of blocks. */
const samsungVideo = 0x0a30;

/** Maximum number of blocks; a real list has a dozen. */
const maxSamsungEntries = 64;

/** The video that follows an image: https://developer.android.com/media/platform/motion-photo-format (November 2026). */
export async function searchHiddenVideo(search: Search, packet: string): Promise<void> {
  const { sizeBytes } = search.reader;
  const item = packet.split("<rdf:li").find((each) => videoItem.test(each)) ?? "";
  const length = (firstFormat.exec(packet) ?? itemLength.exec(item))?.[1];
  if (sizeBytes === null) {
    if (length !== undefined) search.left.add("hidden_video");
    return;
  }
  const start = length === undefined ? await findSamsungVideo(search, sizeBytes) : sizeBytes - Number(length);
  if (start === null) return;
  const isVideo = start > 0 && (await readFirstBoxType(search, start)) === "ftyp";
  if (isVideo) await searchIso(search, { start, end: sizeBytes });
  else search.left.add("hidden_video");
}

/** The list of blocks comes last, with each block's distance from the list. The list's length and a mark end the file. */
async function findSamsungVideo({ reader }: Search, sizeBytes: number): Promise<number | null> {
  const end = await reader.read(Math.max(0, sizeBytes - 8), 8);
  if (textAt(end, 4, 4) !== samsungEnd) return null;
  const list = sizeBytes - 8 - littleEndian(end, 0);
  const entries = await reader.read(Math.max(0, list), 12 + 12 * maxSamsungEntries);
  const count = Math.min(littleEndian(entries, 8), maxSamsungEntries);
  for (let at = 12; at < 12 + 12 * count; at += 12) {
    // The type is in the upper half.
    if (littleEndian(entries, at) >>> 16 !== samsungVideo) continue;
    const block = list - littleEndian(entries, at + 4);
    const head = await reader.read(Math.max(0, block), 8);
    return block + 8 + littleEndian(head, 4);
  }
  return null;
}

function littleEndian(bytes: Uint8Array, offset: number): number {
  return offset + 4 > bytes.length ? 0 : viewOf(bytes).getUint32(offset, true);
}
