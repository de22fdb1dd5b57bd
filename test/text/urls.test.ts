import fc from "fast-check";
import twitter from "twitter-text";
import { describe, expect, it } from "vitest";
import { findUrls } from "../../src/text/urls.ts";
import { awkwardText, seed } from "./awkward.ts";
import { conformanceCases, missingConformance } from "./conformance.ts";

function found(text: string, paths: "x" | "mastodon" = "x"): string[] {
  return findUrls(text, paths).map(({ start, end }) => text.slice(start, end));
}

describe.skipIf(missingConformance !== null)(`X's published cases ${missingConformance ?? ""}`, () => {
  const sections = ["urls", "tco_urls_with_params"];
  it.each(sections.flatMap((section) => conformanceCases("extract.yml", section)))(
    "$description",
    ({ text, expected }) => {
      expect(found(text)).toEqual(JSON.parse(expected));
    },
  );

  it("are all read", () => {
    expect(sections.map((section) => conformanceCases("extract.yml", section).length)).toEqual([91, 5]);
  });

  const placed = ["urls_with_indices", "urls_with_directional_markers"];
  it.each(placed.flatMap((section) => conformanceCases("extract.yml", section)))(
    "$description (places)",
    ({ text, expected }) => {
      const indices = Array.from(expected.matchAll(/indices: (\[.*\])/g), (match) => JSON.parse(match[1] ?? ""));
      expect(findUrls(text, "x").map(({ start, end }) => [start, end])).toEqual(indices);
    },
  );
});

describe("findUrls", () => {
  it("finds the same URLs as twitter-text in awkward texts", () => {
    fc.assert(
      fc.property(awkwardText(30), (text) => {
        expect(found(text)).toEqual(twitter.extractUrls(text));
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it.each(["語", "あい", "a語b", "語。", "ü", "😀", "пример", "語あ😀ü", "zя-ü語", "-é", "a", "\u0080"])(
    "accepts names of up to 63 letters like twitter-text (%s)",
    (letters) => {
      for (let length = 1; length <= 70; length++) {
        const text = `http://${letters.repeat(length).slice(0, length)}x.com/ ${letters.repeat(length)}example.com`;
        expect(found(text)).toEqual(twitter.extractUrls(text));
      }
    },
  );

  it("finds the same end of ports, paths, brackets and queries as twitter-text", () => {
    const rest = fc.string({ maxLength: 16, unit: fc.constantFrom(..."aZ1((()))//??&=.-_,:;!*'~|+%#[]@$яé日 ") });
    fc.assert(
      fc.property(fc.constantFrom("https://example.com", "example.com", "x.co.jp:80"), rest, (host, written) => {
        const text = `${host}/${written}`;
        expect(found(text)).toEqual(twitter.extractUrls(text));
      }),
      { seed, numRuns: 4_000 },
    );
  });

  it.each([
    "/a(b)",
    "/(b)c",
    "/(b(c)d)e",
    "/((c)d)",
    "/(b(c))",
    "/()",
    "/(()",
    "/(b()c)",
    "/a.(b.)",
    "/a(b",
    "?(b)",
    "/a?b.",
    "/?.",
    "/(a)(b).",
  ])("finds the same end of %s as twitter-text", (rest) => {
    for (const host of ["https://example.com", "example.com", "https://example.com:8080"])
      for (const text of [`${host}${rest}`, `${host}${rest} x`, `(${host}${rest})`])
        expect(found(text), text).toEqual(twitter.extractUrls(text));
  });

  it("finds no longer URL than twitter-text", () => {
    for (const start of ["https://example.com/", "http://example.com/", "example.com/", "x http://a.example.com?"])
      for (let length = 4_070; length < 4_100; length++) {
        const text = start + "a".repeat(length - start.length);
        expect(found(text).length, `${start} ${length}`).toBe(twitter.extractUrls(text).length);
      }
  });

  it("has the same limit in names of mixed letters", () => {
    const letters = fc.array(fc.constantFrom("a", "9", "é", "я", "語", "あ", "😀", "한"), {
      minLength: 14,
      maxLength: 34,
    });
    fc.assert(
      fc.property(letters, (name) => {
        const text = `http://${name.join("")}.com/`;
        expect(found(text)).toEqual(twitter.extractUrls(text));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it.each([
    [":8080 is the port of http://db.internal here", []],
    ["http://例え.みんな!", ["http://例え.みんな"]],
    ["http://db.internal or http://example.com/", ["http://example.com/"]],
  ])("finds in %j only URLs of known top-level domains", (text, urls) => {
    expect(found(text)).toEqual(urls);
    expect(twitter.extractUrls(text)).toEqual(urls);
  });

  it("accepts no name of more than 40 letters as a t.co link", () => {
    expect(found(`http://t.co/${"a".repeat(40)} http://t.co/${"a".repeat(41)} http://t.co/abc-d`)).toEqual([
      `http://t.co/${"a".repeat(40)}`,
      "http://t.co/abc",
    ]);
  });

  it.each([
    ["https://ja.wikipedia.org/wiki/日本 です", ["https://ja.wikipedia.org/wiki/日本"]],
    ["(https://example.com/a_(b))", ["https://example.com/a_(b)"]],
    ["https://example.com/?q=猫&x=1.", ["https://example.com/?q=猫&x=1"]],
    ["https://example.com/a=", ["https://example.com/a"]],
    ["https://example.com/a.(b)", ["https://example.com/a.(b)"]],
    ["https://localhost/ http://127.0.0.1:3000/x", []],
  ])("finds in %j the same URLs as Mastodon", (text, urls) => {
    expect(found(text, "mastodon")).toEqual(urls);
  });
});
