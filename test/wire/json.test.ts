import { expect, it } from "vitest";
import { isSameJson, type Json } from "../../src/wire/json.ts";

it.each<[string, Json, Json, boolean]>([
  ["objects whose keys are in another order", { a: 1, b: { c: [1], d: null } }, { b: { d: null, c: [1] }, a: 1 }, true],
  ["lists in another order", [1, 2], [2, 1], false],
  ["a key that is null, and a missing one", { a: null }, {}, false],
  ["a number and its string", 1, "1", false],
  ["keys in one list in another order", [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
])("the comparison of JSON handles %s", (_, one, other, isSame) => {
  expect(isSameJson(one, other)).toBe(isSame);
});
