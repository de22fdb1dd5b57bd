import { randomBytes } from "node:crypto";

/** The kinds of resources with an id, and the prefix of each. */
export const idPrefixes = {
  post: "post_",
  target: "tgt_",
  profile: "prof_",
  connection: "conn_",
  intent: "int_",
  publication: "pub_",
  key: "key_",
  endpoint: "wh_",
  delivery: "dlv_",
  inbox: "inb_",
  conversation: "cnv_",
  message: "msg_",
  update: "upd_",
  hook: "hook_",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** Creates ids and all other random values. Replaceable, so that a test run can be repeated from its seed. */
export interface Ids {
  /** A new id: prefix, then 26 characters that sort by `nowMs`. */
  create(kind: IdKind, nowMs: number): string;
  /** `length` random bytes, secure enough for keys. */
  bytes(length: number): Uint8Array;
}

/** Random bytes in an id. */
const idBytes = 10;

/** Ids from the machine's random source. */
export const randomIds: Ids = {
  create: (kind, nowMs) => idPrefixes[kind] + sortableId(nowMs, nextIdBytes()),
  bytes: (length) => new Uint8Array(randomBytes(length)),
};

/**
 * A supply of random bytes for ids: creating hundreds costs little more than creating one. Allowed because ids are
 * not secret.
 */
let drawn: Uint8Array = new Uint8Array(0);

function nextIdBytes(): Uint8Array {
  if (drawn.length < idBytes) drawn = randomBytes(400 * idBytes);
  const taken = drawn.subarray(0, idBytes);
  drawn = drawn.subarray(idBytes);
  return taken;
}

/** Crockford's alphabet: in ASCII order, without I, L, O and U. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Ten characters of time and sixteen of randomness (`random`: 10 bytes), like a ULID. */
function sortableId(nowMs: number, random: Uint8Array): string {
  const [high, low] = [random.subarray(0, 5), random.subarray(5)].map(integerFrom);
  return inBase32(Math.floor(nowMs), 10) + inBase32(high ?? 0, 8) + inBase32(low ?? 0, 8);
}

/** The integer of up to six bytes, the highest byte first. */
function integerFrom(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function inBase32(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < length; index++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
