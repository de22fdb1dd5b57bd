import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Attachment, InboxContext, InboxUpdate, NewMessage, Person } from "../contract/inbox.ts";
import type { Api } from "./api.ts";
import { besides, besidesSchema, buttonPressed, sentAttachment, sentAttachmentSchema } from "./inbox-attachments.ts";
import { messageKey, numericId } from "./inbox-ids.ts";
import { dmThread, pageInbox } from "./inbox-messages.ts";
import { adHours, opensBy } from "./inbox-window.ts";

const party = z.object({ id: numericId });

/** https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09) */
export const messagingSchema = z.object({
  sender: party,
  recipient: party,
  timestamp: z.number(),
  message: z
    .object({
      mid: z.string(),
      text: z.string().nullish(),
      is_echo: z.boolean().nullish(),
      attachments: z.array(sentAttachmentSchema).nullish(),
      referral: z.record(z.string(), z.json()).nullish(),
      ...besidesSchema.shape,
    })
    .nullish(),
  message_edit: z.object({ mid: z.string(), text: z.string().nullish() }).nullish(),
  reaction: z
    .object({ mid: z.string(), action: z.string(), emoji: z.string().nullish(), reaction: z.string().nullish() })
    .nullish(),
  delivery: z.object({ watermark: z.number() }).nullish(),
  read: z.object({ watermark: z.number() }).nullish(),
  referral: z.record(z.string(), z.json()).nullish(),
  postback: z
    .object({
      mid: z.string().nullish(),
      title: z.string().nullish(),
      payload: z.string().nullish(),
      referral: z.record(z.string(), z.json()).nullish(),
    })
    .nullish(),
});

type Messaging = z.infer<typeof messagingSchema>;

/** It may be something of an inbox in a form that a later version understands. */
export function notUnderstood(): PublishingError {
  return new PublishingError("invalid_request", "The event about the Page has an unknown format.");
}

/** What Messenger tells of one moment in a thread. */
export async function messagingFacts(context: InboxContext, api: Api, messaging: Messaging): Promise<InboxUpdate[]> {
  const { sender, recipient, timestamp: at, message_edit, reaction } = messaging;
  if (message_edit != null)
    return [{ fact: "edit", at, key: messageKey(message_edit.mid), text: message_edit.text ?? null }];
  if (reaction != null) {
    const emoji = reaction.emoji ?? reaction.reaction ?? "";
    const gone = reaction.action === "unreact";
    const fact = { fact: "reaction", at, key: messageKey(reaction.mid), from: sender.id, emoji, gone } as const;
    return gone ? [fact] : [fact, ...opensBy(context, sender.id, at)];
  }
  const said = saidIn(messaging);
  if (said === null) return aboutThread(context, messaging);
  const own = sender.id === context.profile.external_id;
  const other = own ? recipient.id : sender.id;
  const person = await personIn(context, api, other);
  const thread = dmThread(person, pageInbox(context), said.referral);
  return [
    {
      fact: "message",
      at,
      thread,
      message: {
        ...(said.mid === null ? { key: `postback:${sender.id}:${at}`, external_id: "" } : idsOf(said.mid)),
        own,
        text: said.text,
        attachments: said.attachments,
        author: own ? { id: sender.id, name: null } : { id: other, name: person.name },
        sent_at: at,
        edited_at: null,
        ...(said.answers !== undefined && { reply_to: said.answers }),
      },
    },
    // Who came by an ad, or a link, may have written before: then the thread is there.
    ...(said.referral === null
      ? []
      : [{ fact: "referral", at, thread: thread.key, person: other, referral: said.referral } as const]),
    ...(said.referral !== null && isByAd(said.referral) ? opensBy(context, other, at, adHours) : []),
  ];
}

function idsOf(mid: string): Pick<NewMessage, "key" | "external_id"> {
  return { key: messageKey(mid), external_id: mid };
}

/** An ad opens a thread for longer, by what is written after it; a link does by itself, as a message would. */
function isByAd({ source }: JsonObject): boolean {
  return source === "ADS";
}

/** What it tells of a thread besides messages. A person's id is what Facebook knows it by. */
function aboutThread(
  context: InboxContext,
  { sender: { id: person }, timestamp: at, delivery, read: seen, referral }: Messaging,
): InboxUpdate[] {
  const thread = { at, thread: messageKey(person), person };
  if (delivery != null) return [{ fact: "receipt", ...thread, what: "delivered", until: delivery.watermark }];
  if (seen != null) return [{ fact: "receipt", ...thread, what: "read", until: seen.watermark }];
  if (referral == null) throw notUnderstood();
  return [{ fact: "referral", ...thread, referral }, ...(isByAd(referral) ? [] : opensBy(context, person, at))];
}

interface Said {
  /** Null: Facebook gives it no id. */
  mid: string | null;
  text: string | null;
  attachments: Attachment[];
  referral: JsonObject | null;
  /** `NewMessage.reply_to`. Undefined: of none. */
  answers: string | undefined;
}

/** A button that somebody presses says what is written on it. */
function saidIn({ message, postback }: Messaging): Said | null {
  if (message != null) {
    const { mid, text, referral = null, reply_to } = message;
    const attachments = [
      ...(message.attachments ?? []).map(sentAttachment),
      ...besides(message),
      ...productIn(referral),
    ];
    const answers = reply_to?.mid == null ? undefined : messageKey(reply_to.mid);
    return { mid, text: text || null, attachments, referral, answers };
  }
  if (postback == null) return null;
  const { mid = null, title, payload, referral = null } = postback;
  const attachments = payload == null ? [] : [buttonPressed("postback", payload)];
  return { mid, text: title ?? null, attachments, referral, answers: undefined };
}

/** What somebody asks about, who came by a product. */
function productIn(referral: JsonObject | null): Attachment[] {
  const product = z.record(z.string(), z.json()).safeParse(referral?.product).data;
  return product === undefined ? [] : [sentAttachment({ type: "product", payload: product })];
}

const personSchema = z.object({
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  name: z.string().nullish(),
  profile_pic: z.string().nullish(),
});

/** Who it is, asked for once: when the conversation is begun. https://developers.facebook.com/docs/messenger-platform/identity/user-profile (2026-09) */
async function personIn(context: InboxContext, api: Api, id: string): Promise<Person> {
  const unknown = { id, name: null, handle: null, avatar_url: null };
  if ((await context.knownThreads([messageKey(id)])).size > 0) return unknown;
  const url = api.endpoint([id], { fields: "first_name,last_name,profile_pic" });
  const response = await context.request({ method: "GET", url, accept: [400, 403, 404] });
  if (response.status !== 200) return unknown;
  const { first_name, last_name, name, profile_pic } = personSchema.safeParse(response.body).data ?? {};
  const whole = [first_name, last_name].filter((part) => part != null && part !== "").join(" ");
  return { ...unknown, name: whole || (name ?? null), avatar_url: profile_pic ?? null };
}
