import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import { type Operation, type Storage, StorageConflict } from "../../src/storage/storage.ts";
import { writeWithRetries } from "../../src/storage/write-with-retries.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { silentLogger } from "../support/logger.ts";

const insert: Operation = { kind: "insert", collection: "posts", row: { id: "post_1" } };

/** A store that cannot be reached for a while. */
function failingStore(seconds: number) {
  const clock = manualClock();
  const inner = memoryStorage({ clock });
  let tries = 0;
  const storage: Storage = {
    ...inner,
    async write(operations) {
      tries += 1;
      if (clock.monotonic() < seconds * 1000) throw new Error("the store cannot be reached");
      return inner.write(operations);
    },
  };
  return { ports: { storage, clock, logger: silentLogger }, clock, tries: () => tries };
}

it("a write succeeds once the store can be reached again", async () => {
  const { ports, clock, tries } = failingStore(15);
  await clock.run(() => writeWithRetries(ports, [insert]));
  expect(await ports.storage.get("posts", "post_1")).not.toBeNull();
  expect(tries()).toBe(76);
});

it("a write fails after 20 s with the store's own error", async () => {
  const { ports, clock } = failingStore(60);
  await expect(clock.run(() => writeWithRetries(ports, [insert]))).rejects.toThrow("cannot be reached");
  expect(clock.monotonic()).toBe(20_000);
});

it("a write with a conflict is not repeated", async () => {
  const { ports, clock, tries } = failingStore(0);
  await ports.storage.write([insert]);
  await expect(clock.run(() => writeWithRetries(ports, [insert]))).rejects.toBeInstanceOf(StorageConflict);
  expect(tries()).toBe(2);
});
