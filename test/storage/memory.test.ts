import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import { storageContract } from "../../src/testing/storage.ts";

storageContract({ name: "memory", create: () => ({ storage: memoryStorage() }) });

it("takes its time from the clock", async () => {
  const clock = { now: () => 42, monotonic: () => 0, sleep: async () => {} };
  expect(await memoryStorage({ clock }).now()).toBe(42);
});

it("keeps apart what two storages hold", async () => {
  const [one, two] = [memoryStorage(), memoryStorage()];
  await one.write([{ kind: "insert", collection: "posts", row: { id: "post_1" } }]);
  expect(await two.get("posts", "post_1")).toBeNull();
});
