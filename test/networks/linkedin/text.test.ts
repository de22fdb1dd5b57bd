import { describe, expect, it } from "vitest";
import { fromLittleText, textForms, toLittleText } from "../../../src/networks/linkedin/text.ts";
import { listedOf, shownOf } from "../../../src/sandbox/linkedin/little-text.ts";
import { part } from "./bench.ts";

describe("the markup of LinkedIn's posts", () => {
  it.each([
    ["a text without marks", "Plain, with 50 % off!", "Plain, with 50 % off!"],
    ["parentheses, behind which the text would be cut off", "Buns (two) [three]", "Buns \\(two\\) \\[three\\]"],
    ["every reserved character", "|{}@[]()<>\\*_~", "\\|\\{\\}\\@\\[\\]\\(\\)\\<\\>\\\\\\*\\_\\~"],
    ["hashtags, which stay what they are", "#Bread and (#Brot)", "#Bread and \\(#Brot\\)"],
    ["a hashtag that begins with a digit", "#2026goals", "#2026goals"],
    ["a number after a hash, which is no hashtag", "We are #1", "We are \\#1"],
    ["a hash within a word", "C# and a#b", "C\\# and a\\#b"],
    ["an address", "https://example.com/a_b/#c?d=(e)", "https://example.com/a\\_b/\\#c?d=\\(e\\)"],
    [
      "a mention, whose name is escaped as well",
      "By @[Bakers (Berlin)](urn:li:organization:123) @home",
      "By @[Bakers \\(Berlin\\)](urn:li:organization:123) \\@home",
    ],
    ["what only looks like a mention", "@[Bakers](https://example.com)", "\\@\\[Bakers\\]\\(https://example.com\\)"],
  ])("escapes %s", (_, text, markup) => {
    expect(toLittleText(text)).toBe(markup);
    const [shown] = textForms(part({ text }));
    expect(shownOf(markup)).toBe(shown);
    expect(fromLittleText(markup)).toBe(shown);
    expect(fromLittleText(listedOf(markup))).toBe(shown);
  });

  it("cuts a text off at a mark that is not escaped, as LinkedIn does", () => {
    expect(shownOf("Buns (two) and more")).toBe("Buns ");
  });

  it("leaves comments alone, which are plain text", () => {
    expect(textForms(part({ role: "comment", text: "@[Bakers](urn:li:organization:1)" }))).toEqual([
      "@[Bakers](urn:li:organization:1)",
    ]);
  });
});
