import { commonWords, overlap, wordsOf } from "../../src/text/likeness.ts";
import { unrelatedPosts } from "./unrelated-posts.ts";

/** Of how many pairs of unrelated posts a look could not say that they are not each other. */
export interface LikenessShare {
  language: string;
  pairs: number;
  alike: number;
}

/** As src/networks/runtime/match-posts.ts rules out a post: enough words on both sides, and less than this held. */
const minHeld = 0.2;
/** At most this share of unrelated pairs may look alike. */
export const maxAlike = 0.05;

export function likenessShares(): LikenessShare[] {
  return Object.entries(unrelatedPosts).map(([language, posts]) => {
    const words = posts.map(wordsOf);
    let pairs = 0;
    let alike = 0;
    for (const [index, one] of words.entries()) {
      for (const other of words.slice(index + 1)) {
        const rest = words.filter((each) => each !== one && each !== other);
        pairs += 1;
        if (overlap(one, other, commonWords(rest)).held >= minHeld) alike += 1;
      }
    }
    return { language, pairs, alike };
  });
}
