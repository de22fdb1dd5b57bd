import fc from "fast-check";
import twitter from "twitter-text";
import { describe, expect, it } from "vitest";
import type { TextRule } from "../../src/networks/contract/limits.ts";
import { countBytes } from "../../src/text/bytes.ts";
import { countText, fits, measureText } from "../../src/text/count.ts";
import { readText } from "../../src/text/reading.ts";
import { awkwardText, seed } from "./awkward.ts";
import { conformanceCases, missingConformance } from "./conformance.ts";

const weighted: TextRule = { max: 280, unit: "weighted" };
const mastodon: TextRule = { max: 500, unit: "graphemes", url_length: 23, bare_mentions: true };
const bluesky: TextRule = { max: 300, unit: "graphemes", max_bytes: 3_000 };

const threads: TextRule = { max: 500, unit: "emoji_bytes" };

const emoji = /\p{Extended_Pictographic}/u;

describe.skipIf(missingConformance !== null)(`X's published cases ${missingConformance ?? ""}`, () => {
  // The first section is for the configuration from before emoji counted 2.
  const cases = [
    ...conformanceCases("validate.yml", "WeightedTweetsCounterTest").filter(({ text }) => !emoji.test(text)),
    ...conformanceCases("validate.yml", "WeightedTweetsWithDiscountedEmojiCounterTest"),
    ...conformanceCases("validate.yml", "UnicodeDirectionalMarkerCounterTest"),
  ];

  it.each(cases)("$description", ({ text, expected }) => {
    expect(countText(text, weighted)).toBe(Number(/weightedLength: (\d+)/.exec(expected)?.[1]));
  });

  it("are all read", () => {
    expect(cases.length).toBe(40);
  });
});

describe("countText", () => {
  it("weighs awkward texts like twitter-text", () => {
    fc.assert(
      fc.property(awkwardText(40), (text) => {
        expect(countText(text, weighted)).toBe(twitter.parseTweet(text).weightedLength);
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it("weighs every character of the basic plane like twitter-text", () => {
    // U+267E and U+26A7 became emoji later; a skier no longer has skin tones.
    const newer = new Set([0x267e, 0x26a7]);
    const textOf = (unit: number): string => {
      const character = String.fromCharCode(unit);
      return `x ${character}. ${newer.has(unit) ? "" : character}\ufe0f. ${character}\u20e3 y`;
    };
    const isWrong = (text: string): boolean => countText(text, weighted) !== twitter.parseTweet(text).weightedLength;
    const units = Array.from({ length: 0x1_0000 }, (_, unit) => unit);
    // Several together, which saves much time; one by one if the total is wrong.
    const together = 64;
    const wrong = units
      .filter((unit) => unit % together === 0)
      .map((first) => units.slice(first, first + together))
      .filter((some) => isWrong(some.map(textOf).join("\n")))
      .flatMap((some) => some.filter((unit) => isWrong(textOf(unit))).map((unit) => unit.toString(16)));
    expect(wrong).toEqual([]);
  });

  it.each([
    ["🐦‍🔥", 2, "an emoji younger than twitter-text"],
    ["🫱🏽‍🫲🏻", 2, "a joined emoji younger than twitter-text"],
    ["a".repeat(10), 10, "letters"],
    ["日本", 4, "Japanese"],
    [`https://example.com/${"a".repeat(100)}`, 23, "a long link"],
    ["http://a.co", 23, "a short link"],
    ["see example.com.", 28, "a bare domain"],
    ["e\u0301", 1, "a letter and its accent"],
  ])("weighs %j as %i: %s", (text, count) => {
    expect(countText(text, weighted)).toBe(count);
  });

  it.each([
    ["👨‍👩‍👧‍👦 e\u0301", { max: 9, unit: "graphemes" }, 3],
    ["👨‍👩‍👧‍👦", { max: 9, unit: "utf16" }, 11],
    ["👨‍👩‍👧‍👦 é", { max: 9, unit: "utf8" }, 28],
    ["👨‍👩‍👧‍👦 é", threads, 27],
    ["e\u0301 日本 1 #", threads, 9],
    ["🇩🇪 1️⃣ ❤️", threads, 8 + 1 + 7 + 1 + 6],
    ["", mastodon, 0],
    [`a https://example.com/${"x".repeat(60)}. b`, mastodon, 28],
    ["http://a.co", mastodon, 23],
    ["http://a.co", { ...mastodon, url_length: 32 }, 32],
    ["http://localhost/x", mastodon, 18],
    ["example.com", mastodon, 11],
    ["@user@host.example hi @other", mastodon, 15],
    ["@user@host.example https://example.com/a/long/path", mastodon, 29],
    ["https://m.example/@user@host.example", { max: 500, unit: "graphemes", bare_mentions: true }, 36],
    ["https://social.com/@user@host.example", mastodon, 23],
    ["me@user@host.example", mastodon, 20],
    ["@user@host.example", { max: 9, unit: "graphemes" }, 18],
  ] satisfies [string, TextRule, number][])("counts %j with the rule %j as %i", (text, rule, count) => {
    expect(countText(text, rule)).toBe(count);
  });
});

describe("fits", () => {
  it.each([
    ["a".repeat(300), true],
    ["a".repeat(301), false],
    ["👨‍👩‍👧‍👦".repeat(120), true],
    ["👨‍👩‍👧‍👦".repeat(121), false],
  ])("applies both limits of Bluesky (%#)", (text, expected) => {
    expect(fits(text, bluesky)).toBe(expected);
  });
});

describe("measureText", () => {
  it.each([
    weighted,
    mastodon,
    bluesky,
    { max: 9, unit: "utf8" },
    { max: 9, unit: "utf16" },
    threads,
  ] satisfies TextRule[])("ends with the count of the whole text (%j)", (rule) => {
    fc.assert(
      fc.property(awkwardText(30), (text) => {
        const reading = readText(text);
        const { offsets, counts } = measureText(reading, rule);
        expect(offsets.at(-1)).toBe(text.length);
        expect(counts.at(-1)).toBe(countText(text, rule));
        expect(reading.bytes().at(-1)).toBe(new TextEncoder().encode(text).length);
        expect(counts.length).toBe(offsets.length);
        expect(reading.bytes().length).toBe(offsets.length);
      }),
      { seed, numRuns: 500 },
    );
  });
});

it("the count in bytes equals an encoder's", () => {
  for (const text of ["\u007f\u0080", "\u07ff\u0800", "\uffffab", "\u{10000}ab", "\ud800a", "\udc00\ud800"])
    expect(countBytes(text), text).toBe(new TextEncoder().encode(text).length);
  fc.assert(
    fc.property(awkwardText(20), (text) => {
      expect(countBytes(text)).toBe(new TextEncoder().encode(text).length);
    }),
    { seed },
  );
});
