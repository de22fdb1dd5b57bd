import { graphemeOffsets } from "../text/graphemes.ts";

/** Maximum length of `last_message.text`, UTF-16 units. The whole text is stored once, with the message. */
export const maxExcerpt = 500;

/** Returns as many whole characters as fit. */
export function excerptOf(text: string): string {
  if (text.length <= maxExcerpt) return text;
  // Text far beyond the limit is not segmented.
  const end = graphemeOffsets(text.slice(0, 2 * maxExcerpt)).findLast((offset) => offset <= maxExcerpt);
  // A single character may be longer than the limit.
  return end ? text.slice(0, end) : text.slice(0, maxExcerpt).replace(/\p{Surrogate}$/u, "");
}
