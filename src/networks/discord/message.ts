import { graphemeOffsets } from "../../text/graphemes.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { Part } from "../contract/plan.ts";
import { defined } from "../shared/defined.ts";
import { messageFiles } from "./files.ts";
import type { DiscordOptions } from "./options.ts";

/** https://docs.discord.com/developers/resources/message, "Message Flags" (2026-08) */
const suppressEmbeds = 1 << 2;
const suppressNotifications = 1 << 12;

/** The common fields of all messages. https://docs.discord.com/developers/resources/message, "Create Message" (2026-08) */
export function messageBody(part: Part<DiscordOptions>): JsonObject {
  const options = part.options;
  const flags = (options.suppress_embeds ? suppressEmbeds : 0) | (options.silent ? suppressNotifications : 0);
  return {
    ...(part.text === "" ? {} : { content: part.text }),
    // Always sent: without it every mention in the text notifies.
    allowed_mentions: { parse: [], ...defined(options.allowed_mentions ?? {}) },
    ...(options.embeds === undefined ? {} : { embeds: options.embeds as JsonObject[] }),
    ...(flags === 0 ? {} : { flags }),
    ...(options.poll === undefined ? {} : { poll: pollBody(options.poll) }),
    ...(part.media.length === 0 ? {} : { attachments: attachments(part, options) }),
  };
}

function attachments({ media }: Part<DiscordOptions>, { spoiler = false }: DiscordOptions): JsonObject[] {
  return messageFiles(media, spoiler).map(({ filename }, index) => {
    const alt = media[index]?.alt ?? "";
    return { id: String(index), filename, ...(alt === "" ? {} : { description: alt }) };
  });
}

function pollBody(poll: NonNullable<DiscordOptions["poll"]>): JsonObject {
  return {
    question: { text: poll.question },
    answers: poll.answers.map((text) => ({ poll_media: { text } })),
    duration: poll.duration_hours ?? 24,
    allow_multiselect: poll.multiple ?? false,
  };
}

/** https://docs.discord.com/developers/resources/channel, "Start Thread in Forum or Media Channel" (2026-08) */
const longestThreadName = 100;

/** The title of a post in a forum or media channel. Null: no title and no text. */
export function threadName(part: CommitInput<DiscordOptions>["part"]): string | null {
  const { thread_name } = part.options;
  const firstLine = part.text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
  const name = cut((thread_name ?? part.title ?? firstLine ?? "").trim());
  return name === "" ? null : name;
}

/** Cuts the text after as many whole characters as fit. */
function cut(text: string): string {
  if (text.length <= longestThreadName) return text;
  const end = graphemeOffsets(text).findLast((offset) => offset <= longestThreadName);
  return text.slice(0, end).trim();
}
