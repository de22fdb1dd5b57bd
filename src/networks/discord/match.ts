import * as z from "zod";
import type { ListedPost, LookInput } from "../contract/look.ts";
import type { IdentifiedPart, Part, PlannedMedia } from "../contract/plan.ts";
import { messageFiles } from "./files.ts";
import type { KnownBot } from "./known.ts";
import { threadName } from "./message.ts";
import type { DiscordOptions } from "./options.ts";
import { snowflake, timeOf } from "./snowflake.ts";

/** https://docs.discord.com/developers/resources/message (2026-08) */
export const messageSchema = z.object({
  id: snowflake,
  channel_id: snowflake,
  author: z.object({ id: z.string() }),
  content: z.string(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  webhook_id: z.string().nullish(),
  attachments: z.array(z.object({ filename: z.string() })),
  embeds: z
    .array(z.object({ type: z.string().nullish(), title: z.string().nullish(), description: z.string().nullish() }))
    .nullish(),
  poll: z
    .object({
      question: z.object({ text: z.string().nullish() }),
      answers: z.array(z.object({ poll_media: z.object({ text: z.string().nullish() }) })),
    })
    .nullish(),
  message_reference: z.object({ message_id: z.string().nullish() }).nullish(),
});

export type FoundMessage = z.infer<typeof messageSchema>;

export function isByBot({ author, webhook_id }: FoundMessage, known: KnownBot): boolean {
  return author.id === known.bot_user_id && webhook_id == null;
}

/** The message that the part replies to. Null: none. */
export function parentOf(part: Part<DiscordOptions>): string | null {
  return part.options.reply_to ?? null;
}

/** The part's text, embeds and poll, without and with the title of its thread in a forum. */
export function textForms(part: Part<DiscordOptions>): string[] {
  const { embeds = [], poll } = part.options;
  const boxes = embeds.flatMap(({ title, description }) => [title ?? "", description ?? ""]);
  const words = [part.text, ...boxes, ...(poll === undefined ? [] : [poll.question, ...poll.answers])].join("\n");
  return [shownAs(words), shownAs(`${threadName(part) ?? ""}\n${words}`)];
}

/** @param title the thread that the message opens */
export function toSeen(
  message: FoundMessage,
  { part, key }: LookInput<DiscordOptions>,
  published: IdentifiedPart,
  title = "",
): ListedPost {
  const { nonce, attachments } = message;
  const isMarked = nonce != null || (part.text.trim() === "" && part.media.length > 0);
  const isOurs = nonce != null ? String(nonce) === key : hasNames(message, part);
  return {
    published,
    created_at: timeOf(message.id),
    texts: [wordsOf(message, title)],
    // A reply to a deleted message is posted without a reference.
    parent: message.message_reference?.message_id ?? parentOf(part),
    isSameKind: attachments.length === part.media.length,
    origin: isMarked ? (isOurs ? "ours" : "foreign") : null,
  };
}

function wordsOf({ content, embeds, poll }: FoundMessage, title: string): string {
  // Embeds that Discord creates for links are not `rich`.
  const boxes = (embeds ?? [])
    .filter(({ type }) => type == null || type === "rich")
    .flatMap((embed) => [embed.title ?? "", embed.description ?? ""]);
  const asked = poll == null ? [] : [poll.question.text, ...poll.answers.map(({ poll_media }) => poll_media.text)];
  return shownAs([title, content, ...boxes, ...asked].join("\n"));
}

/** Compares file names, which are all that identifies files without a text. */
function hasNames({ content, attachments }: FoundMessage, part: Part<DiscordOptions>): boolean {
  if (content.trim() !== "" || attachments.length !== part.media.length) return false;
  const wanted = namesOf(part.media, part.options.spoiler ?? false);
  return attachments.every(({ filename }, index) => filename === wanted[index]);
}

function namesOf(media: readonly PlannedMedia[], isSpoiler: boolean): string[] {
  return messageFiles(media, isSpoiler).map(({ filename }) => filename);
}

/**
 * Normalizes a text, because Discord trims it and removes invisible characters and those that break the layout.
 * https://docs.discord.com/developers/resources/message, "Create Message" (2026-08)
 */
function shownAs(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\s\p{Z}]+/gu, " ")
    .replace(/[\p{C}\p{M}]+/gu, "")
    .replace(/ +/g, " ")
    .trim();
}
