import * as z from "zod";
import type { Attachment } from "../contract/inbox.ts";
import { pageOf } from "./address.ts";

/** A picture with what is said of it. */
const pictures = z.array(z.object({ fullsize: z.string().nullish(), alt: z.string().nullish() })).nullish();

/** What hangs on a post besides its text. */
const filesSchema = z.object({
  images: pictures,
  items: pictures,
  playlist: z.string().nullish(),
  /** Of a video. */
  alt: z.string().nullish(),
  external: z.object({ uri: z.string(), title: z.string().nullish(), description: z.string().nullish() }).nullish(),
});

/** Something quoted; beside files the reference lies one level deeper. Where it is gone or hidden, only its address is left. */
const quotedSchema = z.object({ uri: z.string().nullish(), record: z.object({ uri: z.string() }).nullish() });

/** What a post or a message shows below its text. https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/embed (2026-08) */
export const embedSchema = filesSchema
  .extend({
    $type: z.string().nullish(),
    media: filesSchema.nullish().catch(null),
    record: quotedSchema.nullish().catch(null),
  })
  .nullish()
  .catch(null);

export function attachmentsOf(embed: z.infer<typeof embedSchema>): Attachment[] {
  if (embed == null) return [];
  const files = [embed, ...(embed.media == null ? [] : [embed.media])].flatMap(
    ({ images, items, playlist, alt, external }) => [
      ...[...(images ?? []), ...(items ?? [])].map(({ fullsize, alt }) => ({
        type: "image",
        url: fullsize ?? null,
        description: alt ?? null,
      })),
      ...(playlist == null ? [] : [{ type: "video", url: playlist, ...(alt && { description: alt }) }]),
      ...(external == null ? [] : [linkOf(external)]),
    ],
  );
  const uri = embed.record?.uri ?? embed.record?.record?.uri;
  const all = uri == null ? files : [...files, { type: "quote", url: pageOf(uri), uri }];
  return all.length === 0 ? [unsupported(embed)] : all;
}

/** People are shown something that is of no kind that is known here; `of`: the network's name for that. */
export function unsupported(embed: unknown): Attachment {
  const named = z.object({ $type: z.string() }).safeParse(embed);
  return { type: "unsupported", url: null, ...(named.success && { of: named.data.$type.replace(/#view$/, "") }) };
}

function linkOf({ uri, title, description }: NonNullable<z.infer<typeof filesSchema>["external"]>): Attachment {
  return { type: "link", url: uri, title: title || null, description: description || null };
}
