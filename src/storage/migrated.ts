import type { Storage } from "./storage.ts";

/** Wraps a storage so that its first use runs the migration. After a failure the next use retries it. */
export function migratedStorage(storage: Storage): Storage {
  let migration: Promise<void> | null = null;
  let isReady = false;
  const ready = (): Promise<void> => {
    migration ??= storage.migrate().then(
      () => {
        isReady = true;
      },
      (error: unknown) => {
        migration = null;
        throw error;
      },
    );
    return migration;
  };
  function after<Result>(work: () => Promise<Result>): Promise<Result> {
    return isReady ? work() : ready().then(work);
  }
  const claimPosts = storage.claimPosts?.bind(storage);
  return {
    ...storage,
    migrate: ready,
    get: (...question) => after(() => storage.get(...question)),
    find: (...question) => after(() => storage.find(...question)),
    write: (operations) => after(() => storage.write(operations)),
    claim: (...question) => after(() => storage.claim(...question)),
    ...(claimPosts === undefined ? {} : { claimPosts: (options) => after(() => claimPosts(options)) }),
    nextDueAt: (until) => after(() => storage.nextDueAt(until)),
    increment: (counter) => after(() => storage.increment(counter)),
  };
}
