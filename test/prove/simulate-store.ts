import type { Operation, Storage } from "../../src/storage/storage.ts";
import type { Machine } from "./simulate-machine.ts";
import type { SimulatedWorld } from "./simulate-world.ts";

/** A call of the store that failed because the simulation wanted it to. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
}

/** What a store that fails is about. */
export type ExposedWorld = Pick<
  SimulatedWorld,
  "clock" | "storage" | "random" | "weather" | "isStoreDown" | "howToFreeze"
>;

/** One process's line to the store: slow, broken, or heard only when the machine runs again. */
export function exposedStore(world: ExposedWorld, machine: Machine, die: () => void): Storage {
  const { clock, storage, random } = world;
  const { claimPosts } = storage;

  async function delay(): Promise<void> {
    if (random.next() < world.weather.slowStore) await clock.sleep(random.of([200, 3_000, 8_000, 40_000]));
  }

  async function call<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      await delay();
      const fails = world.isStoreDown || random.next() < world.weather.store;
      const isDone = !world.isStoreDown && random.next() < 0.5;
      if (fails && !isDone) throw new StoreFailure("The store cannot be reached.");
      const result = await work();
      if (fails) throw new StoreFailure("The store's answer was lost.");
      await delay();
      return result;
    } finally {
      await machine.thawed();
    }
  }

  async function mortal<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = await work();
    if (random.next() < world.weather.deaths) die();
    return result;
  }

  return {
    ...storage,
    migrate: () => storage.migrate(),
    now: () => call(() => storage.now()),
    get: (...question) => call(() => storage.get(...question)),
    find: (...question) => call(() => storage.find(...question)),
    nextDueAt: (until) => call(() => storage.nextDueAt(until)),
    claim: (...question) => call(() => mortal(() => storage.claim(...question))),
    ...(claimPosts && { claimPosts: (options) => call(() => mortal(() => claimPosts(options))) }),
    async write(operations) {
      await call(() => mortal(() => storage.write(operations)));
      if (!operations.some(isIntent) || random.next() >= world.weather.freezes) return;
      machine.freeze(random.of([6_000, 45_000, 240_000, 600_000]), world.howToFreeze());
      await machine.thawed();
    },
  };
}

function isIntent({ kind, collection }: Operation): boolean {
  return kind === "insert" && collection === "intents";
}
