import type { Json, JsonObject } from "../../wire/json.ts";
import { userJson } from "./guilds.ts";
import type { Message, State, StoredFile } from "./state.ts";

/** A message in Discord's responses. https://docs.discord.com/developers/resources/message (2026-08) */
export function messageJson(state: State, message: Message): object {
  const replied = state.messages.find(({ id }) => id === message.reply_to);
  return {
    id: message.id,
    type: message.reply_to === null ? 0 : 19,
    channel_id: message.channelId,
    content: message.content,
    author: userJson(message.author),
    timestamp: timestamp(message.created_at),
    edited_timestamp: null,
    flags: message.flags | (message.crossposted ? 1 : 0),
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: message.files.map((file) => attachmentJson(message, file)),
    embeds: message.embeds.map(embedJson),
    components: [],
    pinned: false,
    tts: false,
    webhook_id: message.webhookId ?? undefined,
    poll: message.poll === null ? undefined : pollJson(message.poll, message.created_at),
    ...(message.reply_to !== null && replyJson(state, message, replied)),
  };
}

function replyJson(state: State, message: Message, replied: Message | undefined): object {
  const reference = {
    type: 0,
    channel_id: message.channelId,
    guild_id: message.channel.guild.id,
    message_id: message.reply_to,
  };
  const shown = replied === undefined || replied.deleted ? null : { ...replied, reply_to: null };
  return { message_reference: reference, referenced_message: shown === null ? null : messageJson(state, shown) };
}

function attachmentJson({ id, channelId }: Message, file: StoredFile): object {
  const path = `attachments/${channelId}/${id}/${file.filename}?ex=1&is=1&hm=1`;
  return {
    id: String(BigInt(id) + BigInt(file.id) + 1n),
    filename: file.filename,
    size: file.size,
    url: `https://cdn.discordapp.com/${path}`,
    proxy_url: `https://media.discordapp.net/${path}`,
    content_type: file.contentType,
    description: file.description ?? undefined,
  };
}

function embedJson({ fields, ...embed }: JsonObject): object {
  if (!Array.isArray(fields)) return { type: "rich", ...embed };
  return { type: "rich", ...embed, fields: fields.map((field) => ({ inline: false, ...(field as JsonObject) })) };
}

function pollJson(poll: Json, createdAt: number): object {
  const { question, answers, duration, allow_multiselect } = poll as JsonObject;
  return {
    question: question ?? null,
    answers: (answers as JsonObject[]).map(({ poll_media }, index) => ({
      answer_id: index + 1,
      poll_media: poll_media ?? null,
    })),
    expiry: timestamp(createdAt + Number(duration ?? 24) * 3_600_000),
    allow_multiselect: allow_multiselect === true,
    layout_type: 1,
    results: { is_finalized: false, answer_counts: [] },
  };
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000+00:00");
}
