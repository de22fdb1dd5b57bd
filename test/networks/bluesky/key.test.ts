import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordKey } from "../../../src/networks/bluesky/key.ts";

const contracts = process.env.POSTRIDER_CONTRACTS ?? join(import.meta.dirname, "../../../../shared/contracts");
const vectors = join(contracts, "atproto/syntax");
const tid = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/;

const subject = fc.record({
  subjectId: fc.string({ minLength: 1 }),
  createdAt: fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
  part: fc.nat({ max: 99 }),
  bodyHash: fc.string(),
});

function lines(name: string): string[] {
  const text = readFileSync(join(vectors, name), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

describe("recordKey", () => {
  it("is a TID for every subject", () => {
    fc.assert(fc.property(subject, (each) => tid.test(recordKey(each))));
  });

  it("stays the same in every attempt, whatever the body", () => {
    fc.assert(
      fc.property(subject, fc.string(), (each, bodyHash) => {
        expect(recordKey({ ...each, bodyHash })).toBe(recordKey(each));
      }),
    );
  });

  it("sorts a thread's parts in their order", () => {
    fc.assert(
      fc.property(subject, (each) => {
        expect(recordKey({ ...each, part: each.part + 1 }) > recordKey(each)).toBe(true);
      }),
    );
  });

  it("sorts targets of a later second after earlier ones", () => {
    const first = recordKey({ subjectId: "tgt_z", createdAt: 1_763_725_800_000, part: 0, bodyHash: "1" });
    const second = recordKey({ subjectId: "tgt_a", createdAt: 1_763_725_801_000, part: 0, bodyHash: "1" });
    expect(second > first).toBe(true);
  });

  it("differs between targets of the same millisecond", () => {
    const keys = Array.from({ length: 5_000 }, (_, index) =>
      recordKey({ subjectId: `tgt_${index}`, createdAt: 1_763_725_800_000, part: 0, bodyHash: "1" }),
    );
    expect(new Set(keys).size).toBe(5_000);
  });

  it("holds the time of creation, to the second, in its first bits", () => {
    const alphabet = "234567abcdefghijklmnopqrstuvwxyz";
    const key = recordKey({ subjectId: "tgt_1", createdAt: 1_763_725_800_123, part: 0, bodyHash: "1" });
    let value = 0n;
    for (const character of key) value = (value << 5n) | BigInt(alphabet.indexOf(character));
    const afterMs = Number((value >> 10n) / 1000n) - 1_763_725_800_123;
    expect(afterMs).toBeGreaterThanOrEqual(0);
    expect(afterMs).toBeLessThan(1_000);
  });

  it.skipIf(!existsSync(vectors))(
    "matches a pattern that agrees with the protocol's own vectors (POSTRIDER_CONTRACTS)",
    () => {
      expect(lines("tid_syntax_valid.txt").filter((line) => !tid.test(line))).toEqual([]);
      expect(lines("tid_syntax_invalid.txt").filter((line) => tid.test(line))).toEqual([]);
    },
  );
});
