import { describe, expect, it } from "vitest";
import { readPages } from "../../../src/networks/shared/pages.ts";

/** Pages of integers by their cursor. */
function listOf(pages: Readonly<Record<string, { items: number[]; next: string | null }>>) {
  const asked: (string | null)[] = [];
  const read = async (cursor: string | null) => {
    asked.push(cursor);
    return pages[cursor ?? "first"] ?? { items: [], next: null };
  };
  return { asked, read };
}

const twoPages = { first: { items: [9, 8], next: "b" }, b: { items: [7], next: null } };

describe("a list in pages", () => {
  it("is whole at its end", async () => {
    const { asked, read } = listOf(twoPages);
    expect(await readPages(read, { maxPages: 5 })).toEqual({ items: [9, 8, 7], isWhole: true });
    expect(asked).toEqual([null, "b"]);
  });

  it("is not whole if it has more pages than are read", async () => {
    expect(await readPages(listOf(twoPages).read, { maxPages: 1 })).toEqual({ items: [9, 8], isWhole: false });
  });

  it("is whole at a page whose entries are all too old, but not at one old entry that is pinned to the top", async () => {
    const { asked, read } = listOf({
      first: { items: [1, 9], next: "b" },
      b: { items: [4, 3], next: "c" },
      c: { items: [2], next: null },
    });
    const found = await readPages(read, { maxPages: 5, isPast: (item) => item < 5 });
    expect(found).toEqual({ items: [1, 9, 4, 3], isWhole: true });
    expect(asked).toEqual([null, "b"]);
  });

  it("continues after an empty page", async () => {
    const { read } = listOf({ first: { items: [], next: "b" }, b: { items: [7], next: null } });
    expect(await readPages(read, { maxPages: 5, isPast: () => true })).toEqual({ items: [7], isWhole: true });
  });

  it("is abandoned, and not whole, if a page leads to itself", async () => {
    const { asked, read } = listOf({ first: { items: [9], next: "b" }, b: { items: [8], next: "b" } });
    expect(await readPages(read, { maxPages: 5 })).toEqual({ items: [9, 8], isWhole: false });
    expect(asked).toEqual([null, "b"]);
  });
});
