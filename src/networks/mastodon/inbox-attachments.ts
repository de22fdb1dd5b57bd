import * as z from "zod";
import type { Attachment } from "../contract/inbox.ts";

const address = z.string().nullish();

/** Files, a link preview, a poll, a quoted post. https://docs.joinmastodon.org/entities/Status/ (2026-07) */
export const attachedSchema = z.object({
  media_attachments: z
    .array(
      z.object({
        type: z.string().nullish(),
        url: address,
        /** The file's URL on its own server, while this server has not fetched it. */
        remote_url: address,
        description: z.string().nullish(),
      }),
    )
    .nullish(),
  card: z
    .object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() })
    .nullish()
    .catch(null),
  poll: z
    .object({ options: z.array(z.object({ title: z.string() })), expires_at: z.string().nullish() })
    .nullish()
    .catch(null),
  quote: z
    .object({ quoted_status: z.object({ url: address, uri: address }).nullish() })
    .nullish()
    .catch(null),
});

/** The attachments that users see below a status. */
export function attachedTo({ media_attachments, card, poll, quote }: z.infer<typeof attachedSchema>): Attachment[] {
  const quoted = quote?.quoted_status;
  return [
    ...(media_attachments ?? []).map(({ type, url, remote_url, description }) => ({
      type: type ?? "unknown",
      url: url ?? remote_url ?? null,
      description: description ?? null,
    })),
    ...(card == null
      ? []
      : [{ type: "link", url: card.url, title: card.title || null, description: card.description || null }]),
    ...(poll == null
      ? []
      : [{ type: "poll", url: null, options: poll.options.map(({ title }) => title), until: poll.expires_at ?? null }]),
    ...(quoted == null ? [] : [{ type: "quote", url: quoted.url ?? quoted.uri ?? null }]),
  ];
}
