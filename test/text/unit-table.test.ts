import { expect, it } from "vitest";
import { rememberUnits } from "../../src/text/unit-table.ts";

it("the predicate is called once per unit, and never beyond a text's end", () => {
  const asked: string[] = [];
  const isDigit = rememberUnits((character) => {
    asked.push(character);
    return /\d/.test(character);
  });
  expect([..."a1a1"].map((character) => isDigit(character.charCodeAt(0)))).toEqual([false, true, false, true]);
  expect(isDigit("".charCodeAt(0))).toBe(false);
  expect(asked).toEqual(["a", "1"]);
});
