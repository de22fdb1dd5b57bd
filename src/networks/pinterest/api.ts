import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkContext, NetworkResponse } from "../contract/request.ts";

/** https://github.com/pinterest/api-description (2025-12) */
export const apiVersion = "v5";
export const host = "api.pinterest.com";

/** More than a JavaScript number holds, so it stays text. Same source. */
export const pinterestId = z.string().regex(/^\d{1,40}$/, "An id of Pinterest: digits, as text.");

/** The address of one API route: `https://api.pinterest.com/v5/{steps joined by /}?…`. */
export function endpoint(steps: readonly string[], parameters: Readonly<Record<string, string>> = {}): string {
  const url = new URL(`https://${host}/${[apiVersion, ...steps].map(encodeURIComponent).join("/")}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** A Pin as its readers open it (unconfirmed). https://github.com/gitroomhq/postiz-app (2026-08) */
export function permalink(pinId: string): string {
  return `https://www.pinterest.com/pin/${pinId}/`;
}

/** @throws PublishingError `network_error` when a success does not hold what its route promises */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, response: NetworkResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of Pinterest's could not be read.");
}

/** The most entries of a page. https://github.com/pinterest/api-description (2025-12) */
const pageSize = "250";

/** All entries of a list, whose order is not said; `isWhole`: its end was reached. */
export async function readList<Schema extends z.ZodType>(
  context: Pick<NetworkContext, "request">,
  { steps, schema, maxPages }: { steps: readonly string[]; schema: Schema; maxPages: number },
): Promise<{ items: z.infer<Schema>[]; isWhole: boolean }> {
  const pageSchema = z.object({ items: z.array(schema), bookmark: z.string().nullish() });
  const items: z.infer<Schema>[] = [];
  let bookmark: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const more: Record<string, string> = bookmark === null ? {} : { bookmark };
    const url = endpoint(steps, { page_size: pageSize, ...more });
    const read: z.infer<typeof pageSchema> = readAnswer(pageSchema, await context.request({ method: "GET", url }));
    items.push(...read.items);
    // A bookmark that comes again would lead round and round.
    if (!read.bookmark || read.bookmark === bookmark) return { items, isWhole: !read.bookmark };
    bookmark = read.bookmark;
  }
  return { items, isWhole: false };
}
