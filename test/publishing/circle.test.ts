import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { silentLogger } from "../support/logger.ts";
import { createTestService } from "../support/service.ts";

it("a record that repeats the same step forever blocks no other profile, and its post continues once the record changes", async () => {
  const clock = manualClock();
  const plain = memoryStorage({ clock });
  // The outcome of requests is never on record.
  const storage: typeof plain = {
    ...plain,
    write: (operations) =>
      plain.write(operations.filter(({ kind, collection }) => kind !== "update" || collection !== "intents")),
  };
  const errors: unknown[] = [];
  const logger = { ...silentLogger, error: (_: string, facts?: object) => void errors.push(facts) };
  const service = createTestService({ clock, storage, logger });
  const { social, sandbox } = service;
  await clock.run(() => social.start());
  const stuck = await connectMastodon(service);
  sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
  const { id } = await clock.run(() => social.posts.create({ profile_ids: [stuck.id], text: "Round and round" }));
  await clock.advance(2 * 60_000);
  expect(errors).toContainEqual(expect.objectContaining({ error: "Error: The records of part 0 form a cycle." }));
  storage.write = plain.write;
  const other = await connectBluesky(service);
  const free = await clock.run(() => social.posts.create({ profile_ids: [other.id], text: "Straight on" }));
  expect(free.status).toBe("published");
  await clock.advance(2 * 3_600_000);
  expect((await social.posts.get(id)).status).toBe("published");
  await clock.run(() => social.stop());
});
