import type { TextRule } from "../../src/networks/contract/limits.ts";
import { splitThread } from "../../src/planning/thread.ts";
import { countText } from "../../src/text/count.ts";
import { findFacets } from "../../src/text/facets.ts";
import { graphemeOffsets } from "../../src/text/graphemes.ts";
import { findLinks } from "../../src/text/links.ts";
import { PublishingError } from "../../src/wire/errors.ts";

const weighted: TextRule = { max: 280, unit: "weighted" };
const maxCaptionLength = 20_000;

/** All that reads a text which a user has written. */
export const textReaders: Record<string, (text: string) => void> = {
  graphemeOffsets,
  findLinks,
  findFacets,
  "countText for X": (text) => countText(text, weighted),
  splitThread: (text) => splitOrRefuse(text.slice(0, maxCaptionLength)),
};

/** A thread of one endless link is refused, which is an answer, too. */
function splitOrRefuse(text: string): void {
  try {
    splitThread(text, weighted);
  } catch (error) {
    if (!PublishingError.is(error)) throw error;
  }
}

/** A unit of text over and over. */
function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** What people write. */
export function proseOf(length: number): string {
  return filled(
    "A fox, see https://example.com/a?b=c and @user@host.example. #tag 😀 Übung, e\u0301!\n\n日本語です。 ",
    length,
  );
}

/** Texts at which a reader that goes back takes the square of their length. */
export function hostileTexts(length: number): string[] {
  const fill = (unit: string): string => filled(unit, length);
  return [
    ...["a.", "a..", "-.", "a_.", "a.co日-.", "com.", "t.co/ ", "a.b@", "xn--", "語.", ".み"].map(fill),
    ...["http://", "http://a.b/(", "HTTP://a.", "https://a.b/((", "(a.co", " a.co:"].map(fill),
    ...["(", "(a", "(a)", ")", ".", "!", "?", "?!", "&", "a-", "/@"].map((unit) => `http://a.co/${fill(unit)}`),
    ...["!", "a!", "%"].map((unit) => `http://a.co/?${fill(unit)}`),
    ...["@", "@a", "@a.", "@a@b ", "@-", "@a.b_ "].map(fill),
    ...["a.", "-", ".", "a-", "a@a."].map((unit) => `@${fill(unit)}`),
    ...["#", " #", "#a", " #!!!!!!!!", "$A ", "#1 "].map(fill),
    ...["1", "!", "a!", "１"].map((unit) => `#${fill(unit)}`),
    ...[" ", "\n", "\r\n", "\u00a0", '."', ". A", "漢", "漢。", "e\u0301 "].map(fill),
    ...["👨‍👩‍👧‍👦", "🇩", "\u0600", "क्", "#️⃣", "\u200d", "\ud83d", "👍🏽"].map(fill),
    `a${fill("\u0301")}`,
    `${fill("a")}@`,
    `http://${fill("語")}.com`,
  ];
}
