import * as z from "zod";

/** https://docs.joinmastodon.org/entities/Status/ (2026-07); only some servers return `text`, the source. */
export const statusSchema = z
  .object({
    id: z.string().min(1),
    created_at: z.string().nullish(),
    edited_at: z.string().nullish().catch(null),
    url: z.string().nullish(),
    uri: z.string().nullish(),
    account: z.object({ id: z.string() }).nullish().catch(null),
    content: z.string().nullish(),
    text: z.string().nullish(),
    visibility: z.string().nullish(),
    spoiler_text: z.string().nullish(),
    sensitive: z.boolean().nullish().catch(null),
    language: z.string().nullish(),
    in_reply_to_id: z.string().nullish(),
    in_reply_to_account_id: z.string().nullish().catch(null),
    media_attachments: z.array(z.object({ id: z.string(), url: z.string().nullish() })).nullish(),
    poll: z
      .object({ options: z.array(z.object({ title: z.string() })).nullish() })
      .nullish()
      .catch(null),
    quote: z.unknown().optional(),
    reblog: z.unknown().optional(),
  })
  .transform((status) => ({ ...status, time: Date.parse(status.created_at ?? "") }));

export type Status = z.infer<typeof statusSchema>;
