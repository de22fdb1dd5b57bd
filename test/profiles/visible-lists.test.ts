import { expect, it } from "vitest";
import { freshLists, trustMs, withVisible } from "../../src/profiles/visible-lists.ts";

const now = 1_790_000_000_000;

it("the record that a list has shown a post is valid for thirty days", () => {
  const seen = { old: now - trustMs, young: now - trustMs + 1 };
  expect(freshLists({ visible_lists: seen }, now)).toEqual({ young: now - trustMs + 1 });
  expect(freshLists({}, now)).toEqual({});
});

it("a new list is added to those on record, and dated anew", () => {
  const seen = { old: now - trustMs, home: now - 2, account: now - 1 };
  expect(withVisible({ visible_lists: seen }, ["home"], now)).toEqual({ account: now - 1, home: now });
});

it("the record keeps the latest hundred lists", () => {
  const seen = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`list ${index}`, now - 100 + index]));
  const kept = Object.keys(withVisible({ visible_lists: seen }, ["home"], now));
  expect(kept).toHaveLength(100);
  expect([kept[0], kept.at(-1)]).toEqual(["list 1", "home"]);
});
