import { describe, expect, it } from "vitest";
import { comparable, countPictureAddresses, renderings, textForms } from "../../../src/networks/mastodon/text.ts";
import { part } from "./bench.ts";

/** What a text is, and what servers were seen to show of it. */
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

describe("what servers make of a text", () => {
  it.each(shown)("%s: %j", (name, text, as) => {
    expect(renderings.map((each) => each.name)).toContain(name);
    expect(textForms(part({ text })).map(squeezed)).toContain(squeezed(as));
  });

  it("has an example for each rendering", () => {
    expect(new Set(shown.map(([name]) => name))).toEqual(new Set(renderings.map(({ name }) => name)));
  });

  it.each([
    ["emphasis", "*bold* **bolder** _it_ ~gone~ `code`", "bold bolder it gone code"],
    ["lists and quotes", "- a\n* b\n+ c\n> d\n# e", "a\nb\nc\nd\ne"],
    ["mentions without their host", "hi @bob@else.example", "hi @bob"],
  ])("is equal without marks: %s", (_, text, as) => {
    expect(squeezed(text)).toBe(squeezed(as));
  });

  it("keeps a text that is all marks", () => {
    expect(comparable("***")).toBe("***");
  });

  it("does not make other numbers equal", () => {
    expect(textForms(part({ text: "2026. What a year" })).map(squeezed)).not.toContain(squeezed("2025. What a year"));
  });

  it("counts the addresses of pictures", () => {
    expect(countPictureAddresses("https://e.example/1.PNG ![x](http://e.example/x.webp?y) https://e.example/z")).toBe(
      2,
    );
  });
});
