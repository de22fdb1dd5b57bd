import { describe, expect, it } from "vitest";
import { jsonExcess } from "../../src/wire/json-excess.ts";

const max = { depth: 3, values: 6 };

describe("jsonExcess", () => {
  it.each([
    ["three levels", "[[[1]]]", null],
    ["a fourth level", '{"a":[{"b":[]}]}', "depth"],
    ["levels one after the other", "[[],[]]", null],
    ["unclosed brackets", "[".repeat(9), "depth"],
    ["the maximum number of values", "[1,2,3,4,5,6]", null],
    ["one value more", "[1,2,3,4,5,6,7]", "values"],
    ["brackets and commas in a string", `["${"[,".repeat(9)}"]`, null],
    ["a quote in a string", `["\\"${"[,".repeat(9)}"]`, null],
    ["a string that ends in a backslash", `["\\\\",${"[".repeat(9)}`, "depth"],
    ["an unclosed string", `["${"[".repeat(9)}`, null],
  ])("judges %s", (_what, text, excess) => {
    expect(jsonExcess(text, max)).toBe(excess);
  });
});
