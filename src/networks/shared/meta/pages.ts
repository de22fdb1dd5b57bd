import * as z from "zod";
import type { NetworkContext } from "../../contract/request.ts";
import { withParameters } from "../address.ts";
import { answersOf } from "../answer.ts";
import { type ReadList, readPages } from "../pages.ts";

/** Maximum number of pages. A longer list counts as incomplete. */
const maxPages = 10;

/** The next page has a cursor. https://developers.facebook.com/docs/graph-api/results (2026-09) */
export const pagingSchema = z.object({
  cursors: z.object({ after: z.string() }).nullish(),
  next: z.string().nullish(),
});

type Paging = z.infer<typeof pagingSchema> | null | undefined;

/** The cursor of the next page. Null: this was the last. */
export function cursorAfter(paging: Paging): string | null {
  return paging?.next == null ? null : (paging.cursors?.after ?? null);
}

interface GraphList<Schema extends z.ZodType> {
  /** The network's own spelling of its name. */
  name: string;
  /** The URL of the first page. */
  url: string;
  /** The schema of an entry. */
  schema: Schema;
  isPast?: (item: z.infer<Schema>) => boolean;
  /** As in `NetworkRequest`. */
  operation?: string;
}

/** Reads a list from its newest entry on. Uses only the cursor of a response, because its URL for the next page may point anywhere. */
export function readGraphPages<Schema extends z.ZodType>(
  context: Pick<NetworkContext, "request">,
  { name, url, schema, isPast, operation }: GraphList<Schema>,
): Promise<ReadList<z.infer<Schema>>> {
  const pageSchema = z.object({ data: z.array(schema), paging: pagingSchema.nullish() });
  const readPage = async (after: string | null) => {
    const page = after === null ? url : withParameters(url, { after });
    const request = { method: "GET", url: page, ...(operation !== undefined && { operation }) } as const;
    const { data, paging } = answersOf(name).readAnswer(pageSchema, await context.request(request));
    return { items: data, next: cursorAfter(paging) };
  };
  return readPages(readPage, { maxPages, ...(isPast && { isPast }) });
}
