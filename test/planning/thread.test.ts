import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextRule } from "../../src/networks/contract/limits.ts";
import { splitThread } from "../../src/planning/thread.ts";
import { countText, fits } from "../../src/text/count.ts";
import { graphemeOffsets } from "../../src/text/graphemes.ts";
import { findLinks } from "../../src/text/links.ts";
import { createTextReader } from "../../src/text/reading.ts";
import { findUrls } from "../../src/text/urls.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { awkwardText, seed } from "../text/awkward.ts";

const rules = {
  bluesky: { max: 300, unit: "graphemes", max_bytes: 3_000 },
  mastodon: { max: 500, unit: "graphemes", url_length: 23, bare_mentions: true },
  threads: { max: 500, unit: "emoji_bytes" },
  discord: { max: 2_000, unit: "utf16" },
  x: { max: 280, unit: "weighted" },
  youtube: { max: 5_000, unit: "utf8" },
} satisfies Record<string, TextRule>;

const ten: TextRule = { max: 10, unit: "graphemes" };
const thirty: TextRule = { max: 30, unit: "graphemes" };

interface Span {
  start: number;
  end: number;
}

function partsOrRefusal(...split: Parameters<typeof splitThread>): string[] | string {
  try {
    return splitThread(...split);
  } catch (error) {
    if (!PublishingError.is(error)) throw error;
    return error.message;
  }
}

/** The links with the network's boundaries, all other links, mentions and hashtags; widened to clusters. */
function wholeSpans(text: string, rule: TextRule, ends = [...graphemeOffsets(text)]): Span[] {
  const isX = rule.unit === "weighted";
  const seen = isX || rule.url_length !== undefined ? findUrls(text, isX ? "x" : "mastodon") : [];
  const links = seen.filter(({ scheme }) => scheme || isX);
  const others = findLinks(text).filter((other) =>
    links.every((link) => link.end <= other.start || other.end <= link.start),
  );
  return [...links, ...others].map(({ start, end }) => ({
    start: ends.findLast((boundary) => boundary <= start) ?? 0,
    end: ends.find((boundary) => boundary >= end) ?? text.length,
  }));
}

/** Each part's position; fails if anything but white space is between them. */
function placesOf(text: string, parts: readonly string[]): Span[] {
  let position = 0;
  let between = "";
  const places = parts.map((part) => {
    const start = text.indexOf(part, position);
    between += text.slice(position, start);
    position = start + part.length;
    return { start, end: position };
  });
  expect((between + text.slice(position)).trim()).toBe("");
  return places;
}

/** Checks all guarantees for one text. */
function check(text: string, rule: TextRule): void {
  const parts = splitOrNull(text, rule);
  if (parts === null) return;
  const ends = [...graphemeOffsets(text)];
  const whole = wholeSpans(text, rule, ends);
  const characters = new Set(ends);
  const cuts = placesOf(text, parts).flatMap(({ start, end }) => [start, end]);
  // One check of all of them, not one each: a test has a hundred thousand.
  expect({
    insideACharacter: cuts.filter((cut) => !characters.has(cut)),
    insideALink: cuts.filter((cut) => whole.some((span) => span.start < cut && cut < span.end)),
    tooLong: parts.filter((part) => !fits(part, rule)),
    cutAgain: parts.filter((part) => splitThread(part, rule)[0] !== part),
    untrimmed: parts.length > 1 ? parts.filter(hasWhitespaceAtAnEnd) : [],
    empty: text.trim() === "" ? [] : parts.filter((part) => part === ""),
  }).toEqual({ insideACharacter: [], insideALink: [], tooLong: [], cutAgain: [], untrimmed: [], empty: [] });
}

/** A space under an accent is a character, not white space. */
function hasWhitespaceAtAnEnd(part: string): boolean {
  const [, ...ends] = graphemeOffsets(part);
  const clusters = ends.map((end, index) => part.slice(ends[index - 1] ?? 0, end));
  return [clusters[0], clusters.at(-1)].some((cluster) => cluster?.trim() === "");
}

/** Null if the text is rejected, which is allowed only for a unit that alone does not fit. */
function splitOrNull(text: string, rule: TextRule): string[] | null {
  try {
    return splitThread(text, rule);
  } catch (error) {
    expect(PublishingError.is(error) && error.code).toBe("invalid_request");
    const [, ...ends] = graphemeOffsets(text);
    const clusters = ends.map((end, index) => ({ start: ends[index - 1] ?? 0, end }));
    const tooLong = [...wholeSpans(text, rule), ...clusters].filter(
      ({ start, end }) => !fits(text.slice(start, end), { ...rule, max: rule.max - 1 }),
    );
    expect(tooLong).not.toEqual([]);
    return null;
  }
}

describe("splitThread", () => {
  it.each(
    [
      ["no text that fits", "  A b.\n\nC ", thirty, ["  A b.\n\nC "]],
      ["an empty string into one empty part", "", ten, [""]],
      ["white space that does not fit down to an empty part", " ".repeat(20), ten, [""]],
      ["off white space at both ends of a text that does not fit", "   aaaa bbbb    ", ten, ["aaaa bbbb"]],
      [
        "after a paragraph if the part is half full",
        "One two. Three.\n\nFour five. Six seven.",
        thirty,
        ["One two. Three.", "Four five. Six seven."],
      ],
      [
        "after a sentence if the paragraph is short",
        "Hi.\n\nOne two three. Four five six seven.",
        thirty,
        ["Hi.\n\nOne two three.", "Four five six seven."],
      ],
      [
        "not after a paragraph of less than half a part",
        "Eleven char.\n\nAnd more now. Then the rest.",
        thirty,
        ["Eleven char.\n\nAnd more now.", "Then the rest."],
      ],
      [
        "after a line like after a sentence",
        "one two three four\nfive six seven",
        thirty,
        ["one two three four", "five six seven"],
      ],
      [
        "after a word if there is no sentence",
        "one two three four five six seven eight",
        thirty,
        ["one two three four five six", "seven eight"],
      ],
      [
        "not after an abbreviation",
        "Some fruits, e.g. apples and some pears",
        thirty,
        ["Some fruits, e.g. apples and", "some pears"],
      ],
      [
        "after a sentence in quotes",
        'He said "It is so." Then he went away.',
        thirty,
        ['He said "It is so."', "Then he went away."],
      ],
      ["after a Japanese sentence", "今日は天気。明日は雨が降る。", ten, ["今日は天気。", "明日は雨が降る。"]],
      ["after a Japanese comma", "今日は天気、明日は雨が降る", ten, ["今日は天気、", "明日は雨が降る"]],
      ["not before a Japanese mark", "今日は天気だよ」。明日", ten, ["今日は天気だよ」。", "明日"]],
      ["not at a no-break space", "one two 10\u00a0000 km", ten, ["one two", "10\u00a0000 km"]],
      ["a long word between graphemes", "👍🏽".repeat(12), ten, ["👍🏽".repeat(10), "👍🏽".repeat(2)]],
      [
        "a word that is longer than a part, beginning in a new part",
        "ab abcdefghijkl",
        ten,
        ["ab", "abcdefghij", "kl"],
      ],
    ].filter(([, , , parts]) => (parts as string[]).length > 0) as [string, string, TextRule, string[]][],
  )("cuts %s", (_, text, rule, parts) => {
    expect(splitThread(text, rule)).toEqual(parts);
  });

  it("keeps a link whole within a word without spaces", () => {
    expect(splitThread("日本語日本語https://a.co/b。日本語", { max: 15, unit: "graphemes" })).toEqual([
      "日本語日本語",
      "https://a.co/b。",
      "日本語",
    ]);
  });

  it("does not read a mark inside a link as the end of a sentence", () => {
    const rule: TextRule = { max: 26, unit: "graphemes", url_length: 23 };
    expect(splitThread("日本 https://example.com/あ。い うえお", rule)).toEqual([
      "日本 https://example.com/あ。い",
      "うえお",
    ]);
  });

  it("accepts a long link that the network shortens", () => {
    const link = `https://example.com/${"a".repeat(600)}`;
    expect(splitThread(`${"word ".repeat(60)}${link}`, rules.x)).toEqual([
      "word ".repeat(55).concat("word"),
      `${"word ".repeat(4)}${link}`,
    ]);
  });

  it("accepts a link that fits only once it is separated from the sign before it", () => {
    const link = "https://example.com/aaaaaaaaaaaaaaaaaaaa";
    expect(splitThread(`#${link}`, { max: 30, unit: "weighted" })).toEqual(["#", link]);
  });

  it("counts a part alone if its first word would be a shorter domain there", () => {
    const first = "a".repeat(28);
    // After a space, `éa.com` is one domain; at the beginning X finds only `a.com`, so the é counts, too.
    expect(splitThread(`${first} éa.com bbbbbb`, { max: 30, unit: "weighted" })).toEqual([first, "éa.com", "bbbbbb"]);
    expect(splitThread(`${first} éa.com bbbbb`, { max: 30, unit: "weighted" })).toEqual([first, "éa.com bbbbb"]);
  });

  it("counts a part alone if the cut turns its end into a domain", () => {
    const text = `${"!".repeat(25)}a.com@${"b".repeat(30)}`;
    for (const part of splitThread(text, { max: 30, unit: "weighted" }))
      expect(countText(part, { max: 30, unit: "weighted" })).toBeLessThanOrEqual(30);
  });

  it("rejects a link that one joined character before it makes too long, instead of cutting it", () => {
    // U+0600 joins the next letter.
    expect(() => splitThread(`${"\u0600".repeat(8)}https://example.com/`, { max: 30, unit: "weighted" })).toThrow(
      "cannot be split",
    );
  });

  it("keeps a link whole that X does not recognize because its last letter has an accent", () => {
    const parts = splitThread("e.co\udde9\ud83ce.com\u0301", { max: 50, unit: "weighted" });
    expect(parts).toEqual(["e.co\udde9\ud83c", "e.com\u0301"]);
  });

  it("ends a link where X ends it, so Japanese after it may be cut", () => {
    const parts = splitThread(`https://example.com/${"語".repeat(200)}`, rules.x);
    expect(parts.map((part) => part.length)).toEqual([20 + 128, 72]);
  });

  it.each([
    ["link", `see https://example.com/${"a".repeat(300)} now`, "https://example.com/aaa"],
    ["hashtag", `#${"a".repeat(400)}`, "#aaa"],
    ["mention", `hi @${"a".repeat(400)}`, "@aaa"],
    ["character", `a${"\u0301".repeat(2_000)}`, "a\u0301"],
  ])("rejects a %s that is longer than a part, naming it", (_, text, named) => {
    let refusal: unknown;
    try {
      splitThread(text, rules.bluesky);
    } catch (error) {
      refusal = error;
    }
    expect(PublishingError.is(refusal) && [refusal.code, refusal.message.includes(named)]).toEqual([
      "invalid_request",
      true,
    ]);
  });

  it("rejects more parts than allowed with their number", () => {
    expect(splitThread("aaaa bbbb cccc", ten, { maxParts: 2 })).toEqual(["aaaa bbbb", "cccc"]);
    expect(() => splitThread("aaaa bbbb cccc", ten, { maxParts: 1 })).toThrow(/2 parts; at most 1 /);
  });

  it.each(Object.entries(rules))("loses nothing, keeps to the limit and cuts no unit (%s)", (_, rule) => {
    fc.assert(
      fc.property(awkwardText(120), (text) => {
        check(text.repeat(Math.max(1, Math.ceil((1.5 * rule.max) / (text.length + 1)))), rule);
      }),
      { seed, numRuns: 60 },
    );
  });

  // A part's own count differs from its count within the text if the cut creates or breaks a link.
  it.each([
    ["x", { max: 40, unit: "weighted" }],
    ["mastodon", { max: 40, unit: "graphemes", url_length: 23, bare_mentions: true }],
  ] satisfies [string, TextRule][])("keeps to the limit if short parts begin and end at links (%s)", (_, rule) => {
    const atLinks = fc
      .array(
        fc.constantFrom("éa.com", "語.com", "a.co/b", "https://a.co", "@a@b.co", "word", "。", "、", " ", "\n", "."),
      )
      .map((tokens) => tokens.join(""));
    fc.assert(
      fc.property(fc.oneof(atLinks, awkwardText(40)), (text) => check(text, rule)),
      { seed, numRuns: 3_000 },
    );
  });

  it("cuts for every network from one shared reading as from a separate one", () => {
    const read = createTextReader();
    fc.assert(
      fc.property(awkwardText(120), (text) => {
        expect(read(text)).toBe(read(text));
        for (const rule of Object.values(rules)) {
          const short: TextRule = { ...rule, max: 40 };
          expect(partsOrRefusal(text, short, { read })).toEqual(partsOrRefusal(text, short));
        }
      }),
      { seed, numRuns: 60 },
    );
  });

  it.each([
    { max: 20, unit: "graphemes" },
    { max: 20, unit: "graphemes", max_bytes: 40 },
    { max: 30, unit: "graphemes", url_length: 23, bare_mentions: true },
    { max: 30, unit: "weighted" },
    { max: 25, unit: "utf16" },
    { max: 45, unit: "utf8" },
  ] satisfies TextRule[])("also does so with many small cuts (%j)", (rule) => {
    fc.assert(
      fc.property(awkwardText(60), (text) => {
        check(text, rule);
      }),
      { seed, numRuns: 400 },
    );
  });

  it("fills the parts: two neighbours never fit into one", () => {
    const word = fc.string({ minLength: 1, maxLength: 9, unit: fc.constantFrom(..."abcdeé日") });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), (words) => {
        const parts = splitThread(words.join(" "), thirty);
        for (const [index, part] of parts.entries()) {
          const next = parts[index + 1];
          if (next !== undefined)
            expect(countText(`${part} ${next.split(" ")[0]}`, thirty)).toBeGreaterThan(thirty.max);
        }
      }),
      { seed },
    );
  });
});
