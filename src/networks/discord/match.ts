import { z } from "zod";
import type { CommitInput, PlannedMedia } from "../adapter.ts";
import { messageFiles } from "./files.ts";
import type { KnownBot } from "./known.ts";
import { readOptions } from "./options.ts";
import { snowflake } from "./snowflake.ts";

export const messageSchema = z.object({
  id: snowflake,
  channel_id: snowflake,
  author: z.object({ id: z.string() }),
  content: z.string(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  webhook_id: z.string().nullish(),
  attachments: z.array(z.object({ filename: z.string() })),
  message_reference: z.object({ message_id: z.string().nullish() }).nullish(),
});

export type FoundMessage = z.infer<typeof messageSchema>;

/** Whether a message in the channel is what the part's request makes. */
export function isOurs(message: FoundMessage, { part, key }: CommitInput, known: KnownBot): boolean {
  if (message.author.id !== known.bot_user_id || message.webhook_id != null) return false;
  if (message.nonce != null) return String(message.nonce) === key;
  const { reply_to, spoiler = false } = readOptions(part);
  const replied = message.message_reference?.message_id ?? null;
  // A reply to a message that is gone is posted as a plain one.
  if (replied !== null && replied !== reply_to) return false;
  if (message.attachments.length !== part.media.length) return false;
  if (part.text.trim() === "") return message.content.trim() === "" && sameNames(message, part.media, spoiler);
  return folded(message.content) === folded(part.text);
}

/** Without a text only the names tell files apart. */
function sameNames({ attachments }: FoundMessage, media: readonly PlannedMedia[], isSpoiler: boolean): boolean {
  const wanted = messageFiles(media, isSpoiler).map(({ filename }) => filename);
  return attachments.every(({ filename }, index) => filename === wanted[index]);
}

/**
 * The text without what Discord may take out: it trims, and strips invisible
 * characters and those that break the layout.
 * https://docs.discord.com/developers/resources/message, "Create Message" (2026-08)
 */
export function folded(text: string): string {
  return text.normalize("NFC").replace(/[\p{C}\p{Z}\p{M}\s]+/gu, "");
}
