/** Embeddings, overrides and isolates: they turn round the text that stands beside what somebody else wrote. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;
/** Control characters, line ends among them, and what no store keeps. */
const notText = /[\p{Cc}\p{Surrogate}\u2028\u2029\ufeff\ufffd]+/gu;

/**
 * Words that somebody else wrote, as one line of bounded length that every
 * store can keep and every page can show.
 *
 * @param most UTF-16 units at most; what is cut ends in "…"
 */
export function cleanLine(text: string, most: number): string {
  // What is far beyond the end is not worth looking at.
  const near = text.slice(0, most * 4).replace(directionMarks, "");
  const line = near.replace(notText, " ").replace(/ {2,}/g, " ").trim();
  if (line.length <= most && text.length <= most * 4) return line;
  return `${line.slice(0, most - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
