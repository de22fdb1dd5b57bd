import { describe, expect, it } from "vitest";
import { retryAfterEnd } from "../../src/outbound/retry-after.ts";

const now = Date.parse("2026-11-21T12:00:00.000Z");

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["1", 1_000],
    ["007", 7_000],
    ["86400", 86_400_000],
    ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 11:59:30 GMT", -30_000],
    ["Saturday, 21-Nov-26 12:00:30 GMT", 30_000],
    ["Sat Nov 21 12:00:30 2026 GMT", 30_000],
  ])("gives the right wait: %s", (header, ms) => {
    expect(retryAfterEnd(header, now)).toBe(now + ms);
  });

  it("may exceed every clock", () => {
    expect(retryAfterEnd("9".repeat(400), now)).toBe(Infinity);
  });

  it.each([[null], [""], ["soon"], ["NaN"], ["1s"], ["Infinity"], ["1e3"], ["0x10"]])(
    "is ignored if it is %o",
    (header) => {
      expect(retryAfterEnd(header, now)).toBeNull();
    },
  );
});
