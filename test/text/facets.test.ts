import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { RichText } from "@atproto/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFacets, type TextFacet } from "../../src/text/facets.ts";
import { awkwardText, seed } from "./awkward.ts";

/** The facets that Bluesky's own library finds, without those that its network would refuse or not show. */
function oracle(text: string): TextFacet[] {
  const richText = new RichText({ text });
  richText.detectFacetsWithoutResolution();
  let position = 0;
  return (richText.facets ?? []).flatMap(({ index, features: [feature] }): TextFacet[] => {
    const facet = { ...index, ...nameOf(feature ?? {}) };
    if (facet.byteStart < position || !isUsable(facet)) return [];
    position = facet.byteEnd;
    return [facet];
  });
}

function nameOf(feature: object): Pick<TextFacet, "kind" | "value"> {
  if ("uri" in feature) return { kind: "link", value: String(feature.uri) };
  if ("did" in feature) return { kind: "mention", value: String(feature.did) };
  return { kind: "tag", value: "tag" in feature ? String(feature.tag) : "" };
}

/** A link with a scheme and a host, a handle of the handle syntax, a tag of at most 640 bytes. */
function isUsable({ kind, value }: TextFacet): boolean {
  if (kind === "link") return /^https?:\/\/[^\s/]/.test(value);
  if (kind === "tag") return new TextEncoder().encode(value).length <= 640;
  return value.split(".").every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(label) && label.length <= 63);
}

function shown(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  return findFacets(text).map(
    ({ byteStart, byteEnd, kind, value }) =>
      `${kind} ${value} [${new TextDecoder().decode(bytes.slice(byteStart, byteEnd))}]`,
  );
}

describe("findFacets", () => {
  it.each([
    ["", []],
    ["👨‍👩‍👧‍👦 https://example.com/é 😀", ["link https://example.com/é [https://example.com/é]"]],
    ["שלום @alice.bsky.social עולם #שלום", ["mention alice.bsky.social [@alice.bsky.social]", "tag שלום [#שלום]"]],
    ["e\u0301e\u0301 #cafe\u0301.", ["tag cafe\u0301 [#cafe\u0301]"]],
    ["see example.com/path, now", ["link https://example.com/path [example.com/path]"]],
    ["example.invalid file.txt", []],
    ["(https://example.com/a).", ["link https://example.com/a [https://example.com/a]"]],
    ["https://example.com/a_(b)", ["link https://example.com/a_(b) [https://example.com/a_(b)]"]],
    ["https://example.com...", ["link https://example.com.. [https://example.com..]"]],
    ["http.cat", ["link https://http.cat [http.cat]"]],
    ["HTTPS://EXAMPLE.COM Example.Com", []],
    ["https://) https:///", []],
    ["＃全角 ##two #a#b", ["tag 全角 [＃全角]", "tag #two [##two]", "tag a#b [#a#b]"]],
    ["#zero\u200bwidth", ["tag zero [#zero]"]],
    [
      "(@alice.test) @bob.bsky.social's",
      ["mention alice.test [@alice.test]", "mention bob.bsky.social [@bob.bsky.social]"],
    ],
    ["@user @user@host.example @-a.com @a..com @a.com-", ["mention a.com [@a.com]"]],
    ["me@example.com", []],
    ["#1 #️⃣ # #. #1️⃣", ["tag 1️⃣ [#1️⃣]"]],
    [`#${"a".repeat(64)} #${"b".repeat(65)}`, [`tag ${"a".repeat(64)} [#${"a".repeat(64)}]`]],
    [`#a${"\u0301".repeat(319)}`, [`tag a${"\u0301".repeat(319)} [#a${"\u0301".repeat(319)}]`]],
    [`#a${"\u0301".repeat(320)}`, []],
    ["$aapl ($T) $TOOLONG $5", ["tag $AAPL [$aapl]", "tag $T [$T]"]],
    ["https://example.com/(@alice.test", ["link https://example.com/(@alice.test [https://example.com/(@alice.test]"]],
  ])("finds the intended facets (%#)", (text, facets) => {
    expect(shown(text)).toEqual(facets);
  });

  it.each([
    "👨‍👩‍👧‍👦@alice.bsky.social 👨‍👩‍👧‍👦 @alice.bsky.social",
    "العربية https://example.com/العربية #وسم؟ עברית",
    "z̸̢̛a̵l̶g̷o̸ example.com z̸̢̛",
    'foo.com, bar.org; baz.net: (qux.io) [no.de] <an.gle> "quo.te"',
    "https://a.com/). https://a.com/(b). https://a.com!? https://a.com.)",
    "＃全角。 #full．width #a、b #a。",
    "#\u200bzero a\u200b#zero \u200b @alice.test\u200b https://a.com/\u200b",
    "(@alice.test) [@alice.test] @alice.test, @alice.test. @alice.test_x @a_b.com",
    "mail me@example.com or mailto:me@example.com or john.com@example.com",
    "#1 #2a #3. #4! #️⃣ ##️⃣ #a️⃣",
    "line\nexample.com\r\n@alice.test\u2028#tag",
    "my-site.com sub.my-site.com foo.com-bar foo.com:80/x?y#z",
    "\ud83d example.com \ude00 #a\ud83d",
  ])("finds in %j the same facets as Bluesky's own library", (text) => {
    expect(findFacets(text)).toEqual(oracle(text));
  });

  it.each([
    ["64 letters", "ö".repeat(64), true],
    ["65 letters", "ö".repeat(65), false],
    ["64 clusters of 640 bytes", "é\u0301\u0301\u0301\u0301".repeat(64), true],
    ["64 clusters of 642 bytes", `${"é\u0301\u0301\u0301\u0301".repeat(64)}\u0301`, false],
  ])("counts the clusters and bytes of a tag: %s", (_, tag, isTag) => {
    expect(findFacets(`#${tag}`).some(({ kind }) => kind === "tag")).toBe(isTag);
  });

  it("finds in awkward texts the same facets as Bluesky's own library", () => {
    fc.assert(
      fc.property(
        // The library gives a domain like http.cat no scheme.
        awkwardText(30).filter((text) => !/(^|[\s(])http[a-z0-9]*\./i.test(text)),
        (text) => {
          expect(findFacets(text)).toEqual(oracle(text));
        },
      ),
      { seed, numRuns: 1_500 },
    );
  });
});

const contracts = resolve(import.meta.dirname, "../..", process.env.POSTRIDER_CONTRACTS ?? "../shared/contracts");

function handles(validity: "valid" | "invalid"): string[] {
  try {
    const file = readFileSync(join(contracts, "atproto/syntax", `handle_syntax_${validity}.txt`), "utf8");
    return file.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  } catch {
    return [];
  }
}

describe.skipIf(handles("valid").length === 0)("handles of the published lists (skipped without the contracts)", () => {
  it("are mentions if they are valid and under a known domain", () => {
    const known = handles("valid").filter((handle) => /\.(com|social|test|uk)$/.test(handle));
    expect(known.length).toBeGreaterThan(5);
    for (const handle of known) expect(findFacets(`@${handle}`).map(({ value }) => value)).toEqual([handle]);
  });

  it("are not mentions if they are invalid", () => {
    for (const handle of handles("invalid")) {
      expect(findFacets(`@${handle}`).map(({ kind, value }) => `${kind} ${value}`)).not.toContain(`mention ${handle}`);
    }
  });
});
