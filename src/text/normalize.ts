import { rememberUnits } from "./unit-table.ts";

const isNormalized = rememberUnits((character) => character.normalize("NFC") === character);

/** A text and the bounds of its grapheme clusters: 0, then the end of each. */
interface Clusters {
  text: string;
  offsets: Uint32Array;
}

/**
 * Normalizes each grapheme cluster to Unicode normalization form C. Returns the text and the bounds of the original's
 * clusters in it.
 */
export function normalizeClusters(clusters: Clusters): Clusters {
  const { text } = clusters;
  if (text.normalize("NFC") === text) return clusters;
  const offsets = clusters.offsets.slice();
  const pieces: string[] = [];
  let copied = 0;
  let start = 0;
  let grown = 0;
  for (let index = 1; index < offsets.length; index++) {
    const end = offsets[index] ?? 0;
    if (end - start > 1 || !isNormalized(text.charCodeAt(start))) {
      const normalized = text.slice(start, end).normalize("NFC");
      pieces.push(text.slice(copied, start), normalized);
      grown += normalized.length - (end - start);
      copied = end;
    }
    offsets[index] = end + grown;
    start = end;
  }
  return { text: pieces.join("") + text.slice(copied), offsets };
}
