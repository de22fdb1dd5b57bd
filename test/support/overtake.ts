import type { PostStatus } from "../../src/posts/schema.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";

/** A store in front of which one write waits while something else happens. */
export interface OvertakenStorage {
  storage: Storage;
  /**
   * Lets `first` happen between what a call has read and the next write that
   * makes a post `becoming`; `put_off`: that starts it later.
   */
  overtake(becoming: PostStatus | "put_off", first: () => Promise<unknown>): void;
}

export function overtakenStorage(storage: Storage): OvertakenStorage {
  let next: { becoming: PostStatus | "put_off"; first: () => Promise<unknown> } | null = null;
  return {
    overtake(becoming, first) {
      next = { becoming, first };
    },
    storage: {
      ...storage,
      migrate: () => storage.migrate(),
      async write(operations) {
        const overtaking = next;
        if (overtaking !== null && operations.some((operation) => becomingOf(operation) === overtaking.becoming)) {
          next = null;
          await overtaking.first();
        }
        return storage.write(operations);
      },
    },
  };
}

function becomingOf(operation: Operation): unknown {
  if (operation.kind !== "update" || operation.collection !== "posts") return undefined;
  return operation.change.status ?? "put_off";
}
