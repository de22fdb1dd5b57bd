import { createHash } from "node:crypto";
import type { KeySubject } from "../contract/commit.ts";

/** The base 32 alphabet in ASCII order. https://atproto.com/specs/tid (2026-08) */
const alphabet = "234567abcdefghijklmnopqrstuvwxyz";
const length = 13;

/**
 * Number of microseconds after the time of creation from which a target's id chooses. Posts are scheduled for whole
 * minutes, and two posts of one account must not get the same key. Within a millisecond, sixty posts collided once in
 * five hundred times, and the second post could not be told from another app's. Within a second, that happens once in
 * half a million times.
 */
const slots = 1_000_000;

/**
 * The record key of one part: a TID of 53 bits of microseconds and 10 bits of clock id. It is the same for every
 * attempt, so a second create is rejected. The target's id decides the microsecond within the second after creation,
 * and the clock id, so that two targets of the same time differ. Parts sort in their order.
 *
 * @example recordKey({ subjectId: "tgt_1", createdAt: 1763725800000, part: 0, bodyHash: "9f86…" }) // "3m6…", 13 characters
 */
export function recordKey(subject: KeySubject): string {
  const digest = createHash("sha256").update(subject.subjectId).digest();
  const slot = digest.readUInt32BE(0) % slots;
  const microseconds = BigInt(subject.createdAt) * 1000n + BigInt(slot + subject.part);
  const clockId = BigInt(digest.readUInt16BE(4) & 1023);
  return toTid((microseconds << 10n) | clockId);
}

/** The time in a record key, milliseconds since 1970. Null: it is not a TID. */
export function timeOfKey(key: string): number | null {
  if (!/^[2-7a-j][2-7a-z]{12}$/.test(key)) return null;
  let value = 0n;
  for (const letter of key) value = (value << 5n) | BigInt(alphabet.indexOf(letter));
  return Number((value >> 10n) / 1000n);
}

function toTid(value: bigint): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = alphabet.charAt(Number(rest & 31n)) + text;
  return text;
}
