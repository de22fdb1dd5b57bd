import { expect } from "vitest";
import type { PutOptions } from "../../media/store/store.ts";
import { bytesOf, collect, putBytes } from "./bodies.ts";
import type { MediaStoreCase } from "./case.ts";
import { verbs } from "./writes.ts";

const noKeys = [
  "",
  "/a",
  "a/",
  "a//b",
  "..",
  "a/../b",
  "a..b",
  "./a",
  ".a",
  "a/.b",
  "a.",
  "A",
  "a b",
  "ä",
  "a\\b",
  "a+b",
  "a%2fb",
  "a?b",
  "a\0b",
  "a\n",
  "a".repeat(201),
];

export const keyCases: readonly MediaStoreCase[] = [
  {
    test: "accepts every valid key, and keeps their files separate",
    async run({ store }) {
      const keys = ["a", "a/b", "a/b.c", "a-b", "a_b", "a.b", "-_/0.9-z_", "a".repeat(200), `${"b/".repeat(98)}bb.b`];
      for (const [index, key] of keys.entries()) await putBytes(store, key, bytesOf(index + 1));
      for (const [index, key] of keys.entries()) {
        expect(await collect(await store.read(key))).toEqual(bytesOf(index + 1));
      }
      await store.delete("a");
      expect(await store.head("a/b")).not.toBeNull();
    },
  },
  {
    test: "rejects an invalid key in every call",
    async run({ store }) {
      for (const key of noKeys) {
        for (const verb of verbs(store)) {
          await expect(Promise.resolve().then(() => verb(key))).rejects.toThrow(/^key: Must be /);
        }
      }
    },
  },
  {
    test: "rejects invalid types, lengths and ranges",
    async run({ store }) {
      const wrong: [Partial<PutOptions>, RegExp][] = [
        [{ contentType: "" }, /^contentType: /],
        [{ contentType: "image/png\r\nx: y" }, /^contentType: /],
        [{ contentType: `image/${"x".repeat(122)}` }, /^contentType: /],
        [{ sizeBytes: -1 }, /^sizeBytes: /],
        [{ sizeBytes: 1.5 }, /^sizeBytes: /],
      ];
      for (const [options, message] of wrong) {
        await expect(putBytes(store, "a", bytesOf(1), options)).rejects.toThrow(message);
      }
      await expect(store.read("a", { from: -1 })).rejects.toThrow(/^from: /);
      await expect(store.read("a", { from: 0, to: 0 })).rejects.toThrow(/^to: /);
      await expect(store.read("a", { from: 2, to: 1 })).rejects.toThrow(/^to: /);
    },
  },
];
