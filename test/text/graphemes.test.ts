import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countGraphemes, graphemeOffsets } from "../../src/text/graphemes.ts";
import { awkwardText, seed } from "./awkward.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

function graphemeEnds(text: string): number[] {
  const [first, ...ends] = graphemeOffsets(text);
  expect(first).toBe(0);
  return ends;
}

function oracle(text: string): number[] {
  return Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length);
}

describe("graphemes", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["e\u0301", 1],
    ["👨‍👩‍👧‍👦", 1],
    ["🇩🇪🇫🇷", 2],
    ["\r\n", 1],
    ["\n\n", 2],
    ["नमस्ते", 3],
    ["#️⃣", 1],
    ["\ud83d", 1],
  ])("counts %j as %i", (text, count) => {
    expect(countGraphemes(text)).toBe(count);
  });

  it("agrees with Intl.Segmenter on every character of the basic plane between letters, doubled and beside a sign", () => {
    const wrong: string[] = [];
    for (let first = 0; first <= 0xffff; first += 64) {
      const characters = Array.from({ length: 64 }, (_, more) => String.fromCharCode(first + more));
      const text = characters.map((character) => `a${character}b 語${character}${character}é`).join("");
      if (graphemeEnds(text).join() !== oracle(text).join()) wrong.push(`from ${first.toString(16)} on`);
    }
    expect(wrong).toEqual([]);
  });

  it("agrees with Intl.Segmenter on every emoji and sign above it, alone, doubled, before accents and after joiners", () => {
    const wrong: string[] = [];
    for (let codePoint = 0x1_f000; codePoint <= 0x1_fbff; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      const text = `a${character}b${character}${character}\u0301\ufe0f\u200d${character}\n${character}語${character}`;
      if (graphemeEnds(text).join() !== oracle(text).join()) wrong.push(codePoint.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    "a\u0301\u0302b",
    "\u0301a",
    "\n\u0301\u0302a\u0301",
    "\r\u0301\n",
    "1\ufe0f\u20e32",
    "👍🏽👍🏽\ufe0f👍",
    "🏽🏽",
    "a\u00ad\u0301b",
    "\u0600😀\u0301",
    "😀\ud83d",
    "😀\ude00😀",
    "\ud83da",
    "👨\u200d",
    "👨\u200d👩\u0301👦",
    "क\u094d\u0301ष",
  ])("agrees with Intl.Segmenter on %j", (text) => {
    expect(graphemeEnds(text)).toEqual(oracle(text));
    for (const around of ["a", "😀", "\n", "\u0301"])
      expect(graphemeEnds(around + text + around)).toEqual(oracle(around + text + around));
  });

  it("agrees with Intl.Segmenter on awkward texts", () => {
    fc.assert(
      fc.property(awkwardText(40), (text) => {
        expect(graphemeEnds(text)).toEqual(oracle(text));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it.each([
    ["one cluster that is longer than several windows", `a${"\u0301".repeat(5_000)}b\u0301`],
    ["families, whose clusters cross the window's end", "👨‍👩‍👧‍👦".repeat(1_000)],
    ["skin tones, whose surrogates cross the window's end", `\u0600${"👍🏽".repeat(1_500)}`],
    ["flags after an odd one", `🇽${"🇩🇪".repeat(2_000)}`],
    ["conjuncts", "क्ष".repeat(1_500)],
  ])("agrees with Intl.Segmenter on %s", (_, text) => {
    expect(graphemeEnds(text)).toEqual(oracle(text));
  });
});
