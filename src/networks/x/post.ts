import * as z from "zod";
import { xId } from "./api.ts";

const entities = z.object({
  urls: z
    .array(z.object({ url: z.string().min(1), expanded_url: z.string().nullish(), media_key: z.string().nullish() }))
    .nullish(),
});

const reference = z.array(z.object({ type: z.string(), id: xId }));
/** A long post. Its `text` field contains only the beginning. */
const note = z.object({ text: z.string(), entities: entities.nullish() });

/**
 * A post as reads return it. X has two sets of field names, and responds with the set of the request.
 * https://docs.x.com/x-api/fundamentals/data-dictionary (2026-08)
 */
export const postSchema = z
  .object({
    id: xId,
    text: z.string(),
    created_at: z.iso.datetime({ offset: true }),
    entities: entities.nullish(),
    attachments: z.object({ media_keys: z.array(z.string()).nullish(), poll_ids: z.array(xId).nullish() }).nullish(),
    referenced_tweets: reference.nullish(),
    referenced_posts: reference.nullish(),
    note_tweet: note.nullish(),
    note_post: note.nullish(),
  })
  .transform((post) => {
    const whole = post.note_tweet ?? post.note_post ?? post;
    const references = post.referenced_tweets ?? post.referenced_posts ?? [];
    const idOf = (type: string): string | null => references.find((each) => each.type === type)?.id ?? null;
    return {
      id: post.id,
      time: Date.parse(post.created_at),
      shown: { text: whole.text, urls: whole.entities?.urls ?? [] } satisfies ReadText,
      media_keys: post.attachments?.media_keys ?? [],
      poll_ids: post.attachments?.poll_ids ?? [],
      parent: idOf("replied_to"),
      isRepost: idOf("retweeted") !== null || idOf("reposted") !== null,
    };
  });

/** A text, and the targets of its shortened URLs. */
export interface ReadText {
  text: string;
  urls: readonly { url: string; expanded_url?: string | null | undefined; media_key?: string | null | undefined }[];
}

export type ReadPost = z.infer<typeof postSchema>;

const pollSchema = z.object({ id: xId, options: z.array(z.object({ label: z.string() })).nullish() });

/** An empty `data` is absent. */
export const pageSchema = z
  .object({
    data: z.array(postSchema).nullish(),
    includes: z.object({ polls: z.array(pollSchema).nullish() }).nullish(),
    meta: z.object({ result_count: z.number(), next_token: z.string().nullish() }),
  })
  .transform(({ data, includes, meta }) => ({
    posts: data ?? [],
    polls: new Map((includes?.polls ?? []).map(({ id, options }) => [id, (options ?? []).map(({ label }) => label)])),
    next: meta.next_token ?? null,
  }));
