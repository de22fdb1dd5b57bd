import * as z from "zod";
import type { NetworkContext } from "../contract/request.ts";
import { endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";
import { type ReadList, readPages } from "../shared/pages.ts";

/** https://github.com/pinterest/api-description (2025-12) */
export const apiVersion = "v5";
export const host = "api.pinterest.com";

/** More than a JavaScript number holds, so it stays text. Same source. */
export const pinterestId = z.string().regex(/^\d{1,40}$/, "A Pinterest id: a string of digits.");

/** The address of one API route. */
export const endpoint = endpointsBelow(`https://${host}/${apiVersion}`);

/** A Pin as its readers open it (unconfirmed). https://github.com/gitroomhq/postiz-app (2026-08) */
export function permalink(pinId: string): string {
  return `https://www.pinterest.com/pin/${pinId}/`;
}

export const { readAnswer, getAnswer } = answersOf("Pinterest");

/** The most entries of a page. https://github.com/pinterest/api-description (2025-12) */
const pageSize = "250";

/** All entries of a list, whose order is not said; `isWhole`: its end was reached. */
export async function readList<Schema extends z.ZodType>(
  context: Pick<NetworkContext, "request">,
  { steps, schema, maxPages }: { steps: readonly string[]; schema: Schema; maxPages: number },
): Promise<ReadList<z.infer<Schema>>> {
  const pageSchema = z.object({ items: z.array(schema), bookmark: z.string().nullish() });
  const readPage = async (bookmark: string | null) => {
    const url = endpoint(steps, { page_size: pageSize, ...(bookmark !== null && { bookmark }) });
    const { items, bookmark: next } = await getAnswer(pageSchema, context, url);
    return { items, next: next || null };
  };
  return readPages(readPage, { maxPages });
}
