import { describe, expect, it } from "vitest";
import { comparable, countPictureAddresses, renderings, textForms } from "../../../src/networks/mastodon/text.ts";
import { part } from "./bench.ts";

/** A text, and how servers were seen to show it. */
const shown: readonly [what: string, text: string, shown: string][] = [
  ["links with a label, as the label", "see [the docs](https://example.com/a)!", "see the docs!"],
  ["links with a label, as the URL", "see [the docs](https://example.com/a)!", "see https://example.com/a!"],
  ["numbered lists, without their numbers", "1. Milk\n2. Bread", "Milk\nBread"],
  ["numbered lists, without their numbers", "2026. What a year", "What a year"],
  ["fenced code, without its language", "```js\nlet a;\n```", "let a;"],
  ["images, removed", "Look https://example.com/a.png?w=1 here", "Look here"],
  ["images, removed", "Look ![a dot](https://example.com/a.png) here", "Look here"],
  ["HTML tags, removed", "a <b>bold</b> word &amp; more", "a bold word & more"],
];

function squeezed(text: string): string {
  return comparable(text).replace(/\s+/g, " ").trim();
}

describe("a text as servers render it", () => {
  it.each(shown)("is covered by a known rendering, %s: %j", (name, text, as) => {
    expect(renderings.map((each) => each.name)).toContain(name);
    expect(textForms(part({ text })).map(squeezed)).toContain(squeezed(as));
  });

  it("has an example for each known rendering", () => {
    expect(new Set(shown.map(([name]) => name))).toEqual(new Set(renderings.map(({ name }) => name)));
  });

  it.each([
    ["emphasis", "*bold* **bolder** _it_ ~gone~ `code`", "bold bolder it gone code"],
    ["lists and quotes", "- a\n* b\n+ c\n> d\n# e", "a\nb\nc\nd\ne"],
    ["mentions without their host", "hi @bob@else.example", "hi @bob"],
  ])("equals the original without its marks: %s", (_, text, as) => {
    expect(squeezed(text)).toBe(squeezed(as));
  });

  it("keeps marks that are the whole text", () => {
    expect(comparable("***")).toBe("***");
  });

  it("differs if its numbers differ", () => {
    expect(textForms(part({ text: "2026. What a year" })).map(squeezed)).not.toContain(squeezed("2025. What a year"));
  });

  it("has its image URLs counted", () => {
    expect(countPictureAddresses("https://e.example/1.PNG ![x](http://e.example/x.webp?y) https://e.example/z")).toBe(
      2,
    );
  });
});
