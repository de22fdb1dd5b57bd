import type { Storage } from "./storage.ts";

/** The same storage, whose tables are there before its first use. A migration that failed is tried again. */
export function migratedStorage(storage: Storage): Storage {
  let migration: Promise<void> | null = null;
  const ready = (): Promise<void> => {
    migration ??= storage.migrate().catch((error: unknown) => {
      migration = null;
      throw error;
    });
    return migration;
  };
  return {
    ...storage,
    migrate: ready,
    get: async (...question) => {
      await ready();
      return storage.get(...question);
    },
    find: async (...question) => {
      await ready();
      return storage.find(...question);
    },
    write: async (operations) => {
      await ready();
      return storage.write(operations);
    },
    claim: async (...question) => {
      await ready();
      return storage.claim(...question);
    },
    increment: async (counter) => {
      await ready();
      return storage.increment(counter);
    },
  };
}
