import { describe, expect, it } from "vitest";
import { fromLittleText, textForms, toLittleText } from "../../../src/networks/linkedin/text.ts";
import { listedOf, shownOf } from "../../../src/sandbox/linkedin/little-text.ts";
import { part } from "./bench.ts";

describe("the markup of LinkedIn's posts", () => {
  it.each([
    ["a text without marks", "Plain, with 50 % off!", "Plain, with 50 % off!"],
    ["parentheses, at which LinkedIn would cut off the text", "Buns (two) [three]", "Buns \\(two\\) \\[three\\]"],
    ["every reserved character", "|{}@[]()<>\\*_~", "\\|\\{\\}\\@\\[\\]\\(\\)\\<\\>\\\\\\*\\_\\~"],
    ["no hashtags, only what surrounds them", "#Bread and (#Brot)", "#Bread and \\(#Brot\\)"],
    ["a hashtag that begins with a digit", "#2026goals", "#2026goals"],
    ["a number after a hash, which is no hashtag", "We are #1", "We are \\#1"],
    ["a hash within a word", "C# and a#b", "C\\# and a\\#b"],
    ["a URL", "https://example.com/a_b/#c?d=(e)", "https://example.com/a\\_b/\\#c?d=\\(e\\)"],
    [
      "a mention, whose name is escaped as well",
      "By @[Bakers (Berlin)](urn:li:organization:123) @home",
      "By @[Bakers \\(Berlin\\)](urn:li:organization:123) \\@home",
    ],
    [
      "text that only looks like a mention",
      "@[Bakers](https://example.com)",
      "\\@\\[Bakers\\]\\(https://example.com\\)",
    ],
  ])("escapes %s", (_, text, markup) => {
    expect(toLittleText(text)).toBe(markup);
    const [shown] = textForms(part({ text }));
    expect(shownOf(markup)).toBe(shown);
    expect(fromLittleText(markup)).toBe(shown);
    expect(fromLittleText(listedOf(markup))).toBe(shown);
  });

  it("cuts a text off at an unescaped mark, like LinkedIn", () => {
    expect(shownOf("Buns (two) and more")).toBe("Buns ");
  });

  it("does not change comments, which are plain text", () => {
    expect(textForms(part({ role: "comment", text: "@[Bakers](urn:li:organization:1)" }))).toEqual([
      "@[Bakers](urn:li:organization:1)",
    ]);
  });
});
