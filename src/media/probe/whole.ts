import { oversize } from "./bounds.ts";
import { readBox } from "./boxes.ts";
import { ids, readElement } from "./ebml.ts";
import { embeddedFile, withHidden } from "./embedded-file.ts";
import type { MediaFacts } from "./facts.ts";
import { maxGifBytes, readGif, walkGif } from "./gif.ts";
import { endOfPng } from "./png.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

/** A file whose length is known, with its last bytes. */
export interface WholeFile extends MediaReader {
  mimeType: string;
  sizeBytes: number;
  /** As characters of the same number; empty where they are out of reach. */
  tail: string;
}

const cut = "is truncated; save or export it again and use the whole file";
const broken = "is corrupt: its structure is broken; save or export it again";
const unfinished =
  "has no index (moov), so it cannot be played: the recording or export was not finished; export it again";

/** The shortest header of a box. */
const headerBytes = 8;

/** More small pieces at the top of a video are not looked at. */
const maxBoxes = 64;

/** Of what stands behind the last box. */
const appendedBytes = 1_024;

/** Where nothing is found in so few bytes of a picture, nothing is there. */
const smallBytes = 64 * 1024;

/** Why a file cannot be whole, as the rest of a sentence about it; null when it is, or nobody can tell. */
export async function missingPart(file: WholeFile, facts: MediaFacts): Promise<string | null> {
  const problem = await checks[facts.mime_type]?.(file);
  if (problem != null) return problem;
  return facts.type !== "video" && facts.width === null && file.sizeBytes <= smallBytes ? cut : null;
}

const checks: Readonly<Record<string, (file: WholeFile) => Promise<string | null> | string | null>> = {
  "image/jpeg": (file) => (endsInScan(file) ? cut : null),
  "image/png": checkPng,
  "image/gif": checkGif,
  "image/webp": checkWebp,
  "image/avif": checkBoxes,
  "image/heic": checkBoxes,
  "image/heif": checkBoxes,
  "video/mp4": checkBoxes,
  "video/quicktime": checkBoxes,
  "video/webm": checkSegment,
  "video/matroska": checkSegment,
};

/** In a scan, 0xFF is followed by a zero, a restart, fill, or the tables and head of the next scan. */
function isInScan(marker: number): boolean {
  return marker === 0 || (marker >= 0xd0 && marker <= 0xd7) || marker === 0xff || marker === 0xc4 || marker === 0xda;
}

/** Fewer zeros behind 0xFF say nothing: what lies behind a picture may have some by chance. */
const minStuffedBytes = 8;

/** A JPEG that ends before its end. What phones put behind one, a video or a second picture, has other bytes in it. */
function endsInScan({ tail, sizeBytes }: WholeFile): boolean {
  const isAll = tail.length === sizeBytes;
  const lastScan = tail.lastIndexOf("\xff\xda");
  if (isAll && lastScan === -1) return true;
  let stuffedBytes = 0;
  for (let at = tail.indexOf("\xff", isAll ? lastScan : 0); at !== -1; at = tail.indexOf("\xff", at + 1)) {
    const marker = tail.charCodeAt(at + 1);
    if (at + 1 < tail.length && !isInScan(marker)) return false;
    if (marker === 0) stuffedBytes += 1;
  }
  return tail !== "" && (isAll || stuffedBytes >= minStuffedBytes);
}

async function checkPng(file: WholeFile): Promise<string | null> {
  const end = await endOfPng(file, file.sizeBytes, file.tail);
  if (end === null || end === file.sizeBytes) return null;
  return end > file.sizeBytes ? cut : appended(file, end);
}

/** From so many on, the first bytes of a GIF say how many there are in all. */
const manyFrames = 1_000;

async function checkGif(file: WholeFile): Promise<string | null> {
  const bytes = await readGif(file);
  const { stopped, frames } = walkGif(bytes);
  if (stopped !== "cut") return stopped === "broken" ? broken : null;
  if (file.sizeBytes <= maxGifBytes) return bytes.length === file.sizeBytes ? cut : null;
  const estimated = frames < manyFrames ? frames : Math.floor(((frames - 1) * file.sizeBytes) / bytes.length);
  const tooMany = oversize({ width: null, height: null, frames: estimated });
  if (tooMany !== null || file.tail === "") return tooMany;
  return file.tail.replace(/\0+$/, "").endsWith(";") ? null : cut;
}

async function checkWebp(file: WholeFile): Promise<string | null> {
  const header = await file.read(0, 8);
  // The length is even; some leave out the last byte that makes it so.
  return header.length === 8 && viewOf(header).getUint32(4, true) + 7 > file.sizeBytes ? cut : null;
}

/** What a box at the top of AVIF, HEIC, MP4 and MOV may be (https://mp4ra.org/registered-types/boxes). */
const topBoxes = ["ftyp", "moov", "mdat", "meta", "free", "skip", "wide", "uuid", "moof", "mfra", "sidx", "styp"];

async function checkBoxes(file: WholeFile): Promise<string | null> {
  let offset = 0;
  let hasIndex = false;
  for (let count = 0; count < maxBoxes && offset + headerBytes <= file.sizeBytes; count++) {
    const box = readBox(await file.read(offset, 16), offset);
    if (box === null || !topBoxes.includes(box.type)) return appended(file, offset);
    hasIndex ||= box.type === "moov" || box.type === "meta";
    if (Number.isFinite(box.end) && box.end > file.sizeBytes) return cut;
    offset = box.end;
  }
  if (hasIndex || offset + headerBytes <= file.sizeBytes) return null;
  return offset < file.sizeBytes ? cut : unfinished;
}

/** What stands behind a file's end: cameras and phones put data of their own there, which is no harm. */
async function appended(file: WholeFile, offset: number): Promise<string | null> {
  const begins = await file.read(offset, appendedBytes);
  const hidden = embeddedFile(file.mimeType, textAt(begins, 0, begins.length), "");
  return hidden === null ? null : withHidden(file.mimeType, hidden);
}

/** A segment of unknown size goes on to the end, wherever that is. */
async function checkSegment(file: WholeFile): Promise<string | null> {
  const header = readElement(await file.read(0, 12));
  if (header?.sizeBytes == null) return null;
  const at = header.headerBytes + header.sizeBytes;
  const segment = readElement(await file.read(at, 12));
  if (segment?.id !== ids.segment || segment.sizeBytes === null) return null;
  return at + segment.headerBytes + segment.sizeBytes > file.sizeBytes ? cut : null;
}
