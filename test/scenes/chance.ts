import { createHash } from "node:crypto";
import { type Random, seededRandom } from "../prove/random.ts";

/**
 * Choices about something that happens in a scene. They go by what happens
 * alone (`bluesky`, `applyWrites`, the second one), not by what was drawn
 * before: a request more or less elsewhere changes nothing here.
 */
export function randomAt(seed: number, ...happening: readonly (string | number)[]): Random {
  const hash = createHash("sha256").update(JSON.stringify([seed, ...happening]));
  return seededRandom(hash.digest().readUInt32BE());
}

/** How often each thing has happened, this time included. */
export function createCounts(): (what: string) => number {
  const counts = new Map<string, number>();
  return (what) => {
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return count;
  };
}
