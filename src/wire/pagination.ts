import * as z from "zod";
import { documentedObject } from "./documented-object.ts";

/** `limit` 1 to 100, default 20; `offset` from 0. */
export const pageSchema = documentedObject({
  /** Rows on the page, 1 to 100. */
  limit: z.int().min(1).max(100).default(20).describe("Rows on the page, 1 to 100."),
  /** Rows skipped. */
  offset: z.int().min(0).default(0).describe("Rows skipped."),
});

/** The page of a list. */
export type PageQuery = z.input<typeof pageSchema>;

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

/** One page of a list. */
export interface Page<Item> {
  /** The items of this page. */
  data: Item[];
  /** The page's position in the list. */
  pagination: Pagination;
}

export function toPage<Item>(data: Item[], total: number, page: { limit: number; offset: number }): Page<Item> {
  const { limit, offset } = page;
  return { data, pagination: { limit, offset, total, has_more: offset + data.length < total } };
}
