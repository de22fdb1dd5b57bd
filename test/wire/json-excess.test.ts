import { describe, expect, it } from "vitest";
import { jsonExcess } from "../../src/wire/json-excess.ts";

const max = { depth: 3, values: 6 };

describe("jsonExcess", () => {
  it.each([
    ["three levels", "[[[1]]]", null],
    ["a fourth", '{"a":[{"b":[]}]}', "depth"],
    ["levels one after the other", "[[],[]]", null],
    ["brackets that nothing closes", "[".repeat(9), "depth"],
    ["as many values as are allowed", "[1,2,3,4,5,6]", null],
    ["one more", "[1,2,3,4,5,6,7]", "values"],
    ["brackets and commas in a text", `["${"[,".repeat(9)}"]`, null],
    ["a quote in a text", `["\\"${"[,".repeat(9)}"]`, null],
    ["a text that ends in a backslash", `["\\\\",${"[".repeat(9)}`, "depth"],
    ["a text that nothing ends", `["${"[".repeat(9)}`, null],
  ])("%s", (_what, text, excess) => {
    expect(jsonExcess(text, max)).toBe(excess);
  });
});
