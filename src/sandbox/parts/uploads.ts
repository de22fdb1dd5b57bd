import { Buffer } from "node:buffer";
import type { SandboxRequest } from "../exchange.ts";

/** Servers detect the format from the bytes, not from the upload's declared type. */
export type FileFormat = "png" | "jpeg" | "gif" | "webp" | "avif" | "heic" | "webm" | "mp4" | "mov";

const signatures: readonly { format: FileFormat; offset: number; start: readonly number[] }[] = [
  { format: "png", offset: 0, start: [0x89, 0x50, 0x4e, 0x47] },
  { format: "jpeg", offset: 0, start: [0xff, 0xd8, 0xff] },
  { format: "gif", offset: 0, start: [0x47, 0x49, 0x46, 0x38] },
  { format: "webp", offset: 8, start: [0x57, 0x45, 0x42, 0x50] },
  { format: "webm", offset: 0, start: [0x1a, 0x45, 0xdf, 0xa3] },
  { format: "mp4", offset: 4, start: [0x66, 0x74, 0x79, 0x70] },
];

/** The format by brand, for files that begin like an MP4. */
const brands: ReadonlyMap<string, FileFormat> = new Map([
  ["avif", "avif"],
  ["avis", "avif"],
  ["heic", "heic"],
  ["heix", "heic"],
  ["mif1", "heic"],
  ["qt  ", "mov"],
]);

/** Null: an unknown format. */
export function formatOf(bytes: Uint8Array): FileFormat | null {
  const found = signatures.find(({ offset, start }) => start.every((byte, index) => bytes[offset + index] === byte));
  if (found?.format === "mp4") return brands.get(String.fromCharCode(...bytes.subarray(8, 12))) ?? "mp4";
  return found?.format ?? null;
}

/** H.264's profile with 8 bit and 4:2:0; profiles with higher numbers are for studios. ISO/IEC 14496-10, annex A. */
const highProfile = 100;

/** True: players can play the video, according to the box that describes H.264. */
export function isPlayable(bytes: Uint8Array): boolean {
  const box = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("avcC");
  // A version follows the box's name.
  return box === -1 || (bytes[box + 5] ?? 0) <= highProfile;
}

/** True: the request states its length. Some servers reject a chunked upload. */
export function tellsLength({ headers, bytes }: Pick<SandboxRequest, "headers" | "bytes">): boolean {
  return Number(headers.get("content-length")) === bytes.length;
}
