import type { Operation, Storage } from "../../src/storage/storage.ts";
import { createCounts, randomAt } from "./chance.ts";
import { createWriteLanes, delaysOf } from "./lanes.ts";
import type { SceneWorld } from "./world.ts";

/** The store as one process sees it: what it writes and claims is written down, and it may die after an intent. */
export function watchedStorage(world: SceneWorld): (kill: () => void) => Storage {
  const { plan, clock, storage, recording } = world;
  const intents = createCounts();
  const laneOf = createWriteLanes();
  return (kill) => ({
    ...storage,
    migrate: () => storage.migrate(),
    async write(operations) {
      const lane = laneOf(operations);
      await clock.sleep(delaysOf(lane).writeMs);
      await storage.write(operations);
      if (operations.length === 0) return;
      recording.write(lane, operations);
      const random = randomAt(plan.seed, "death at an intent", lane, intents(lane));
      if (operations.some(isIntent) && random.next() < world.shares.deaths) kill();
    },
    async claim(collection, options) {
      const rows = await storage.claim(collection, options);
      for (const { id, epoch } of rows) recording.add("claims", `${collection} ${id} epoch ${epoch}`);
      return rows;
    },
  });
}

function isIntent({ kind, collection }: Operation): boolean {
  return kind === "insert" && collection === "intents";
}
