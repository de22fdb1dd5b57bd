import { createHash } from "node:crypto";
import type { JsonObject } from "../../wire/json.ts";
import { encodeDagCbor, toBase32 } from "./dag-cbor.ts";

/** https://github.com/multiformats/multicodec/blob/master/table.csv (2026-08) */
const codecs = { blob: 0x55, record: 0x71 } as const;
const version = 0x01;
/** The code of SHA-256, and its length of 32 bytes. */
const hash = [0x12, 0x20] as const;

/** A CID, version 1 with SHA-256. https://atproto.com/specs/data-model#link-and-cid-formats (2026-08) */
export function contentId(kind: keyof typeof codecs, bytes: Uint8Array): string {
  const digest = createHash("sha256").update(bytes).digest();
  return `b${toBase32(Uint8Array.of(version, codecs[kind], ...hash, ...digest))}`;
}

/** The content id that a server will give a record. It depends only on the record. */
export function recordContentId(record: JsonObject): string {
  return contentId("record", encodeDagCbor(record));
}
