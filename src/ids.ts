import { randomBytes } from "node:crypto";

/** The kinds of things that have an id, and the prefix each id carries. */
export const idPrefixes = {
  post: "post_",
  target: "tgt_",
  profile: "prof_",
  intent: "int_",
  publication: "pub_",
  key: "key_",
  endpoint: "wh_",
  delivery: "dlv_",
} as const;

export type IdKind = keyof typeof idPrefixes;

/**
 * Makes ids and every other random value. Replaceable, so that a test run can
 * be repeated from its seed.
 */
export interface Ids {
  /** A new id: prefix, then 26 characters that sort by `nowMs`. */
  create(kind: IdKind, nowMs: number): string;
  /** `length` random bytes, fit for keys. */
  bytes(length: number): Uint8Array;
}

/** Ids from the machine's random source. */
export const randomIds: Ids = {
  create: (kind, nowMs) => idPrefixes[kind] + sortableId(nowMs, randomBytes(10)),
  bytes: (length) => new Uint8Array(randomBytes(length)),
};

/** Crockford's alphabet: in ASCII order, without I, L, O and U. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Ten characters of time and sixteen of randomness (`random`: 10 bytes), like a ULID. */
function sortableId(nowMs: number, random: Uint8Array): string {
  let time = "";
  let rest = Math.floor(nowMs);
  for (let index = 0; index < 10; index++) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let bits = 0n;
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);
  let tail = "";
  for (let index = 0; index < 16; index++) {
    tail = alphabet[Number(bits & 31n)] + tail;
    bits >>= 5n;
  }
  return time + tail;
}
