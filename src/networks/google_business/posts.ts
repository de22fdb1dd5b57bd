import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { type ReadList, readPages } from "../shared/pages.ts";
import { getAnswer, postsEndpoint, readAnswer } from "./api.ts";
import { locationName } from "./known.ts";

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09) */
export const postSchema = z.object({
  name: z.string().min(1),
  state: z.string().nullish(),
  summary: z.string().nullish(),
  topicType: z.string().nullish(),
  createTime: z.string().nullish(),
  searchUrl: z.string().nullish(),
  event: z.object({ title: z.string().nullish() }).nullish(),
  media: z.array(z.unknown()).nullish(),
});

export type LocalPost = z.infer<typeof postSchema>;

/** What is empty Google leaves out: an object of nothing is an empty page, and one of anything else is none. */
const pageSchema = z
  .looseObject({ localPosts: z.array(postSchema).nullish(), nextPageToken: z.string().nullish() })
  .refine((page) => page.localPosts != null || Object.keys(page).every((key) => key === "nextPageToken"));

/** Same source: the largest page. */
const pageSize = "100";
/** Four thousand posts. */
const maxPages = 40;

/** The order is documented nowhere: only the last page ends the list. */
export function readPosts(context: NetworkContext): Promise<ReadList<LocalPost>> {
  const readPage = async (pageToken: string | null) => {
    const url = postsEndpoint(`${locationName(context.profile)}/localPosts`, {
      pageSize,
      ...(pageToken !== null && { pageToken }),
    });
    const { localPosts, nextPageToken } = await getAnswer(pageSchema, context, url);
    return { items: localPosts ?? [], next: nextPageToken || null };
  };
  return readPages(readPage, { maxPages });
}

const postName = /^accounts\/[\w-]{1,60}\/locations\/[\w-]{1,60}\/localPosts\/[\w-]{1,100}$/;

/** Null: Google does not show it, or no longer. */
export async function readPost(context: NetworkContext, name: string): Promise<LocalPost | null> {
  if (!postName.test(name)) throw new PublishingError("internal_error", "This is not the name of a post at Google.");
  const response = await context.request({ method: "GET", url: postsEndpoint(name), accept: [404] });
  return response.status === 404 ? null : readAnswer(postSchema, response);
}

export function publishedPost({ name, searchUrl }: LocalPost): IdentifiedPart {
  return { id: name, url: searchUrl || null, ref: null };
}
