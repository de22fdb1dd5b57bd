import * as z from "zod";
import type { NetworkContext } from "../contract/request.ts";
import { getAnswer, xrpc } from "./api.ts";
import { embedSchema } from "./inbox-attachments.ts";
import { facetsSchema } from "./inbox-text.ts";

/** https://docs.bsky.app/docs/api/app-bsky-feed-get-posts (2026-08) */
export const authorSchema = z.object({
  did: z.string(),
  handle: z.string().nullish(),
  displayName: z.string().nullish(),
  avatar: z.string().nullish(),
});

const referenceSchema = z.object({ uri: z.string() });

const recordSchema = z.object({
  text: z.string().catch(""),
  facets: facetsSchema,
  createdAt: z.string().catch(""),
  reply: z.object({ root: referenceSchema, parent: referenceSchema }).nullish().catch(null),
  embed: z.unknown().optional(),
});

/** A post from the view service. A notification is parsed as a post too, but lacks the embed. */
export const postSchema = z
  .object({
    uri: z.string().startsWith("at://"),
    author: authorSchema,
    record: recordSchema,
    indexedAt: z.string(),
    embed: embedSchema,
    /** Why the account was notified. Absent: the post is not a notification. */
    reason: z.string().optional().catch(undefined),
  })
  .transform((post) => ({ ...post, time: Date.parse(post.indexedAt) }))
  .refine(({ time }) => !Number.isNaN(time));

export type InboxPost = z.infer<typeof postSchema>;

/** https://docs.bsky.app/docs/api/app-bsky-feed-get-posts (2026-08) */
const listSchema = z.object({ posts: z.array(postSchema.nullable().catch(null)) });

/** Reads those of these posts that are visible, at most 25. @throws PublishingError */
export async function readPosts(context: NetworkContext, uris: readonly string[]): Promise<InboxPost[]> {
  const url = new URL(xrpc(String(context.profile.account_facts.pds), "app.bsky.feed.getPosts"));
  for (const uri of uris) url.searchParams.append("uris", uri);
  const { posts } = await getAnswer(listSchema, context, url.href);
  return posts.filter((post) => post !== null);
}
