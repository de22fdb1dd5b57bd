import type { Json, JsonObject } from "../../wire/json.ts";
import { ok } from "../exchange.ts";
import { type Route, route } from "../parts/routes.ts";
import { assertPermission, type Guilds } from "./guilds.ts";
import { messageJson } from "./message-json.ts";
import { checked, filesOf, type MessagePayload, readPayload, replySchema } from "./payload.ts";
import { invalidForm, refusal } from "./refusal.ts";
import type { Channel, Message, State, User } from "./state.ts";

/** "The past few minutes". https://docs.discord.com/developers/resources/message, "Create Message" (2026-08) */
const nonceWindowMs = 5 * 60_000;

const address = "/api/v10/channels/:id/messages";

export function messageRoutes(state: State, guilds: Guilds): Route[] {
  /** The channel, or the parent of a thread, whose messages a bot may read. */
  function channelOf(id: string): Channel {
    const thread = state.threads.find((each) => each.id === id);
    return thread === undefined ? guilds.visibleChannel(id) : guilds.visibleChannel(thread.parent.id);
  }

  function isShown({ created_at, deleted }: Message): boolean {
    return !deleted && state.lag.shows(created_at);
  }

  function repeated(author: User, nonce: string): Message | undefined {
    const since = state.now() - nonceWindowMs;
    const before = state.messages.findLast((each) => each.author.id === author.id && each.nonce === nonce);
    if (before === undefined || before.created_at < since) return undefined;
    if (before.deleted) throw refusal(404, 10008, "Unknown Message");
    return before;
  }

  function shownMessage(channelId: string, messageId: string): Message {
    const message = state.messages.find((each) => each.id === messageId && each.channelId === channelId);
    if (message === undefined || !isShown(message)) throw refusal(404, 10008, "Unknown Message");
    return message;
  }

  return [
    route("createMessage", `POST ${address}`, async (request, channelId) => {
      const { user } = guilds.authenticate(request);
      const channel = guilds.visibleChannel(channelId);
      assertTakesMessages(channel);
      assertPermission(channel, "SEND_MESSAGES");
      const { json, files } = await readPayload(request);
      const payload = checked(replySchema, json);
      if (files.size > 0) assertPermission(channel, "ATTACH_FILES");
      const stored = filesOf(payload, files);
      const nonce = payload.nonce ?? null;
      const before = nonce !== null && payload.enforce_nonce === true ? repeated(user, nonce) : undefined;
      if (before !== undefined) return ok({ ...messageJson(state, before), nonce });
      const reply_to = replyTarget(state, channel, payload.message_reference);
      const message = addMessage(state, { channel, channelId, author: user, payload, files: stored, reply_to, nonce });
      return ok({ ...messageJson(state, message), nonce: nonce ?? undefined });
    }),

    route("getMessages", `GET ${address}`, (request, channelId) => {
      guilds.authenticate(request);
      const channel = channelOf(channelId);
      const limit = readLimit(request.url, { min: 1, max: 100 });
      const { before, after, around } = Object.fromEntries(request.url.searchParams);
      if ([before, after, around].filter((each) => each !== undefined).length > 1)
        throw invalidForm([
          { path: ["before"], code: "MUTUALLY_EXCLUSIVE", message: "Only one of before, after, around" },
        ]);
      // Discord returns an empty list instead of an error.
      if (channel.denied.has("READ_MESSAGE_HISTORY")) return ok([]);
      const all = state.messages.filter((each) => each.channelId === channelId && isShown(each));
      const newer = after === undefined ? all : all.filter(({ id }) => BigInt(id) > BigInt(after));
      const inRange = before === undefined ? newer : newer.filter(({ id }) => BigInt(id) < BigInt(before));
      const page = after === undefined ? inRange.slice(-limit) : inRange.slice(0, limit);
      return ok(page.reverse().map((each) => messageJson(state, each)));
    }),

    route("getMessage", `GET ${address}/:id`, (request, channelId, messageId) => {
      guilds.authenticate(request);
      assertPermission(channelOf(channelId), "READ_MESSAGE_HISTORY");
      return ok(messageJson(state, shownMessage(channelId, messageId)));
    }),

    route("crosspost", `POST ${address}/:id/crosspost`, (request, channelId, messageId) => {
      const { user } = guilds.authenticate(request);
      const channel = guilds.visibleChannel(channelId);
      if (channel.kind !== "announcement") throw refusal(400, 50024, "Cannot execute action on this channel type");
      const message = shownMessage(channelId, messageId);
      if (message.author.id !== user.id) throw refusal(403, 50013, "Missing Permissions");
      if (message.crossposted) throw refusal(400, 40033, "This message has already been crossposted.");
      message.crossposted = true;
      return ok(messageJson(state, message));
    }),
  ];
}

function assertTakesMessages({ kind }: Channel): void {
  if (kind === "category") throw refusal(400, 50008, "Cannot send messages in a non-text channel");
  if (kind === "forum" || kind === "media")
    throw refusal(400, 40058, "Cannot message this thread until after the post author has sent an initial message.");
}

function replyTarget(
  state: State,
  channel: Channel,
  reference: { message_id: string; fail_if_not_exists?: boolean | null | undefined } | null | undefined,
): string | null {
  if (reference == null) return null;
  if (channel.denied.has("READ_MESSAGE_HISTORY"))
    throw refusal(400, 160002, "Cannot reply without permission to read message history");
  const exists = state.messages.some(
    (each) => each.id === reference.message_id && each.channelId === channel.id && !each.deleted,
  );
  if (exists) return reference.message_id;
  if (reference.fail_if_not_exists === false) return null;
  throw invalidForm([
    { path: ["message_reference"], code: "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", message: "Unknown message" },
  ]);
}

export function addMessage(
  state: State,
  given: Pick<Message, "channel" | "channelId" | "author" | "files"> &
    Partial<Pick<Message, "id" | "webhookId" | "reply_to" | "nonce">> & { payload: MessagePayload },
): Message {
  const { payload, ...rest } = given;
  const message: Message = {
    id: state.snowflake(),
    webhookId: null,
    reply_to: null,
    nonce: null,
    ...rest,
    // Discord trims the text and removes invisible characters.
    content: (payload.content ?? "").replace(/[\u200b\u2060\ufeff]/g, "").trim(),
    embeds: (payload.embeds ?? []) as JsonObject[],
    poll: (payload.poll ?? null) as Json,
    flags: payload.flags ?? 0,
    created_at: state.now(),
    deleted: false,
    crossposted: false,
  };
  state.messages.push(message);
  return message;
}

export function readLimit(url: URL, bounds: { min: number; max: number }): number {
  const limit = Number(url.searchParams.get("limit") ?? 50);
  if (Number.isInteger(limit) && limit >= bounds.min && limit <= bounds.max) return limit;
  const message = `int value should be between ${bounds.min} and ${bounds.max}.`;
  throw invalidForm([{ path: ["limit"], code: "NUMBER_TYPE_MIN", message }]);
}
