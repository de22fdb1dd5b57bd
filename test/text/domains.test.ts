import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDomainName } from "../../src/text/domains.ts";
import { seed } from "./awkward.ts";

/** Letters of several scripts that no step before the encoding changes. */
const letters = "abcxyz019-éøčżабвяλωאבטケす漢語字𐌰𐍈";

/** Browsers split a name at the wide full stop: the two parts and it have 63 characters in total. */
function isAsLongAs(label: string, encoded: string): boolean {
  const [most, tooMany] = [62, 63].map((room) => `${label}。${"a".repeat(room - encoded.length)}`);
  return most !== undefined && isDomainName(most) && tooMany !== undefined && !isDomainName(tooMany);
}

describe("a domain label", () => {
  it("may have 63 characters in the domain name system", () => {
    expect([isDomainName("a".repeat(63)), isDomainName("a".repeat(64))]).toEqual([true, false]);
  });

  // Node encodes it with another library.
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

  it("is exactly as long as its encoded form, to the character", () => {
    const label = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...letters) });
    fc.assert(
      fc.property(label, (text) => {
        const encoded = domainToASCII(`x${text}x`);
        fc.pre(encoded !== "" && encoded.length < 62);
        expect(isAsLongAs(`x${text}x`, encoded)).toBe(true);
      }),
      { seed, numRuns: 5_000 },
    );
  });

  it("is as long as its encoded form, however far apart its letters are", () => {
    const wrong: string[] = [];
    for (let distance = 1; distance <= 1_000; distance++) {
      const [far, farther] = [distance, distance + 177].map((place) => String.fromCharCode(0x4e00 + place));
      for (const label of [
        `${far}一龠`,
        `a${far}一丁龠`,
        `a一丁${far}${farther}`,
        `a一${far}丁${farther}`,
        `一${far}丁龠龠`,
      ])
        if (!isAsLongAs(label, domainToASCII(label))) wrong.push(label);
    }
    expect(wrong).toEqual([]);
  });

  it.each(["漢", "語字", "éa", "абвя", "𐌰"])("is as long as its encoded form also at the limit: %s", (unit) => {
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
