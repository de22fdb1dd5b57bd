import { type Ids, idPrefixes } from "../../src/ports/ids.ts";

/** Random choices that a seed repeats. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  of<Item>(items: readonly Item[]): Item;
  /** A new list, in another order. */
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    of<Item>(items: readonly Item[]): Item {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("There is nothing to choose from.");
      return item;
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((some, other) => some.at - other.at)
        .map(({ item }) => item),
  };
}

/** Ids, and all other random values of a service, that a seed repeats. */
export function seededIds(random: Random): Ids {
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.between(0, 255));
  return {
    create: (kind, nowMs) => `${idPrefixes[kind]}${nowMs.toString(36)}${Buffer.from(bytes(8)).toString("hex")}`,
    bytes,
  };
}
