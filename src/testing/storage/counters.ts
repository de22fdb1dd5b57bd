import { expect } from "vitest";
import type { StorageCase } from "./case.ts";

export const counterCases: readonly StorageCase[] = [
  {
    test: "adds to the counter of each key separately",
    async run({ storage }) {
      const window = { now: 1000, expiresAt: 2000 };
      expect(await storage.increment({ key: "a", by: 1, ...window })).toBe(1);
      expect(await storage.increment({ key: "a", by: 2, ...window })).toBe(3);
      expect(await storage.increment({ key: "b", by: 5, ...window })).toBe(5);
      expect(await storage.increment({ key: "a", by: -1, ...window })).toBe(2);
    },
  },
  {
    test: "restarts an expired counter at zero, and keeps the expiry of a running one",
    async run({ storage }) {
      expect(await storage.increment({ key: "a", by: 1, now: 1000, expiresAt: 2000 })).toBe(1);
      expect(await storage.increment({ key: "a", by: 1, now: 1999, expiresAt: 9000 })).toBe(2);
      expect(await storage.increment({ key: "a", by: 1, now: 2000, expiresAt: 3000 })).toBe(1);
      expect(await storage.increment({ key: "a", by: 1, now: 2001, expiresAt: 3001 })).toBe(2);
    },
  },
  {
    test: "loses none of many concurrent increments",
    async run({ storage, another }) {
      const values = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? storage : another).increment({ key: "a", by: 1, now: 1000, expiresAt: 2000 }),
        ),
      );
      expect(values.sort((left, right) => left - right)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    },
  },
  {
    test: "returns a time that never goes back",
    async run({ storage }) {
      const before = await storage.now();
      expect(before).toBeGreaterThanOrEqual(0);
      expect(await storage.now()).toBeGreaterThanOrEqual(before);
    },
  },
];
