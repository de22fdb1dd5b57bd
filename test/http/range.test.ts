import { describe, expect, it } from "vitest";
import { type Asked, askedOf, isKnown, rangeOf } from "../../src/http/range.ts";

describe("a range of a file of 100 bytes", () => {
  it.each<[string | null, Asked]>([
    [null, "all"],
    ["", "all"],
    ["bytes=0-99", { from: 0, to: 100 }],
    ["bytes=0-0", { from: 0, to: 1 }],
    ["bytes=10-", { from: 10, to: 100 }],
    ["bytes=99-", { from: 99, to: 100 }],
    ["bytes=90-1000", { from: 90, to: 100 }],
    [`bytes=0-${"9".repeat(400)}`, { from: 0, to: 100 }],
    ["bytes=-10", { from: 90, to: 100 }],
    ["bytes=-1000", { from: 0, to: 100 }],
    ["BYTES=1-2", { from: 1, to: 3 }],
    [" bytes=1-2 ", { from: 1, to: 3 }],
    ["bytes=100-", "none"],
    ["bytes=100-200", "none"],
    [`bytes=${"9".repeat(400)}-`, "none"],
    ["bytes=-0", "none"],
    // An invalid range, or several, may be ignored: RFC 9110, section 14.2.
    ["bytes=5-4", "all"],
    ["bytes=-", "all"],
    ["bytes=a-b", "all"],
    ["bytes=1-2,4-5", "all"],
    ["bytes=1-2, ", "all"],
    ["bytes 1-2", "all"],
    ["bytes=1 - 2", "all"],
    ["items=1-2", "all"],
    ["bytes=0x1-2", "all"],
    ["bytes=1.5-2", "all"],
    ["bytes=+1-2", "all"],
    ["bytes=--1", "all"],
  ])("%s gives %j", (header, asked) => {
    expect(rangeOf(header, 100)).toEqual(asked);
  });

  it("takes no time to parse, however long the header", () => {
    for (const header of [`bytes=${" ".repeat(16_000)}x`, `bytes=${"1".repeat(16_000)}x`]) {
      expect(rangeOf(header, 100)).toBe("all");
    }
  });
});

const file = { tag: '"abc"', sizeBytes: 100 };

describe("If-Range", () => {
  it.each([
    ['"abc"', { from: 1, to: 3 }],
    [' "abc" ', { from: 1, to: 3 }],
    ['"other"', "all"],
    ['W/"abc"', "all"],
    ["Sat, 21 Nov 2026 12:00:00 GMT", "all"],
    ["", "all"],
  ])("of %s leaves the range %j", (condition, asked) => {
    expect(askedOf(new Headers({ range: "bytes=1-2", "if-range": condition }), file)).toEqual(asked);
  });
});

describe("If-None-Match", () => {
  it.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ["*", true],
    ['"x"', false],
    ["abc", false],
    ["", false],
  ])("of %s: the caller has the file: %s", (header, known) => {
    expect(isKnown(new Headers({ "if-none-match": header }), file.tag)).toBe(known);
  });
});
