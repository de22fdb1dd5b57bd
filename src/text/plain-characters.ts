/** The first and the last code point of each range, ascending. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/**
 * Letters, digits and signs of the common scripts. Two of them side by side are always two grapheme clusters (Unicode
 * Annex 29: neither extends, prepends nor joins).
 */
// biome-ignore format: data
export const plainRanges: Ranges = [
  [0x20, 0x7e], // ASCII
  [0xa0, 0xac], [0xae, 0x2ff], // Latin
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
  [0x1f300, 0x1f3fa], [0x1f400, 0x1f64f], [0x1f680, 0x1f6ff], [0x1f900, 0x1f9ff], // emoji
];

/** Characters that always extend the cluster before them, unless that is a control character. */
// biome-ignore format: data
export const extendingRanges: Ranges = [
  [0x300, 0x36f], // accents
  [0x20e3, 0x20e3], // the keycap around a digit
  [0xfe0f, 0xfe0f], // the selector for display as an emoji
  [0x1f3fb, 0x1f3ff], // skin tones
];

/** Always a separate cluster. */
export const lineFeed = 0x0a;
