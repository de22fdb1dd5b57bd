import { createHash } from "node:crypto";
import type { Json } from "../../json.ts";

const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/** A CID, version 1 with SHA-256. https://atproto.com/specs/data-model#link-and-cid-formats (2026-08) */
export function contentId(kind: "blob" | "record", bytes: Uint8Array): string {
  const codec = kind === "blob" ? 0x55 : 0x71;
  const digest = createHash("sha256").update(bytes).digest();
  return `b${toBase32(Uint8Array.of(0x01, codec, 0x12, 0x20, ...digest))}`;
}

/** As the server stores a record: keys by length, then by their bytes. https://ipld.io/specs/codecs/dag-cbor/spec/ (2026-08) */
export function inStoredOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inStoredOrder);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inStoredOrder(each)]));
}

export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += base32.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + base32.charAt((held << (5 - bits)) & 31);
}
