import * as z from "zod";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { Attachment, InboxContext, MessageFact, Person, Poll, Thread } from "../contract/inbox.ts";
import { cursorAfter, pagingSchema } from "../shared/meta/pages.ts";
import { walk } from "../shared/walk.ts";
import { type Api, getAnswer, wholeAddress } from "./api.ts";
import { messageKey } from "./inbox-ids.ts";

const personSchema = z.object({ id: z.string(), name: z.string().nullish() });
const addressSchema = z.object({ url: z.string().nullish() }).nullish();

const messageSchema = z.object({
  id: z.string(),
  created_time: z.string(),
  from: personSchema.nullish(),
  message: z.string().nullish(),
  sticker: z.string().nullish(),
  attachments: z
    .object({
      data: z.array(
        z.object({
          mime_type: z.string().nullish(),
          name: z.string().nullish(),
          image_data: addressSchema,
          video_data: addressSchema,
          file_url: z.string().nullish(),
        }),
      ),
    })
    .nullish(),
  shares: z
    .object({
      data: z.array(
        z.object({ link: z.string().nullish(), name: z.string().nullish(), description: z.string().nullish() }),
      ),
    })
    .nullish(),
});

const conversationSchema = z.object({
  id: z.string(),
  updated_time: z.string(),
  link: z.string().nullish(),
  participants: z.object({ data: z.array(personSchema) }),
  messages: z.object({ data: z.array(messageSchema.nullable().catch(null)) }).nullish(),
});

type Conversation = z.infer<typeof conversationSchema>;
type Message = z.infer<typeof messageSchema>;

const listSchema = z.object({
  data: z.array(conversationSchema.nullable().catch(null)),
  paging: pagingSchema.nullish(),
});

/**
 * Number of messages read per conversation. Facebook returns no details of older ones.
 * https://developers.facebook.com/docs/messenger-platform/conversations (2026-02)
 */
export const messagesShown = 20;
const pageSize = 20;
const messageFields = "id,created_time,from{id,name},message,attachments,sticker,shares";

/** https://developers.facebook.com/docs/messenger-platform/conversations (2026-02) */
export async function pollMessages(context: InboxContext, api: Api, cursor: Json | null, since: number): Promise<Poll> {
  const step = await walk<Conversation>(cursor, since, {
    now: context.now(),
    connectedAt: context.connectedAt,
    timeOf: ({ updated_time }) => Date.parse(updated_time),
    async read(page) {
      const url = api.endpoint([context.profile.external_id, "conversations"], {
        platform: "messenger",
        limit: String(pageSize),
        ...(page === null ? {} : { after: page }),
        fields: `id,updated_time,link,participants{id,name},messages.limit(${messagesShown}){${messageFields}}`,
      });
      const { data, paging } = await getAnswer(listSchema, context, url);
      const items = data.slice(0, pageSize).filter((each) => each !== null);
      return { items, next: cursorAfter(paging), isFull: data.length >= pageSize };
    },
  });
  return { ...step, facts: step.items.flatMap((each) => factsIn(context, each, step.since)) };
}

function factsIn(context: InboxContext, conversation: Conversation, since: number): MessageFact[] {
  const page = context.profile.external_id;
  const other = conversation.participants.data.find(({ id }) => id !== page);
  if (other === undefined) return [];
  const person = { id: other.id, name: other.name ?? null, handle: null, avatar_url: null };
  const thread = dmThread(person, conversation.link == null ? pageInbox(context) : wholeAddress(conversation.link));
  return (conversation.messages?.data ?? [])
    .filter((message) => message !== null && Date.parse(message.created_time) >= since)
    .map((message) => toFact(message as Message, { thread, page }));
}

/** The URL of the Page's inbox, because webhooks contain no conversation's URL (unconfirmed). */
export function pageInbox({ profile }: InboxContext): string {
  return wholeAddress(`/${profile.external_id}/inbox/`);
}

/** The key is the user's id, because webhooks contain no conversation id. */
export function dmThread(participant: Person, url: string, referral: JsonObject | null = null): Thread {
  const { id } = participant;
  return { kind: "dm", key: messageKey(id), external_id: id, participant, url, referral };
}

function toFact(message: Message, { thread, page }: { thread: Thread; page: string }): MessageFact {
  const { id, from, created_time } = message;
  const sent_at = Date.parse(created_time);
  return {
    fact: "message",
    at: sent_at,
    thread,
    message: {
      key: messageKey(id),
      external_id: id,
      own: from?.id === page,
      text: message.message || null,
      attachments: attachmentsOf(message),
      author: { id: from?.id ?? thread.participant.id, name: from?.name ?? null },
      sent_at,
      edited_at: null,
    },
  };
}

function attachmentsOf({ attachments, sticker, shares }: Message): Attachment[] {
  const files = (attachments?.data ?? []).map(({ mime_type, name, image_data, video_data, file_url }) => ({
    type: image_data != null ? "image" : video_data != null ? "video" : (mime_type?.split("/")[0] ?? "file"),
    url: image_data?.url ?? video_data?.url ?? file_url ?? null,
    name: name ?? null,
  }));
  const links = (shares?.data ?? []).map(({ link, name, description }) => ({
    type: "link",
    url: link ?? null,
    name: name ?? null,
    ...(description != null && { description }),
  }));
  return [...files, ...links, ...(sticker == null ? [] : [{ type: "sticker", url: sticker }])];
}
