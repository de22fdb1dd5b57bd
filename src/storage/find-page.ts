import { SocialError } from "../wire/errors.ts";
import { type Cursor, type CursorPagination, readCursor, toCursorPagination } from "../wire/pagination.ts";
import { orderOf } from "./columns.ts";
import type { CollectionName } from "./schema.ts";
import type { FindQuery, Row, Storage } from "./storage.ts";

/** A list's query without its page. */
export type ListQuery = Pick<FindQuery, "where" | "some" | "order">;

/** A page's rows, with its position in the list. */
interface FoundPage {
  rows: Row[];
  pagination: CursorPagination;
}

/**
 * Reads a page of a list: after `offset` rows, all of which the database must read, or after a cursor, which costs the
 * same at any depth. With a cursor, a row that exists all the time and keeps its position in the order is on exactly
 * one page, regardless of concurrent writes.
 *
 * @throws SocialError `invalid_request` if both a cursor and an offset are given
 */
export async function findPage(
  storage: Pick<Storage, "find">,
  collection: CollectionName,
  query: ListQuery,
  { limit, offset, cursor }: { limit: number; offset: number; cursor?: string | undefined },
): Promise<FoundPage> {
  const place = cursor === undefined ? null : readCursor(cursor);
  if (place !== null) {
    if (offset !== 0) throw cursorAndOffset();
    return findBehind(storage, collection, query, { limit, cursor: place });
  }
  const { rows, total } = await storage.find(collection, { ...query, limit, offset });
  return toFoundPage(query, rows, { limit, offset, total, has_more: offset + rows.length < total });
}

async function findBehind(
  storage: Pick<Storage, "find">,
  collection: CollectionName,
  query: ListQuery,
  { limit, cursor: { value, id, offset, total } }: { limit: number; cursor: Cursor },
): Promise<FoundPage> {
  // One row more than the page shows whether another page follows. A count would read all rows for each page.
  const found = await storage.find(collection, { ...query, after: { value, id }, limit: limit + 1, isCounted: false });
  const rows = found.rows.slice(0, limit);
  return toFoundPage(query, rows, { limit, offset, total, has_more: found.rows.length > limit });
}

function toFoundPage(query: ListQuery, rows: Row[], pagination: Omit<CursorPagination, "next_cursor">): FoundPage {
  const last = rows.at(-1);
  const place = last && { value: String(last[orderOf(query).column]), id: last.id };
  return { rows, pagination: toCursorPagination({ ...pagination, rows: rows.length }, place) };
}

function cursorAndOffset(): SocialError {
  const message = "Leave it out: cursor determines where the page begins.";
  return new SocialError("invalid_request", "The request is not valid.", {
    details: [{ field: "offset", code: "invalid_request", message }],
  });
}
