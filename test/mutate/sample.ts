import { seededRandom } from "../prove/random.ts";

/** At most `count` of the items, the same ones for the same seed, in their order. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const random = seededRandom(seed);
  const left = [...items.keys()];
  const chosen = new Set<number>();
  while (chosen.size < count && left.length > 0) {
    for (const place of left.splice(random.between(0, left.length - 1), 1)) chosen.add(place);
  }
  return items.filter((_, place) => chosen.has(place));
}
