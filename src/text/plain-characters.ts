/**
 * Letters, digits and signs of the common scripts, as the first and the last of
 * each range, ascending. Two of them side by side are always two grapheme
 * clusters (Unicode Annex 29: neither extends, prepends nor joins).
 */
// biome-ignore format: data
export const plainRanges: readonly (readonly [first: number, last: number])[] = [
  [0x0a, 0x0a], // the line feed
  [0x20, 0x7e], // ASCII
  [0xa0, 0x2ff], // Latin
  [0x370, 0x482], // Greek, Cyrillic
  [0x5d0, 0x5ea], // Hebrew
  [0x620, 0x64a], // Arabic
  [0x2010, 0x2027], // dashes, quotation marks
  [0x3000, 0x3029], // Chinese and Japanese punctuation
  [0x3041, 0x3096], // Hiragana
  [0x30a1, 0x30ff], // Katakana
  [0x4e00, 0x9fff], // Han
  [0xac00, 0xd7a3], // Hangul syllables
  [0xff01, 0xff60], // full-width forms
];
