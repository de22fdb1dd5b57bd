import { join, uint } from "../media/samples.ts";
import type { Random } from "../prove/random.ts";

/** Lengths, counts and marks that parsers stumble over. */
const awkward = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** A file with a few changes, mostly in its head, where the structure is: numbers, bytes, cuts, pieces of itself and of `other`. */
export function mutated(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let copy: Uint8Array = bytes.slice();
  for (let left = random.between(1, 8); left > 0; left--) {
    if (copy.length < 16) break;
    const change = random.of(changes);
    copy = change(copy, { random, other, place: placeIn(copy, random) });
  }
  return random.next() < 0.2 ? copy.slice(0, random.between(0, copy.length)) : copy;
}

interface Change {
  random: Random;
  other: Uint8Array;
  place: number;
}

function placeIn({ length }: Uint8Array, random: Random): number {
  const reach = random.next() < 0.6 ? Math.min(length, 256) : length;
  return random.between(0, reach - 1);
}

const changes: readonly ((bytes: Uint8Array, change: Change) => Uint8Array)[] = [
  (bytes, { random, place }) => {
    bytes[place] = random.between(0, 255);
    return bytes;
  },
  (bytes, { random, place }) => {
    const number = uint(random.of(awkward), random.of([1, 2, 4]));
    bytes.set(random.next() < 0.5 ? number : number.reverse(), Math.min(place, bytes.length - 4));
    return bytes;
  },
  (bytes, { random, place }) => {
    const piece = bytes.slice(place, place + random.between(1, 64));
    return join(bytes.subarray(0, place), piece, piece, piece, bytes.subarray(place));
  },
  (bytes, { random, place }) => join(bytes.subarray(0, place), bytes.subarray(place + random.between(1, 64))),
  (bytes, { random, other, place }) => {
    const from = random.between(0, other.length - 1);
    return join(bytes.subarray(0, place), other.subarray(from, from + random.between(1, 512)), bytes.subarray(place));
  },
];
