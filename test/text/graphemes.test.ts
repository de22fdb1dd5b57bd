import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countGraphemes, graphemeEnds } from "../../src/text/graphemes.ts";
import { awkwardText, seed } from "./awkward.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

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

  it("agrees with Intl.Segmenter on every character of the basic plane between letters, twice and beside a sign", () => {
    const wrong: string[] = [];
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      const text = `a${character}b 語${character}${character}é`;
      if (graphemeEnds(text).join() !== oracle(text).join()) wrong.push(unit.toString(16));
    }
    expect(wrong).toEqual([]);
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
