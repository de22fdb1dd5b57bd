import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import type {
  Attachment,
  InboxContext,
  InboxKind,
  InboxUpdate,
  KnownMessage,
  Person,
  Thread,
} from "../contract/inbox.ts";
import { channelUrl } from "./account.ts";
import { lineKey } from "./inbox-ids.ts";
import { personIn } from "./inbox-people.ts";

/** https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types#channelchatmessage (2026-02) */
export const lineSchema = z.object({
  broadcaster_user_id: z.string(),
  broadcaster_user_login: z.string().nullish(),
  chatter_user_id: z.string(),
  chatter_user_login: z.string().nullish(),
  chatter_user_name: z.string().nullish(),
  message_id: z.string(),
  message: z.object({
    text: z.string(),
    fragments: z
      .array(
        z.object({
          type: z.string(),
          text: z.string().nullish(),
          mention: z.object({ user_id: z.string() }).nullish(),
          emote: z.object({ id: z.string() }).nullish().catch(null),
        }),
      )
      .nullish(),
  }),
  cheer: z.object({ bits: z.number() }).nullish().catch(null),
  reply: z
    .object({
      parent_message_id: z.string(),
      parent_user_id: z.string(),
      thread_message_id: z.string(),
      thread_user_id: z.string(),
      thread_user_login: z.string().nullish(),
      thread_user_name: z.string().nullish(),
    })
    .nullish(),
  /** The channel in which the line was written, in a chat that several channels share. */
  source_broadcaster_user_id: z.string().nullish(),
});

type Line = z.infer<typeof lineSchema>;

/**
 * True: the line names the channel's owner, replies to the owner, or is the owner's reply. Unreadable lines are kept,
 * so that they are reported.
 */
export function isAbout(event: Json, account: string): boolean {
  const parsed = lineSchema.safeParse(event);
  if (!parsed.success) return true;
  const { chatter_user_id, message, reply, source_broadcaster_user_id: source, broadcaster_user_id } = parsed.data;
  // Each channel that shares the chat receives the line.
  if (source != null && source !== broadcaster_user_id) return false;
  if (chatter_user_id === account) return reply != null;
  const isNamed = (message.fragments ?? []).some(({ mention }) => mention?.user_id === account);
  return isNamed || (reply != null && [reply.parent_user_id, reply.thread_user_id].includes(account));
}

/** The inbox update of a line. Empty: the owner's own line replies to a message that was never stored. */
export async function lineFact(context: InboxContext, line: Line, at: number): Promise<InboxUpdate[]> {
  const { chatter_user_id, chatter_user_name, message_id, message, reply } = line;
  const own = chatter_user_id === context.profile.external_id;
  const thread = await threadOf(context, line);
  if (thread === null) return [];
  return [
    {
      fact: "message",
      at,
      thread,
      message: {
        key: lineKey(message_id),
        external_id: message_id,
        own,
        text: message.text,
        attachments: picturesIn(line),
        author: { id: chatter_user_id, name: chatter_user_name ?? null },
        sent_at: at,
        edited_at: null,
        ref: { parent: reply?.parent_message_id ?? null },
        ...(reply != null && { reply_to: lineKey(reply.parent_message_id) }),
      },
    },
  ];
}

/** The emotes and cheers of a line. https://dev.twitch.tv/docs/irc/emotes#cdn-template (2026-11) */
function picturesIn({ message, cheer }: Line): Attachment[] {
  const emotes = (message.fragments ?? []).flatMap(({ text, emote }) => (emote == null ? [] : [{ ...emote, text }]));
  return [
    ...emotes.map(({ id, text }) => ({
      type: "emote",
      name: text ?? null,
      url: `https://static-cdn.jtvnw.net/emoticons/v2/${encodeURIComponent(id)}/default/dark/3.0`,
    })),
    ...(cheer == null ? [] : [{ type: "cheer", url: null, bits: cheer.bits }]),
  ];
}

/**
 * The thread of a known line above it, or else the one below the line that started the exchange, if another user wrote
 * that. Otherwise the line starts a thread. Null: the owner's own line, with no known line above it.
 */
async function threadOf(context: InboxContext, line: Line): Promise<Thread | null> {
  const { reply, chatter_user_id } = line;
  const own = context.profile.external_id;
  const root = reply == null || reply.thread_user_id === own ? null : reply.thread_message_id;
  const above = reply == null ? [] : [lineKey(reply.parent_message_id), lineKey(reply.thread_message_id)];
  const known = firstKnown(above, await context.known(above));
  if (known === null && chatter_user_id === own) return null;
  const id = root ?? line.message_id;
  const key = known?.thread ?? lineKey(id);
  const isToUs = reply != null && [reply.parent_user_id, reply.thread_user_id].includes(own);
  const kind: InboxKind = isToUs ? "comment" : "mention";
  const participant = await personIn(context, key, root === null ? chatterOf(line) : beginnerOf(line));
  const login = line.broadcaster_user_login ?? context.profile.handle;
  return { kind, key, external_id: id, participant, url: login === null ? null : channelUrl(login), referral: null };
}

function firstKnown(keys: readonly string[], known: ReadonlyMap<string, KnownMessage>): KnownMessage | null {
  return keys.map((key) => known.get(key)).find((each) => each !== undefined) ?? null;
}

function chatterOf({ chatter_user_id, chatter_user_name, chatter_user_login }: Line): Person {
  return personNamed(chatter_user_id, chatter_user_name, chatter_user_login);
}

function beginnerOf(line: Line): Person {
  const { reply } = line;
  if (reply == null) return chatterOf(line);
  return personNamed(reply.thread_user_id, reply.thread_user_name, reply.thread_user_login);
}

function personNamed(id: string, name: string | null | undefined, login: string | null | undefined): Person {
  return { id, name: name ?? null, handle: login ?? null, avatar_url: null };
}
