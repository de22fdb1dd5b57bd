import { graphemeOffsets } from "../text/graphemes.ts";

/** What a conversation shows of its newest message, UTF-16 units at most. The whole text is stored once, with the message. */
export const maxExcerpt = 500;

/** As many whole characters as fit. */
export function excerptOf(text: string): string {
  if (text.length <= maxExcerpt) return text;
  // What is far beyond the end is not worth looking at.
  const end = graphemeOffsets(text.slice(0, 2 * maxExcerpt)).findLast((offset) => offset <= maxExcerpt);
  // A single character may be longer than all that is shown.
  return end ? text.slice(0, end) : text.slice(0, maxExcerpt).replace(/\p{Surrogate}$/u, "");
}
