import type { WalkPage } from "../shared/walk.ts";
import { type InboxPost, postSchema } from "./inbox-posts.ts";

/** Number of newest entries to read. Small, because polled lists are mostly quiet. Later pages have the maximum size. */
const firstPageSize = 25;
/** https://docs.bsky.app/docs/api/app-bsky-notification-list-notifications (2026-08) */
const maxPageSize = 100;

/** Which page of a list to read. */
export interface Place {
  /** The page below this cursor. Null: the newest entries. */
  cursor: string | null;
  limit: number;
}

export interface List {
  posts: readonly unknown[];
  /** Null: this was the last page. */
  cursor: string | null;
}

/**
 * Reads a page of a list whose cursors may be times. Below a time are only entries that are older. More
 * entries than fit on a page may have the same time, such as the posts of a thread, and the rest of them would be
 * skipped. So the next page starts with that time again.
 *
 * https://github.com/bluesky-social/atproto/blob/main/packages/bsky/src/data-plane/server/db/pagination.ts (2026-11)
 *
 * @param page the cursor from the page before; null: the newest entries
 */
export async function readPage(
  read: (place: Place) => Promise<List>,
  page: string | null,
): Promise<WalkPage<InboxPost>> {
  const limit = page === null ? firstPageSize : maxPageSize;
  const { posts, cursor } = await read({ cursor: page, limit });
  const items = posts.slice(0, limit).flatMap((each) => postSchema.safeParse(each).data ?? []);
  const next = nextPage(cursor);
  const isFull = posts.length >= limit;
  if (cursor === null || next === cursor || next !== page) return { items, next, isFull };
  // Every entry of this time was read; or the largest page cannot hold them, and no list shows the rest.
  const from = Date.parse(cursor);
  return { items, next: cursor, gap: isFull ? { from, until: from + 1 } : null };
}

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The cursor that continues without skipping entries of this time. */
function nextPage(cursor: string | null): string | null {
  return cursor !== null && isoTime.test(cursor) ? new Date(Date.parse(cursor) + 1).toISOString() : cursor;
}
