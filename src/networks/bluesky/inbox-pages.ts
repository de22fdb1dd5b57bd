import type { WalkPage } from "../shared/walk.ts";
import { type InboxPost, postSchema } from "./inbox-posts.ts";

/** Of the newest entries, and of those below them: lists that are looked at again and again are mostly quiet. */
const firstPageSize = 25;
/** https://docs.bsky.app/docs/api/app-bsky-notification-list-notifications (2026-08) */
const maxPageSize = 100;

/** What a list is asked for. */
export interface Place {
  /** What stands below it; null: the newest. */
  cursor: string | null;
  limit: number;
}

/** As a list answers. */
export interface List {
  posts: readonly unknown[];
  /** Null: this was the last page. */
  cursor: string | null;
}

/**
 * A page of a list whose cursors may be times: what stands below such a cursor is older than it. More may be of one moment
 * than a page has room for, as the posts of a thread that an app dates alike, and the rest of them would be passed over.
 * So the next page begins with that moment once more.
 *
 * https://github.com/bluesky-social/atproto/blob/main/packages/bsky/src/data-plane/server/db/pagination.ts (2026-11)
 *
 * @param page where it begins, as the page before says; null: at the newest
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
  // All of this moment; or not even the longest page holds it, and nothing lists the rest.
  const from = Date.parse(cursor);
  return { items, next: cursor, gap: isFull ? { from, until: from + 1 } : null };
}

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The cursor that leads on without passing over the moment of this one. */
function nextPage(cursor: string | null): string | null {
  return cursor !== null && isoTime.test(cursor) ? new Date(Date.parse(cursor) + 1).toISOString() : cursor;
}
