import type { PostStatus } from "../../src/publishing/schema.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";

/** A store in front of which one write waits while something else happens. */
export interface OvertakenStorage {
  storage: Storage;
  /**
   * Lets `first` happen between what a call has read and the next write that
   * makes a post `moment`; `put_off`: that starts it later. `targets`: before
   * the next reading of targets.
   */
  overtake(moment: Moment, first: () => Promise<unknown>): void;
}

type Moment = PostStatus | "put_off" | "targets";

export function overtakenStorage(storage: Storage): OvertakenStorage {
  let next: { moment: Moment; first: () => Promise<unknown> } | null = null;

  async function letPass(isThere: (moment: Moment) => boolean): Promise<void> {
    if (next === null || !isThere(next.moment)) return;
    const { first } = next;
    next = null;
    await first();
  }

  return {
    overtake(moment, first) {
      next = { moment, first };
    },
    storage: {
      ...storage,
      migrate: () => storage.migrate(),
      async find(collection, query) {
        await letPass((moment) => moment === collection);
        return storage.find(collection, query);
      },
      async write(operations) {
        await letPass((moment) => operations.some((operation) => becomingOf(operation) === moment));
        return storage.write(operations);
      },
    },
  };
}

function becomingOf(operation: Operation): unknown {
  if (operation.kind !== "update" || operation.collection !== "posts") return undefined;
  return operation.change.status ?? "put_off";
}
