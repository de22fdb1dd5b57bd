import type { Post } from "../../src/publishing/schema.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";

/** A post's end: its only one, unless late evidence or a retry gave it another. */
export type Settlement = Pick<Post, "id" | "status" | "updated_at">;

/** A store, and every settlement that was written to it. */
export interface WatchedStorage {
  storage: Storage;
  settlements: readonly Settlement[];
}

export function watchSettlements(storage: Storage): WatchedStorage {
  const settlements: Settlement[] = [];
  return {
    settlements,
    storage: {
      ...storage,
      migrate: () => storage.migrate(),
      async write(operations) {
        await storage.write(operations);
        settlements.push(...operations.flatMap(settlementIn));
      },
    },
  };
}

/** Of posts as they are in the end, where each has settled at most once. */
export function settlementsOf(posts: readonly Post[]): Settlement[] {
  return posts.filter(isSettled);
}

function settlementIn(operation: Operation): Settlement[] {
  if (operation.kind !== "update" || operation.collection !== "posts") return [];
  const settlement = { ...(operation.change as Partial<Post>), id: operation.id };
  return isSettled(settlement) ? [settlement] : [];
}

function isSettled(post: Partial<Post>): post is Settlement {
  const { status } = post;
  return status === "published" || status === "partially_published" || status === "failed";
}
