/** Embeddings, overrides and isolates: they would reverse the text beside what somebody else wrote. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;
/** Control characters, line ends among them, and what no store keeps. */
const notText = /[\p{Cc}\p{Surrogate}\u2028\u2029\ufeff\ufffd]+/gu;

/**
 * Text that somebody else wrote, as one line of bounded length that every
 * store can keep and every page can show.
 *
 * @param maxLength UTF-16 units at most; what is cut ends in "…"
 */
export function cleanLine(text: string, maxLength: number): string {
  // What is far beyond the end is not worth looking at.
  const near = text.slice(0, maxLength * 4).replace(directionMarks, "");
  const line = near.replace(notText, " ").replace(/ {2,}/g, " ").trim();
  if (line.length <= maxLength && text.length <= maxLength * 4) return line;
  return `${line.slice(0, maxLength - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
