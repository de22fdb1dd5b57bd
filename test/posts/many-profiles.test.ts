import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectMastodon } from "../support/connect.ts";
import { createTestService } from "../support/service.ts";

const profileCount = 40;

/** Counts the costs of a post for many profiles: targets read, and writes that conflicted. */
function counting(storage: Storage): { storage: Storage; counted: { targets: number; conflicts: number } } {
  const counted = { targets: 0, conflicts: 0 };
  return {
    counted,
    storage: {
      ...storage,
      async find(collection, query) {
        const found = await storage.find(collection, query);
        if (collection === "targets") counted.targets += found.rows.length;
        return found;
      },
      async write(operations) {
        await storage.write(operations).catch((error: unknown) => {
          counted.conflicts += 1;
          throw error;
        });
      },
    },
  };
}

it("a post for many profiles reads each target a few times, and no two outcomes conflict", async () => {
  const clock = manualClock();
  const { storage, counted } = counting(memoryStorage({ clock }));
  const service = createTestService({ clock, storage });
  const { social } = service;
  const profile_ids: string[] = [];
  for (let index = 0; index < profileCount; index++) {
    profile_ids.push((await connectMastodon(service, `user${index}`)).id);
  }
  const statuses: unknown[] = [];
  social.on("post.published", ({ post }) => statuses.push(post.targets.map(({ status }) => status)));
  Object.assign(counted, { targets: 0, conflicts: 0 });
  const post = await clock.run(() => social.posts.create({ profile_ids, text: "For all" }));
  expect(post.status).toBe("published");
  expect(statuses).toEqual([profile_ids.map(() => "published")]);
  expect(counted.conflicts).toBe(0);
  expect(counted.targets).toBeLessThan(8 * profileCount);
});
