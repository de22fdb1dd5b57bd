import { describe, expect, it } from "vitest";
import { commonWords, folded, nearness, overlap, wordsOf } from "../../src/text/likeness.ts";
import { likenessShares, maxAlike } from "../support/likeness-share.ts";

describe("the words of a text", () => {
  it.each([
    ["in lower case, without punctuation", "Hello, WORLD!", ["hello", "world"]],
    ["with full-width letters as plain ones", "ＡＢＣ", ["abc"]],
    ["with emoji", "so 👩‍👩‍👧 it is 🇩🇪", ["so", "👩‍👩‍👧", "it", "is", "🇩🇪"]],
    ["in a text without spaces", "今日は天気", ["今日", "は", "天気"]],
  ])("are found: %s", (_, text, words) => {
    expect([...wordsOf(text).all]).toEqual(words);
  });

  it("include the hosts of links, and the numbers and links are returned as well", () => {
    const { all, exact } = wordsOf("7 of 10: https://example.com/a/b?c=1 and docs.example.org/x");
    expect([...all]).toEqual(expect.arrayContaining(["7", "10", "example.com", "docs.example.org"]));
    expect(exact.split(" ")).toEqual(expect.arrayContaining(["10", "7", "docs.example.org/x", "example.com/a/b?c=1"]));
  });

  it("include a link's host as one word, with hyphens", () => {
    expect(wordsOf("https://my-site.example.com/about?x=1#y").all).toContain("my-site.example.com");
    expect(wordsOf("my-site.example.com?x").all).toContain("my-site.example.com");
  });

  it("are plain if no network rewrites them: outside of links, mentions and emoji names", () => {
    const { plain } = wordsOf("7 cats, @bob@social.example and #dogs :party_parrot: at https://example.com/a 🎉");
    expect([...plain]).toEqual(["cats", "and", "dogs", "at"]);
  });

  it("are only those of the beginning if the text is too long to compare", () => {
    expect(wordsOf(`${"a ".repeat(500)}${"b ".repeat(500)}`).all).toEqual(new Set(["a"]));
  });
});

it.each(likenessShares())(
  "the comparison confuses at most 1 in 20 unrelated posts in $language",
  ({ pairs, alike }) => {
    expect(alike / pairs).toBeLessThanOrEqual(maxAlike);
  },
);

it("the folded form ignores case, width and whitespace", () => {
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

  it("without words are not similar", () => {
    expect(nearness(wordsOf(""), wordsOf("..."))).toBe(0);
  });

  it("are compared by the smaller one, without common words", () => {
    expect(overlap(one, wordsOf("the cat"), new Set())).toEqual({ held: 1, smaller: 2 });
    expect(overlap(one, wordsOf("the cat"), new Set(["the"]))).toEqual({ held: 1, smaller: 1 });
    expect(overlap(one, wordsOf("the"), new Set(["the"]))).toEqual({ held: 0, smaller: 0 });
  });

  it("have words in common that two of many texts contain", () => {
    expect(commonWords([one, wordsOf("the dog"), wordsOf("a mat")])).toEqual(new Set(["the", "mat"]));
  });
});
