import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import { storageContract } from "../../src/testing/storage.ts";

storageContract({ name: "memory", create: () => ({ storage: memoryStorage() }) });

it("the memory storage uses the given clock", async () => {
  const clock = { now: () => 42, monotonic: () => 0, sleep: async () => {} };
  expect(await memoryStorage({ clock }).now()).toBe(42);
});

it("two memory storages do not share rows", async () => {
  const [one, two] = [memoryStorage(), memoryStorage()];
  await one.write([{ kind: "insert", collection: "posts", row: { id: "post_1" } }]);
  expect(await two.get("posts", "post_1")).toBeNull();
});
