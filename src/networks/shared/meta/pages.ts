import * as z from "zod";
import type { NetworkContext } from "../../contract/request.ts";
import { readGraphAnswer } from "./graph.ts";

/** Beyond this the look is given up as incomplete. */
const maxPages = 10;

/** Pages follow each other by a cursor. https://developers.facebook.com/docs/graph-api/results (2026-09) */
export const pagingSchema = z.object({
  cursors: z.object({ after: z.string() }).nullish(),
  next: z.string().nullish(),
});

type Paging = z.infer<typeof pagingSchema> | null | undefined;

/** Where the next page begins; null: this was the last. */
export function cursorAfter(paging: Paging): string | null {
  return paging?.next == null ? null : (paging.cursors?.after ?? null);
}

interface GraphList<Schema extends z.ZodType> {
  /** As the network writes itself. */
  name: string;
  /** The first page's. */
  url: string;
  /** Of an entry. */
  schema: Schema;
  isPast?: (item: z.infer<Schema>) => boolean;
  /** As in `NetworkRequest`. */
  operation?: string;
}

/**
 * Reads a list from its newest entry on, until a page lies in the past as a
 * whole: one old entry may be pinned to the top. `isWhole`: it got as far, or
 * to the end.
 */
export async function readGraphPages<Schema extends z.ZodType>(
  context: Pick<NetworkContext, "request">,
  { name, url, schema, isPast, operation }: GraphList<Schema>,
): Promise<{ items: z.infer<Schema>[]; isWhole: boolean }> {
  const pageSchema = z.object({ data: z.array(schema), paging: pagingSchema.nullish() });
  const items: z.infer<Schema>[] = [];
  let next: string | null = url;
  for (let page = 0; page < maxPages && next !== null; page++) {
    const request = { method: "GET", url: next, ...(operation !== undefined && { operation }) } as const;
    const { data, paging } = readGraphAnswer(name, pageSchema, await context.request(request));
    items.push(...data);
    if (isPast !== undefined && data.length > 0 && data.every(isPast)) return { items, isWhole: true };
    next = nextPage(url, paging);
  }
  return { items, isWhole: next === null };
}

/** Only the cursor is taken out of the answer: its own address for the next page may lead anywhere. */
function nextPage(url: string, paging: Paging): string | null {
  const after = cursorAfter(paging);
  if (after === null) return null;
  const next = new URL(url);
  next.searchParams.set("after", after);
  return next.href;
}
