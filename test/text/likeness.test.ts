import { describe, expect, it } from "vitest";
import { commonWords, folded, nearness, overlap, wordsOf } from "../../src/text/likeness.ts";
import { likenessShares, maxAlike } from "../support/likeness-share.ts";

describe("the words of a text", () => {
  it.each([
    ["in lower case, without marks", "Hello, WORLD!", ["hello", "world"]],
    ["full-width letters as plain ones", "ＡＢＣ", ["abc"]],
    ["emoji", "so 👩‍👩‍👧 it is 🇩🇪", ["so", "👩‍👩‍👧", "it", "is", "🇩🇪"]],
    ["words of a text without spaces", "今日は天気", ["今日", "は", "天気"]],
  ])("are found: %s", (_, text, words) => {
    expect([...wordsOf(text).all]).toEqual(words);
  });

  it("hold the hosts of links, and which numbers and links there are", () => {
    const { all, exact } = wordsOf("7 of 10: https://example.com/a/b?c=1 and docs.example.org/x");
    expect([...all]).toEqual(expect.arrayContaining(["7", "10", "example.com", "docs.example.org"]));
    expect(exact.split(" ")).toEqual(expect.arrayContaining(["10", "7", "docs.example.org/x", "example.com/a/b?c=1"]));
  });

  it("hold the host of a link as one word, hyphens and all", () => {
    expect(wordsOf("https://my-site.example.com/about?x=1#y").all).toContain("my-site.example.com");
    expect(wordsOf("my-site.example.com?x").all).toContain("my-site.example.com");
  });

  it("are plain where no network writes them anew: outside of links, mentions and names of emoji", () => {
    const { plain } = wordsOf("7 cats, @bob@social.example and #dogs :party_parrot: at https://example.com/a 🎉");
    expect([...plain]).toEqual(["cats", "and", "dogs", "at"]);
  });

  it("of a text longer than can be compared are those of its beginning", () => {
    expect(wordsOf(`${"a ".repeat(500)}${"b ".repeat(500)}`).all).toEqual(new Set(["a"]));
  });
});

it.each(likenessShares())(
  "takes at most 1 in 20 of unrelated posts in $language for each other",
  ({ pairs, alike }) => {
    expect(alike / pairs).toBeLessThanOrEqual(maxAlike);
  },
);

it("folds case, width and whitespace", () => {
  expect(folded("  Ｈello \n\n WORLD\t")).toBe("hello world");
});

describe("two texts", () => {
  const one = wordsOf("the cat sat on the mat");

  it.each([
    ["are the same", "The cat sat on the mat!", 1],
    ["share half", "the cat ate", 0.5],
    ["share nothing", "dogs bark", 0],
  ])("%s", (_, text, near) => {
    expect(nearness(one, wordsOf(text))).toBe(near);
  });

  it("of no words are not near", () => {
    expect(nearness(wordsOf(""), wordsOf("..."))).toBe(0);
  });

  it("hold each other by the smaller one, without common words", () => {
    expect(overlap(one, wordsOf("the cat"), new Set())).toEqual({ held: 1, smaller: 2 });
    expect(overlap(one, wordsOf("the cat"), new Set(["the"]))).toEqual({ held: 1, smaller: 1 });
    expect(overlap(one, wordsOf("the"), new Set(["the"]))).toEqual({ held: 0, smaller: 0 });
  });

  it("have words in common that two of many texts have", () => {
    expect(commonWords([one, wordsOf("the dog"), wordsOf("a mat")])).toEqual(new Set(["the", "mat"]));
  });
});
