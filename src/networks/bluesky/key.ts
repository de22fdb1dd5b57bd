import { createHash } from "node:crypto";
import type { KeySubject } from "../contract/commit.ts";

/** Base 32 in ASCII order. https://atproto.com/specs/tid (2026-08) */
const alphabet = "234567abcdefghijklmnopqrstuvwxyz";
const length = 13;

/**
 * Microseconds after the moment of creation among which a target's id chooses. Posts are scheduled for whole minutes, and
 * two of one account must not meet in one key: with a millisecond's it happened to sixty posts once in five hundred times,
 * and the second could not be told from another's. Within a second it is once in half a million.
 */
const slots = 1_000_000;

/**
 * The record key of one part: a TID of 53 bits of microseconds and 10 bits of
 * clock id. It is the same for every attempt, so that a second create is
 * refused. Which microsecond of the second after the moment of creation it has,
 * and the clock id, come from the target's id, so that two targets of the same
 * moment differ; parts sort in their order.
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

/** The moment that a record key carries, milliseconds since 1970; null where it is no TID. */
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
