import * as z from "zod";
import type { Attachment } from "../contract/inbox.ts";

const object = z.record(z.string(), z.json());

/**
 * A file, a place, a product, a template or a link. Its fields are in `payload` or next to it.
 * https://developers.facebook.com/docs/messenger-platform/reference/webhook-events/messages (2026-09)
 */
export const sentAttachmentSchema = z
  .looseObject({ type: z.string().nullish(), payload: object.nullish() })
  .pipe(object);

/**
 * Fields of a message other than files: the message it replies to, the button it comes from, or unsupported content.
 * Same source.
 */
export const besidesSchema = z.object({
  reply_to: z.object({ mid: z.string().nullish(), story: object.nullish() }).nullish(),
  quick_reply: z.object({ payload: z.string().nullish() }).nullish(),
  is_unsupported: z.boolean().nullish(),
});

/** All fields of an attachment, with its URL in one place. */
export function sentAttachment({ type, payload, ...beside }: z.infer<typeof sentAttachmentSchema>): Attachment {
  const { url: ownUrl, ...own } = object.safeParse(payload).data ?? {};
  const { url = null, ...others } = { ...beside, ...(ownUrl !== undefined && { url: ownUrl }) };
  const named = { type: typeof type === "string" ? type : "unknown", url: typeof url === "string" ? url : null };
  return { ...own, ...others, ...named };
}

export function besides({ reply_to, quick_reply, is_unsupported }: z.infer<typeof besidesSchema>): Attachment[] {
  const story = reply_to?.story;
  return [
    ...(story == null ? [] : [sentAttachment({ type: "story", payload: story })]),
    ...(quick_reply?.payload == null ? [] : [buttonPressed("quick_reply", quick_reply.payload)]),
    ...(is_unsupported === true ? [{ type: "unsupported", url: null }] : []),
  ];
}

/** `payload` is the value that the host's own program set for the button. */
export function buttonPressed(type: "quick_reply" | "postback", payload: string): Attachment {
  return { type, url: null, payload };
}

/**
 * An attachment of a post or a comment. https://github.com/facebook/facebook-business-sdk-codegen (2026-04),
 * StoryAttachment
 */
export const storyAttachmentSchema = z.object({
  type: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  media: z.object({ image: z.object({ src: z.string().nullish() }).nullish() }).nullish(),
});

/** An image's URL is where it is shown. A link's URL leads elsewhere, and its image is separate. */
export function storyAttachment(attachment: z.infer<typeof storyAttachmentSchema>): Attachment {
  const { type, title, description, url, media } = attachment;
  const image = media?.image?.src ?? null;
  const link = url == null ? null : unwrapped(url);
  const isLink = type === "share" && link !== null;
  return {
    type: type ?? "unknown",
    url: isLink ? link : (image ?? link),
    ...(title != null && { title }),
    ...(description != null && { description }),
    ...(isLink && image !== null && { image_url: image }),
  };
}

/** The target of a link. Facebook redirects links through its own page, whose URL contains the target (unconfirmed). */
function unwrapped(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, searchParams } = new URL(url);
  return /^lm?\.facebook\.com$/.test(hostname) ? (searchParams.get("u") ?? url) : url;
}
