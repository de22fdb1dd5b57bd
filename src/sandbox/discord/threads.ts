import * as z from "zod";
import { ok } from "../exchange.ts";
import { type Route, route } from "../parts/routes.ts";
import { assertPermission, type Guilds } from "./guilds.ts";
import { messageJson, timestamp } from "./message-json.ts";
import { addMessage, readLimit } from "./messages.ts";
import { checked, filesOf, type MessagePayload, messageSchema, readPayload } from "./payload.ts";
import { refusal } from "./refusal.ts";
import type { Channel, Message, State, StoredFile, Thread, User } from "./state.ts";

export const tagsSchema = z.array(z.string().regex(/^\d+$/)).max(5);

/** https://docs.discord.com/developers/resources/channel, "Start Thread in Forum or Media Channel" (2026-08) */
const threadSchema = z.looseObject({
  name: z.string().min(1).max(100, "Must be between 1 and 100 in length."),
  applied_tags: tagsSchema.nullish(),
  message: messageSchema,
});

export function threadRoutes(state: State, guilds: Guilds): Route[] {
  function shown(fits: (thread: Thread) => boolean): Thread[] {
    return state.threads.filter((each) => state.lag.shows(each.created_at) && fits(each));
  }

  return [
    route("createThread", "POST /api/v10/channels/:id/threads", async (request, channelId) => {
      const { user } = guilds.authenticate(request);
      const channel = guilds.visibleChannel(channelId);
      if (channel.kind !== "forum" && channel.kind !== "media")
        throw refusal(400, 50024, "Cannot execute action on this channel type");
      assertPermission(channel, "SEND_MESSAGES");
      const { json, files } = await readPayload(request);
      const { name, applied_tags, message: payload } = checked(threadSchema, json);
      if (files.size > 0) assertPermission(channel, "ATTACH_FILES");
      const stored = filesOf(payload, files);
      if (channel.needsTag && !applied_tags?.length)
        throw refusal(400, 40067, "A tag is required to create a forum post in this channel");
      const tags = applied_tags ?? [];
      const { thread, message } = openThread(state, { channel, author: user, name, tags, payload, files: stored });
      return { status: 201, json: { ...threadJson(thread), message: messageJson(state, message) } };
    }),

    route("getActiveThreads", "GET /api/v10/guilds/:id/threads/active", (request, guildId) => {
      guilds.authenticate(request);
      const threads = shown(({ parent, archived_at }) => parent.guild.id === guildId && archived_at === null);
      const visible = threads.filter(({ parent }) => !parent.denied.has("VIEW_CHANNEL"));
      return ok({ threads: visible.map(threadJson), members: [], has_more: false });
    }),

    route("getArchivedThreads", "GET /api/v10/channels/:id/threads/archived/public", (request, channelId) => {
      guilds.authenticate(request);
      assertPermission(guilds.visibleChannel(channelId), "READ_MESSAGE_HISTORY");
      const limit = readLimit(request.url, { min: 2, max: 100 });
      const before = Date.parse(request.url.searchParams.get("before") ?? timestamp(state.now() + 1));
      const threads = shown(({ parent, archived_at }) => parent.id === channelId && archived_at !== null)
        .filter(({ archived_at }) => Number(archived_at) < before)
        .sort((a, b) => Number(b.archived_at) - Number(a.archived_at));
      return ok({ threads: threads.slice(0, limit).map(threadJson), members: [], has_more: threads.length > limit });
    }),
  ];
}

/** Creates a thread and its first message, which share their id. */
export function openThread(
  state: State,
  given: {
    channel: Channel;
    author: User;
    name: string;
    tags: string[];
    payload: MessagePayload;
    files: StoredFile[];
    webhookId?: string;
  },
): { thread: Thread; message: Message } {
  const { name, tags, channel, author, ...rest } = given;
  const id = state.snowflake();
  const thread: Thread = { id, parent: channel, owner: author, name, tags, created_at: state.now(), archived_at: null };
  state.threads.push(thread);
  return { thread, message: addMessage(state, { ...rest, author, channel, id, channelId: id }) };
}

function threadJson({ id, parent, owner, name, tags, created_at, archived_at }: Thread): object {
  return {
    id,
    type: 11,
    flags: 0,
    guild_id: parent.guild.id,
    parent_id: parent.id,
    owner_id: owner.id,
    name,
    applied_tags: tags,
    thread_metadata: {
      archived: archived_at !== null,
      archive_timestamp: timestamp(archived_at ?? created_at),
      auto_archive_duration: 4320,
      locked: false,
    },
    message_count: 0,
    member_count: 1,
    total_message_sent: 0,
    last_message_id: id,
    rate_limit_per_user: 0,
  };
}
