/** Embeddings, overrides and isolates, which would reverse the text next to a user's text. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;
/** Control characters, including line breaks, and characters that no store keeps. */
const notText = /[\p{Cc}\p{Surrogate}\u2028\u2029\ufeff\ufffd]+/gu;

/**
 * Converts a user's text to one line of limited length that every store can keep and every page can show.
 *
 * @param maxLength UTF-16 units at most; a truncated text ends in "…"
 */
export function cleanLine(text: string, maxLength: number): string {
  // Only the beginning is processed, since the rest will be cut.
  const near = text.slice(0, maxLength * 4).replace(directionMarks, "");
  const line = near.replace(notText, " ").replace(/ {2,}/g, " ").trim();
  if (line.length <= maxLength && text.length <= maxLength * 4) return line;
  return `${line.slice(0, maxLength - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
