import { rememberUnits } from "./unit-table.ts";
import type { UrlSpan } from "./urls.ts";

/**
 * X's length of a URL: X replaces every URL by a t.co link (https://docs.x.com/fundamentals/counting-characters, read
 * 2026-08).
 */
const shortenedUrlLength = 23;

/**
 * Code points with weight 1 (of 280); all others have weight 2. The published numbers are 100 and 200 with a scale of
 * 100 (https://github.com/twitter/twitter-text/blob/master/config/v3.json, read 2026-11).
 */
const lightRanges = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
] as const;

const emojiWeight = 2;

/**
 * Emoji that need no variation selector but are mostly written with one, which adds nothing (npm twemoji-parser
 * 11.0.2, read 2026-11).
 */
const withSelector =
  "[\\u231a\\u231b\\u25fd\\u25fe\\u2614\\u2615\\u2648-\\u2653\\u267f\\u2693\\u26a1\\u26aa\\u26ab\\u26bd\\u26be\\u26c4\\u26c5\\u26d4\\u26ea\\u26f2\\u26f3\\u26f5\\u26fa\\u26fd\\u2757\\u2b1b\\u2b1c\\u2b50\\u2b55\\u{1f004}\\u{1f21a}\\u{1f22f}]";

// A separate constant, because the `v` flag is newer than this package's language target.
const emojiFlags = "vy";
let emoji: RegExp | undefined;

/** Created at its first use, since compiling it is slow. */
function emojiExpression(): RegExp {
  emoji ??= new RegExp(`${withSelector}\\ufe0f|\\p{RGI_Emoji}|[#*0-9]\\u20e3`, emojiFlags);
  return emoji;
}

const nowhere = { start: Infinity, end: Infinity };

/**
 * X's weight of a text, per UTF-16 unit: the weight of an emoji, a URL or a surrogate pair is at its first unit, the
 * others have 0.
 *
 * @param text in Unicode normalization form C
 * @param urls as X delimits them
 */
export function weightsOf(text: string, urls: readonly UrlSpan[], urlLength: number = shortenedUrlLength): Uint32Array {
  const weights = new Uint32Array(text.length);
  let next = 0;
  let { start, end } = urls[next] ?? nowhere;
  for (let position = 0; position < text.length; ) {
    while (start < position) ({ start, end } = urls[++next] ?? nowhere);
    if (start === position) {
      weights[position] = urlLength;
      position = end;
    } else if (isLightUnit(text.charCodeAt(position))) {
      weights[position++] = 1;
    } else {
      const emojiEnd = endOfEmoji(text, position);
      const codePoint = text.codePointAt(position) ?? 0;
      weights[position] = emojiEnd !== -1 ? emojiWeight : isLight(codePoint) ? 1 : 2;
      position = emojiEnd !== -1 ? emojiEnd : position + (codePoint > 0xffff ? 2 : 1);
    }
  }
  return weights;
}

/** True: weight 1, and not the beginning of an emoji, as for nearly all characters of most texts. */
function isLightUnit(unit: number): boolean {
  // The ASCII characters that begin keycap emoji come before these.
  if (unit > 0x3f && unit < 0x80) return true;
  return unit <= lightRanges[0][1] && !isKeyUnit(unit);
}

function isLight(codePoint: number): boolean {
  return codePoint <= lightRanges[0][1] || lightRanges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/** -1: no emoji begins here, or one of a single character, which has the same weight. */
function endOfEmoji(text: string, position: number): number {
  if (!mayBeginEmoji(text, position)) return -1;
  const expression = emojiExpression();
  expression.lastIndex = position;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** Units that may follow the first character of an emoji: a selector, a keycap, a joiner, skin tones and flags, tags. */
const continuing: ReadonlySet<number> = new Set([0xfe0f, 0x20e3, 0x200d, 0xd83c, 0xdb40]);

const key = /[#*0-9©®]/;
const isKeyUnit = rememberUnits((character) => key.test(character));

/** Skips the slow test for nearly all characters. */
function mayBeginEmoji(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  if (unit < 0x203c) return isKeyUnit(unit) && isContinuing(text, position + 1);
  if (unit > 0xd7ff) return unit >= 0xd83c && unit <= 0xd83e && isContinuing(text, position + 2);
  return unit <= 0x2b55 || unit === 0x3030 || unit === 0x303d || unit === 0x3297 || unit === 0x3299;
}

function isContinuing(text: string, position: number): boolean {
  return position < text.length && continuing.has(text.charCodeAt(position));
}
