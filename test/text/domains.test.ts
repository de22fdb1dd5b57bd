import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDomainName } from "../../src/text/domains.ts";
import { seed } from "./awkward.ts";

/** Letters that no step before the encoding changes, some of each of several scripts. */
const letters = "abcxyz019-éøčżабвяλωאבטケす漢語字𐌰𐍈";

describe("a label", () => {
  it("may have 63 characters as the domain name system writes it", () => {
    expect([isDomainName("a".repeat(63)), isDomainName("a".repeat(64))]).toEqual([true, false]);
  });

  // Node encodes it by a library of its own.
  it("is as long as its encoded form", () => {
    const label = fc.string({ minLength: 1, maxLength: 62, unit: fc.constantFrom(...letters) });
    fc.assert(
      fc.property(label, (text) => {
        const encoded = domainToASCII(`x${text}x`);
        fc.pre(encoded !== "");
        expect(isDomainName(`x${text}x`)).toBe(encoded.length <= 63);
      }),
      { seed, numRuns: 5_000 },
    );
  });

  it.each(["漢", "語字", "éa", "абвя", "𐌰"])("is as long as its encoded form at the limit, too: %s", (unit) => {
    for (let count = 1; count < 70; count++) {
      const text = unit.repeat(count);
      for (const label of [text, `${text}a`, `a${text}-9`])
        expect(isDomainName(label), label).toBe(domainToASCII(label).length <= 63);
    }
  });

  it("is never empty", () => {
    expect(["a..b", "", "a."].map(isDomainName)).toEqual([false, false, false]);
  });
});
