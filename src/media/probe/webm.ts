import type { MediaFacts } from "./facts.ts";
import { type MediaReader, textAt, viewOf } from "./reader.ts";

/**
 * Element ids of EBML and Matroska: RFC 8794, RFC 9559.
 */
const ids = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  cluster: 0x1f43b675,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackType: 0x83,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
} as const;

/** Of a whole file's head; a real one has about a hundred. */
const maxElements = 2_000;

/** RFC 9559, section 5.1.2.9: nanoseconds per tick, unless the file says otherwise. */
const defaultTimestampScale = 1_000_000;

interface Found {
  docType: string | null;
  timestampScale: number;
  durationTicks: number | null;
  trackTypes: number[];
  width: number | null;
  height: number | null;
}

/** WebM and Matroska, as far as the head says. Null for sound alone and for other EBML documents. */
export async function probeWebm(head: MediaReader): Promise<MediaFacts | null> {
  const found = await readHead(head);
  const mimeType = { webm: "video/webm", matroska: "video/matroska" }[found.docType ?? ""];
  if (mimeType === undefined) return null;
  if (found.trackTypes.length > 0 && !found.trackTypes.includes(1)) return null;
  const nanoseconds = found.durationTicks === null ? Number.NaN : found.durationTicks * found.timestampScale;
  return {
    type: "video",
    mime_type: mimeType,
    width: found.width || null,
    height: found.height || null,
    duration_seconds: nanoseconds > 0 && Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : null,
  };
}

/** Walks elements in file order: into those that hold what is asked for, past the others, up to the first cluster. */
async function readHead(head: MediaReader): Promise<Found> {
  const found: Found = {
    docType: null,
    timestampScale: defaultTimestampScale,
    durationTicks: null,
    trackTypes: [],
    width: null,
    height: null,
  };
  let offset = 0;
  for (let count = 0; count < maxElements; count++) {
    const element = readElement(await head.read(offset, 12));
    if (element === null || element.id === ids.cluster) break;
    offset += element.headerBytes;
    if (isContainer(element.id)) continue;
    // Only the EBML header, the segment and live clusters may be of unknown size.
    if (element.sizeBytes === null) break;
    if (isWanted(element.id)) keep(found, element.id, await head.read(offset, Math.min(element.sizeBytes, 16)));
    offset += element.sizeBytes;
  }
  return found;
}

function isContainer(id: number): boolean {
  return ([ids.ebml, ids.segment, ids.info, ids.tracks, ids.trackEntry, ids.video] as number[]).includes(id);
}

function isWanted(id: number): boolean {
  return (
    [ids.docType, ids.timestampScale, ids.duration, ids.trackType, ids.pixelWidth, ids.pixelHeight] as number[]
  ).includes(id);
}

function keep(found: Found, id: number, value: Uint8Array): void {
  if (id === ids.docType) found.docType ??= textAt(value, 0, 16).replace(/\0+$/, "");
  if (id === ids.timestampScale) found.timestampScale = unsigned(value);
  if (id === ids.duration) found.durationTicks = float(value);
  if (id === ids.trackType && found.trackTypes.length < 64) found.trackTypes.push(unsigned(value));
  // The first video track is the one that is shown.
  if (id === ids.pixelWidth) found.width ??= unsigned(value);
  if (id === ids.pixelHeight) found.height ??= unsigned(value);
}

interface Element {
  id: number;
  headerBytes: number;
  /** Null: unknown, the element goes on until something that cannot be in it. */
  sizeBytes: number | null;
}

/** Id and size, each as long as the zero bits before its first one bit say. */
function readElement(bytes: Uint8Array): Element | null {
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23;
  const sizeBytes = Math.clz32(bytes[idBytes] ?? 0) - 23;
  if (idBytes > 4 || sizeBytes > 8 || bytes.length < idBytes + sizeBytes) return null;
  const size = bytes.slice(idBytes, idBytes + sizeBytes);
  size[0] = (size[0] ?? 0) & (0xff >> sizeBytes);
  const isUnknown = size.every((byte, index) => byte === (index === 0 ? 0xff >> sizeBytes : 0xff));
  return {
    id: unsigned(bytes.subarray(0, idBytes)),
    headerBytes: idBytes + sizeBytes,
    sizeBytes: isUnknown ? null : unsigned(size),
  };
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function float(bytes: Uint8Array): number | null {
  if (bytes.length === 4) return viewOf(bytes).getFloat32(0);
  return bytes.length === 8 ? viewOf(bytes).getFloat64(0) : null;
}
