import { z } from "zod";
import { embedSchema } from "./inbox-attachments.ts";

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
  createdAt: z.string().catch(""),
  reply: z.object({ root: referenceSchema, parent: referenceSchema }).nullish().catch(null),
});

/** A post as the view service shows it; a notification is one as well. */
export const postSchema = z
  .object({
    uri: z.string().startsWith("at://"),
    author: authorSchema,
    record: recordSchema,
    indexedAt: z.string(),
    embed: embedSchema,
  })
  .transform((post) => ({ ...post, time: Date.parse(post.indexedAt) }))
  .refine(({ time }) => !Number.isNaN(time));

export type InboxPost = z.infer<typeof postSchema>;
