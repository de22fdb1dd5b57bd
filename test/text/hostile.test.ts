import { describe, expect, it } from "vitest";
import type { TextRule } from "../../src/networks/spec.ts";
import { splitThread } from "../../src/posts/thread.ts";
import { countText } from "../../src/text/count.ts";
import { findFacets } from "../../src/text/facets.ts";
import { graphemeEnds } from "../../src/text/graphemes.ts";
import { findLinks } from "../../src/text/links.ts";

const length = 100_000;

/**
 * The slowest of these inputs takes 10 times as long as prose of that length,
 * anything quadratic a thousand times.
 */
const slowest = 60;

const weighted: TextRule = { max: 280, unit: "weighted" };

const readers: Record<string, (text: string) => unknown> = {
  graphemeEnds,
  findLinks,
  findFacets,
  "countText for X": (text) => countText(text, weighted),
  // The longest caption.
  splitThread: (text) => splitThread(text.slice(0, 20_000), weighted),
};

function filled(unit: string): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

const prose = filled(
  "A fox, see https://example.com/a?b=c and @user@host.example. #tag 😀 Übung, e\u0301!\n\n日本語です。",
);

const hostile = [
  ...["a.", "a..", "-.", "a_.", "a.co日-.", "com.", "t.co/ ", "a.b@", "xn--", "語.", ".み"].map(filled),
  ...["http://", "http://a.b/(", "HTTP://a.", "https://a.b/((", "(a.co", " a.co:"].map(filled),
  ...["(", "(a", "(a)", ")", ".", "!", "?", "?!", "&", "a-", "/@"].map((unit) => `http://a.co/${filled(unit)}`),
  ...["!", "a!", "%"].map((unit) => `http://a.co/?${filled(unit)}`),
  ...["@", "@a", "@a.", "@a@b ", "@-", "@a.b_ "].map(filled),
  ...["a.", "-", ".", "a-", "a@a."].map((unit) => `@${filled(unit)}`),
  ...["#", " #", "#a", " #!!!!!!!!", "$A ", "#1 "].map(filled),
  ...["1", "!", "a!", "１"].map((unit) => `#${filled(unit)}`),
  ...[" ", "\n", "\r\n", "\u00a0", '."', ". A", "漢", "漢。", "e\u0301 "].map(filled),
  ...["👨‍👩‍👧‍👦", "🇩", "\u0600", "क्", "#️⃣", "\u200d", "\ud83d", "👍🏽"].map(filled),
  `a${filled("\u0301")}`,
  `${filled("a")}@`,
  `http://${filled("語")}.com`,
];

/** In milliseconds of this machine: only ratios of it mean anything. */
function timeOf(read: (text: string) => unknown, text: string): number {
  const start = performance.now();
  try {
    read(text);
  } catch {
    // A thread of one endless link is refused; how fast is what matters here.
  }
  return performance.now() - start;
}

/** Looks again before it blames the text for what the machine did. */
function isSlow(read: (text: string) => unknown, text: string, limit: number): boolean {
  return timeOf(read, text) > limit && timeOf(read, text) > limit;
}

describe("100 KB of hostile text", () => {
  it.each(Object.keys(readers))("takes %s no longer than some multiple of prose of that length", (name) => {
    const read = readers[name] ?? graphemeEnds;
    timeOf(read, prose);
    const floor = Math.max(1, timeOf(read, prose));
    const slow = hostile.filter((text) => isSlow(read, text, slowest * floor)).map((text) => text.slice(0, 20));
    expect(slow).toEqual([]);
  });
});
