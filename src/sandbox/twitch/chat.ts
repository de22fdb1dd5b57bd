import * as z from "zod";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { readAs } from "../parts/fields.ts";
import { takeOut } from "../parts/known.ts";
import { route } from "../parts/routes.ts";
import type { EventSub } from "./eventsub.ts";
import type { Logins } from "./logins.ts";
import { notValid, refusal } from "./refusal.ts";
import type { State, TwitchLine, TwitchUser, TwitchWhisper } from "./state.ts";

/** https://dev.twitch.tv/docs/api/reference#send-chat-message (2026-02) */
const lineSchema = z.strictObject({
  broadcaster_id: z.string(),
  sender_id: z.string(),
  message: z.string().min(1),
  reply_parent_message_id: z.string().optional(),
});

const whisperSchema = z.strictObject({ message: z.string().min(1) });

/** How long an equal line is dropped, milliseconds. https://dev.twitch.tv/docs/chat.md (2026-09), time (unconfirmed) */
const equalLineMs = 30_000;
/**
 * For a recipient who has not whispered before, and for one who has.
 * https://dev.twitch.tv/docs/api/reference#send-whisper (2026-02)
 */
const whisperLengths = { stranger: 500, known: 10_000 };

interface NewLine {
  channel: string;
  author: string;
  text: string;
  reply_to: string | null;
  /** The channel in which it was written, if several share a chat. @default the channel itself */
  source?: string;
}

export function createChat(state: State, logins: Logins, eventsub: EventSub) {
  function say({ channel, author, text, reply_to, source = channel }: NewLine): TwitchLine {
    const parent = reply_to === null ? undefined : state.line(reply_to);
    const id = state.uuid();
    const prefix = parent === undefined ? "" : `@${state.user(parent.author).login} `;
    const isNamed = state.ways.namesWhomIsAnswered && !text.startsWith(prefix);
    const shown = isNamed ? prefix + text : text;
    const line = { id, channel, author, reply_to, text: shown, thread: parent?.thread ?? id, at: state.now() };
    state.lines.push(line);
    const condition = { broadcaster_user_id: channel, user_id: channel };
    eventsub.tell("channel.chat.message", condition, eventOf(state, line, source));
    return line;
  }

  function sayPrivately(from: string, to: string, text: string): string {
    const id = state.number();
    state.whispers.push({ id, from, to, text });
    const [sender, receiver] = [state.user(from), state.user(to)];
    const people = { ...prefixed("from_user", sender), ...prefixed("to_user", receiver) };
    eventsub.tell("user.whisper.message", { user_id: to }, { ...people, whisper_id: id, whisper: { text } });
    return id;
  }

  function send(request: SandboxRequest): SandboxAnswer {
    const { id: account } = logins.assertUser(request, "user:write:chat");
    const given = readAs(lineSchema, jsonBody(request), notValid);
    const { broadcaster_id: channel, sender_id: author, message, reply_parent_message_id } = given;
    if (author !== account) throw refusal(401, "The ID in sender_id must match the user ID in the access token");
    if (message.length > 500) throw refusal(422, "The message is too large");
    const parent = reply_parent_message_id === undefined ? undefined : state.line(reply_parent_message_id);
    if (reply_parent_message_id !== undefined && parent?.channel !== channel)
      throw refusal(400, "The reply parent message was not found");
    const text = message.replace(/\s+/g, " ").trim();
    const drop_reason = whyDropped(state, { channel, author, text });
    if (drop_reason !== null) return ok({ data: [{ message_id: "", is_sent: false, drop_reason }] });
    const { id } = say({ channel, author, text, reply_to: parent?.id ?? null });
    return ok({ data: [{ message_id: id, is_sent: true }] });
  }

  function whisper(request: SandboxRequest): SandboxAnswer {
    const { id: account } = logins.assertUser(request, "user:manage:whispers");
    const query = request.url.searchParams;
    const [from, to] = [query.get("from_user_id") ?? "", query.get("to_user_id") ?? ""];
    const { message } = readAs(whisperSchema, jsonBody(request), notValid);
    if (from === to) throw notValid();
    if (from !== account) throw refusal(401, "The ID in from_user_id must match the user ID in the access token");
    if (!state.users.some(({ id }) => id === to)) throw refusal(404, "The recipient was not found");
    const isKnown = state.whispers.some((each) => each.from === to && each.to === from);
    sayPrivately(from, to, message.slice(0, isKnown ? whisperLengths.known : whisperLengths.stranger));
    return { status: 204 };
  }

  return {
    routes: [
      route("sendLine", "POST api.twitch.tv/helix/chat/messages", send),
      route("sendWhisper", "POST api.twitch.tv/helix/whispers", whisper),
    ],
    switches: {
      lineAs: (
        author: string,
        channel: string,
        { text, reply_to = null, ...line }: { text: string; reply_to?: string | null; source?: string },
      ): string => say({ ...line, channel, author, text, reply_to }).id,
      whisperAs: sayPrivately,
      removeLine(id: string): void {
        const { channel, author } = takeOut(state.lines, id, "line");
        const condition = { broadcaster_user_id: channel, user_id: channel };
        const people = {
          ...prefixed("broadcaster_user", state.user(channel)),
          ...prefixed("target_user", state.user(author)),
        };
        eventsub.tell("channel.chat.message_delete", condition, { ...people, message_id: id });
      },
      lines: (): TwitchLine[] => [...state.lines],
      whispers: (): TwitchWhisper[] => [...state.whispers],
    },
  };
}

function whyDropped(
  { ways, lines, now }: State,
  { channel, author, text }: Pick<TwitchLine, "channel" | "author" | "text">,
): { code: string; message: string } | null {
  if (ways.dropsLines !== null) return { code: "msg_rejected", message: ways.dropsLines };
  const isEqual = (line: TwitchLine): boolean =>
    line.channel === channel && line.author === author && line.text.replace(/^@\w+ /, "") === text;
  const isEarly = lines.some((line) => isEqual(line) && now() - line.at < equalLineMs);
  return isEarly
    ? { code: "msg_duplicate", message: "Your message was not sent because it is identical to the previous one." }
    : null;
}

/** `{name}_id`, `{name}_login`, `{name}_name`. */
function prefixed(name: string, { id, login, display_name }: TwitchUser): object {
  return { [`${name}_id`]: id, [`${name}_login`]: login, [`${name}_name`]: display_name };
}

/** https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types#channelchatmessage (2026-02) */
function eventOf(state: State, line: TwitchLine, source: string): object {
  const { id, channel, author, text, reply_to, thread } = line;
  const isShared = source !== channel;
  return {
    ...prefixed("broadcaster_user", state.user(channel)),
    ...prefixed("chatter_user", state.user(author)),
    message_id: id,
    message: { text, fragments: fragmentsOf(state, text) },
    message_type: "text",
    color: "#00FF7F",
    badges: [],
    cheer: null,
    channel_points_custom_reward_id: null,
    reply: reply_to === null ? null : replyOf(state, reply_to, thread),
    source_broadcaster_user_id: isShared ? source : null,
    source_message_id: isShared ? state.uuid() : null,
  };
}

function replyOf(state: State, parentId: string, threadId: string): object | null {
  const [parent, first] = [state.line(parentId), state.line(threadId) ?? state.line(parentId)];
  if (parent === undefined || first === undefined) return null;
  return {
    parent_message_id: parent.id,
    parent_message_body: parent.text,
    ...prefixed("parent_user", state.user(parent.author)),
    thread_message_id: threadId,
    ...prefixed("thread_user", state.user(first.author)),
  };
}

function fragmentsOf({ users }: State, text: string): object[] {
  return text
    .split(/(@\w+|\bKappa\b)/)
    .filter(Boolean)
    .map((piece) => {
      // The only emote that is simulated; all users have it.
      if (piece === "Kappa")
        return { type: "emote", text: piece, emote: { id: "25", emote_set_id: "0" }, mention: null };
      const user = users.find(({ login }) => `@${login}` === piece.toLowerCase());
      if (user === undefined) return { type: "text", text: piece, mention: null };
      const { id, login, display_name } = user;
      return { type: "mention", text: piece, mention: { user_id: id, user_login: login, user_name: display_name } };
    });
}
