import { viewOf } from "./reader.ts";

/** Element ids of EBML and Matroska: RFC 8794, RFC 9559. */
export const ids = {
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
  codecId: 0x86,
  codecPrivate: 0x63a2,
  defaultDuration: 0x23e383,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  colour: 0x55b0,
  transferCharacteristics: 0x55ba,
  projection: 0x7670,
  projectionRoll: 0x7675,
  audio: 0xe1,
  channels: 0x9f,
  samplingFrequency: 0xb5,
} as const;

const containers: readonly number[] = [
  ids.ebml,
  ids.segment,
  ids.info,
  ids.tracks,
  ids.trackEntry,
  ids.video,
  ids.colour,
  ids.projection,
  ids.audio,
];

/** True: the element contains elements that are read. */
export function isContainer(id: number): boolean {
  return containers.includes(id);
}

export interface Element {
  id: number;
  headerBytes: number;
  /** Null: unknown. The element extends to one that cannot be inside it. */
  sizeBytes: number | null;
}

/** Reads an element's id and size. The zero bits before the first one bit give the length of each. */
export function readElement(bytes: Uint8Array): Element | null {
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

export function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

export function float(bytes: Uint8Array | undefined): number | null {
  if (bytes === undefined) return null;
  if (bytes.length === 4) return viewOf(bytes).getFloat32(0);
  return bytes.length === 8 ? viewOf(bytes).getFloat64(0) : null;
}
