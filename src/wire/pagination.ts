import * as z from "zod";
import { documentedObject } from "./documented-object.ts";
import { unstorableText } from "./json.ts";

/** `limit` 1 to 100, default 20; `offset` from 0. */
export const pageSchema = documentedObject({
  /** Rows on the page, 1 to 100. */
  limit: z.int().min(1).max(100).default(20).describe("Rows on the page, 1 to 100."),
  /** Rows skipped. */
  offset: z.int().min(0).default(0).describe("Rows skipped."),
});

/** The page of a list. */
export type PageQuery = z.input<typeof pageSchema>;

/** The end of a page of a list. Its encoded form is opaque to callers. */
export interface Cursor {
  /** The last row's value of the column that the list is ordered by. */
  value: string;
  /** The last row's id. */
  id: string;
  /** Number of rows up to the end of the page. */
  offset: number;
  /** Number of matching rows when the first page was read. */
  total: number;
}

const storable = z.string().refine((text) => !unstorableText.test(text));
const cursorParts = z.tuple([storable, storable, z.int().min(0), z.int().min(0)]);

/** Null: not a cursor. */
export function readCursor(text: string): Cursor | null {
  const parts = cursorParts.safeParse(jsonIn(text));
  if (!parts.success) return null;
  const [value, id, offset, total] = parts.data;
  return { value, id, offset, total };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return null;
  }
}

function cursorText({ value, id, offset, total }: Cursor): string {
  return Buffer.from(JSON.stringify([value, id, offset, total])).toString("base64url");
}

const cursorOnly = documentedObject({
  /** `next_cursor` of the previous page, with the same filters. Replaces `offset`, and costs the same at any depth. */
  cursor: z
    .string()
    .max(1_000, { abort: true })
    .refine((text) => readCursor(text) !== null, "Must be the `next_cursor` of the previous page.")
    .optional()
    .describe(
      "`next_cursor` of the previous page, with the same filters. Replaces `offset`, and costs the same at any depth.",
    ),
});

/** The query of a page of a long list: `offset` or `cursor`. */
export const cursorPageSchema = pageSchema.extend(cursorOnly.shape);

/** The page of a long list. */
export type CursorPageQuery = PageQuery & z.input<typeof cursorOnly>;

/** A filter that accepts one value or several. */
export const manyOf = <Value extends z.ZodType<string, string>>(value: Value) =>
  z.union([value, z.array(value)]).transform((given) => (Array.isArray(given) ? given : [given]));

/** `meta.pagination` of every list. */
export interface Pagination {
  /** Maximum number of items on a page. */
  limit: number;
  /** Number of items before the page. */
  offset: number;
  /** Total number of matching rows. */
  total: number;
  /** More rows exist after this page. */
  has_more: boolean;
}

/** `meta.pagination` of a list that may be long. With a `cursor`, `total` is what it was on the page without one. */
export interface CursorPagination extends Pagination {
  /** The `cursor` of the next page; null: this is the last page. */
  next_cursor: string | null;
}

/** One page of a list. */
export interface Page<Item> {
  /** The items of this page. */
  data: Item[];
  /** The page's position in the list. */
  pagination: Pagination;
}

/** One page of a list that may be long. */
export interface CursorPage<Item> {
  /** The items of this page. */
  data: Item[];
  /** Where the page stands in the list, and where the next begins. */
  pagination: CursorPagination;
}

export function toPage<Item>(data: Item[], total: number, page: { limit: number; offset: number }): Page<Item> {
  const { limit, offset } = page;
  return { data, pagination: { limit, offset, total, has_more: offset + data.length < total } };
}

/** @param last where the page ends; undefined: it has no rows */
export function toCursorPagination(
  page: Omit<CursorPagination, "next_cursor"> & { rows: number },
  last: Pick<Cursor, "value" | "id"> | undefined,
): CursorPagination {
  const { rows, ...pagination } = page;
  const { offset, total, has_more } = pagination;
  const hasNext = has_more && last !== undefined;
  return { ...pagination, next_cursor: hasNext ? cursorText({ ...last, offset: offset + rows, total }) : null };
}
