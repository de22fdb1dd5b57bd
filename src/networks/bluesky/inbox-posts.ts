import { z } from "zod";

/** https://docs.bsky.app/docs/api/app-bsky-feed-get-posts (2026-08) */
const authorSchema = z.object({
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

/** What the files of a post are, as the view shows them. https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/embed (2026-08) */
const filesSchema = z.object({
  images: z.array(z.object({ fullsize: z.string().nullish(), alt: z.string().nullish() })).nullish(),
  items: z.array(z.object({ fullsize: z.string().nullish(), alt: z.string().nullish() })).nullish(),
  playlist: z.string().nullish(),
  external: z.object({ uri: z.string(), title: z.string().nullish() }).nullish(),
});

/** A post as the view service shows it; a notification is one as well. */
export const postSchema = z
  .object({
    uri: z.string().startsWith("at://"),
    author: authorSchema,
    record: recordSchema,
    indexedAt: z.string(),
    embed: filesSchema
      .extend({ media: filesSchema.nullish().catch(null) })
      .nullish()
      .catch(null),
  })
  .transform((post) => ({ ...post, time: Date.parse(post.indexedAt) }))
  .refine(({ time }) => !Number.isNaN(time));

export type InboxPost = z.infer<typeof postSchema>;
