import { z } from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { HookTarget } from "../contract/hooks.ts";
import type { Attachment, Fact, Hooks, InboxContext, Person } from "../contract/inbox.ts";
import type { NetworkContext } from "../contract/request.ts";
import { secretsOfApp } from "../shared/app.ts";
import { isDeletionSignedWith, readDeletion } from "../shared/meta/deletion.ts";
import { isSignedByMeta, metaEvents, metaHandshake, metaSignature, verifyToken } from "../shared/meta/hooks.ts";
import { type Api, readAnswer } from "./api.ts";
import { type Comment, commentFacts, commentSchema, readComment } from "./inbox-comments.ts";
import { keyOf, messageKey } from "./inbox-ids.ts";
import { mentionFact } from "./inbox-mentions.ts";
import { dmThread } from "./inbox-messages.ts";
import { appSchema, type FacebookAppSetting } from "./oauth.ts";

/** https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09), https://developers.facebook.com/docs/pages-api/webhooks-for-pages */
const fields = [
  ...["feed", "mention", "messages", "message_echoes", "message_edits", "message_reactions"],
  ...["message_deliveries", "message_reads", "messaging_postbacks", "messaging_referrals", "standby"],
].join(",");

export function createHooks(api: Api, app: FacebookAppSetting): Hooks {
  return {
    secrets: (appId, accountIds) => secretsOfApp(app, { schema: appSchema, appId, accountIds }),
    isSigned: (headers) => metaSignature(headers) !== null,
    handshake: metaHandshake,
    isGenuine: isSignedByMeta,
    deletions: { read: readDeletion, isSignedWith: isDeletionSignedWith },
    events: (request) => metaEvents(request, "page"),
    read: (context, body) => read(context, api, body),
    async subscribe(context, to) {
      await subscribeApp(context, api, to);
      const body = { form: { subscribed_fields: fields } };
      await context.request({ method: "POST", url: subscribedApps(api, context), body });
      return "confirmed";
    },
    async unsubscribe(context) {
      await context.request({ method: "DELETE", url: subscribedApps(api, context) });
    },
  };
}

/** https://developers.facebook.com/docs/graph-api/reference/page/subscribed_apps (2026-09) */
function subscribedApps(api: Api, { profile }: NetworkContext): string {
  return api.endpoint([profile.external_id, "subscribed_apps"]);
}

const subscriptionsSchema = z.object({
  data: z.array(
    z.object({
      object: z.string(),
      callback_url: z.string().nullish(),
      active: z.boolean().nullish(),
      fields: z.array(z.object({ name: z.string() })).nullish(),
    }),
  ),
});

/**
 * An app sends to one address. One that sends elsewhere is left as it is: another service of the host's may live of it.
 * https://developers.facebook.com/docs/graph-api/reference/app/subscriptions (2026-09)
 *
 * @throws PublishingError `unsupported` there
 */
async function subscribeApp(
  context: InboxContext,
  api: Api,
  { url: callback_url, appId, secret }: HookTarget,
): Promise<void> {
  const url = api.endpoint([appId, "subscriptions"]);
  const asApp = { url, headers: { authorization: `Bearer ${appId}|${secret}` } };
  const { data } = readAnswer(subscriptionsSchema, await context.request({ method: "GET", ...asApp }));
  const found = data.find(({ object }) => object === "page");
  if (found?.callback_url != null && found.callback_url !== callback_url)
    throw new PublishingError(
      "unsupported",
      `The app sends what happens on Pages to ${new URL(found.callback_url).host}. Set its callback URL to ${callback_url}, or remove that one, at developers.facebook.com.`,
    );
  const names = new Set((found?.fields ?? []).map(({ name }) => name));
  if (found?.active === true && fields.split(",").every((name) => names.has(name))) return;
  const form = { object: "page", callback_url, verify_token: verifyToken(secret), fields, include_values: "true" };
  await context.request({ method: "POST", ...asApp, body: { form } });
}

const attachmentSchema = z.object({
  type: z.string().nullish(),
  payload: z.object({ url: z.string().nullish(), title: z.string().nullish() }).nullish(),
});

const number = z.union([z.string(), z.number()]).transform(String);
const party = z.object({ id: number });

/** https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09) */
const messagingSchema = z.object({
  sender: party,
  recipient: party,
  timestamp: z.number(),
  message: z
    .object({
      mid: z.string(),
      text: z.string().nullish(),
      is_echo: z.boolean().nullish(),
      attachments: z.array(attachmentSchema).nullish(),
      referral: z.record(z.string(), z.json()).nullish(),
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
      referral: z.record(z.string(), z.json()).nullish(),
    })
    .nullish(),
});

type Messaging = z.infer<typeof messagingSchema>;

/** Shapes as several public test fixtures have them (unconfirmed). */
const changeSchema = z.object({
  field: z.string(),
  value: z.object({
    item: z.string().nullish(),
    verb: z.string().nullish(),
    post_id: number.nullish(),
    comment_id: number.nullish(),
    message: z.string().nullish(),
    sender_id: number.nullish(),
    sender_name: z.string().nullish(),
    created_time: z.number().nullish(),
  }),
});

type Change = z.infer<typeof changeSchema>;

const bodySchema = z.union([z.object({ messaging: messagingSchema }), z.object({ change: changeSchema })]);

/**
 * What the host's app may have asked for besides, and what says nothing of an inbox.
 * https://developers.facebook.com/docs/messenger-platform/reference/webhook-events (2026-09)
 */
const otherSchema = z.union([
  z.object({ change: z.object({ field: z.string().refine((field) => field !== "feed" && field !== "mention") }) }),
  z.object({
    messaging: z.looseObject({}).refine((said) => Object.keys(said).some((name) => otherMessaging.has(name))),
  }),
]);

const otherMessaging: ReadonlySet<string> = new Set([
  ...["account_linking", "app_roles", "checkout_update", "game_play", "messaging_feedback", "optin"],
  ...["pass_thread_control", "payment", "policy_enforcement", "pre_checkout", "request_thread_control"],
  ...["response_feedback", "take_thread_control"],
]);

/** It may be something of an inbox in a form that a later version understands. */
function notUnderstood(): PublishingError {
  return new PublishingError("invalid_request", "What was sent of the Page is in no form that is known here.");
}

/** @throws what keeps it from being read; what nobody here understands is never taken for nothing */
async function read(context: InboxContext, api: Api, body: Json): Promise<readonly Fact[]> {
  const parsed = bodySchema.safeParse(body);
  if (otherSchema.safeParse(body).success) return [];
  if (!parsed.success) throw notUnderstood();
  return "messaging" in parsed.data
    ? readMessaging(context, api, parsed.data.messaging)
    : readChange(context, api, parsed.data.change);
}

async function readMessaging(context: InboxContext, api: Api, messaging: Messaging): Promise<Fact[]> {
  const { sender, recipient, timestamp: at, message_edit, reaction } = messaging;
  if (message_edit != null)
    return [{ fact: "edit", at, key: messageKey(message_edit.mid), text: message_edit.text ?? null }];
  if (reaction != null) {
    const emoji = reaction.emoji ?? reaction.reaction ?? "";
    const gone = reaction.action === "unreact";
    return [{ fact: "reaction", at, key: messageKey(reaction.mid), from: sender.id, emoji, gone }];
  }
  const said = saidIn(messaging);
  if (said === null) return aboutThread(messaging);
  const own = sender.id === context.profile.external_id;
  const other = own ? recipient.id : sender.id;
  const person = await personIn(context, api, other);
  const thread = dmThread(person, null, said.referral);
  return [
    {
      fact: "message",
      at,
      thread,
      message: {
        ...{ key: messageKey(said.mid), external_id: said.mid, own, text: said.text, attachments: said.attachments },
        author: own ? { id: sender.id, name: null } : { id: other, name: person.name },
        ...{ sent_at: at, edited_at: null },
      },
    },
    // Who came by an ad may have written before: then the thread is there.
    ...(said.referral === null ? [] : [{ fact: "referral", at, thread: thread.key, referral: said.referral } as const]),
  ];
}

/** What it tells of a thread besides messages. A person's id is what Facebook knows it by. */
function aboutThread({ sender, timestamp: at, delivery, read: seen, referral }: Messaging): Fact[] {
  const thread = messageKey(sender.id);
  if (delivery != null) return [{ fact: "receipt", at, thread, what: "delivered", until: delivery.watermark }];
  if (seen != null) return [{ fact: "receipt", at, thread, what: "read", until: seen.watermark }];
  if (referral == null) throw notUnderstood();
  return [{ fact: "referral", at, thread, referral }];
}

interface Said {
  mid: string;
  text: string | null;
  attachments: Attachment[];
  referral: Record<string, Json> | null;
}

/** A button that somebody presses says what is written on it. */
function saidIn({ message, postback }: Messaging): Said | null {
  if (message != null) {
    const attachments = (message.attachments ?? []).map(({ type, payload }) => ({
      type: type ?? "unknown",
      url: payload?.url ?? null,
    }));
    return { mid: message.mid, text: message.text || null, attachments, referral: message.referral ?? null };
  }
  if (postback?.mid == null) return null;
  return { mid: postback.mid, text: postback.title ?? null, attachments: [], referral: postback.referral ?? null };
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

/** What changed is read anew: a change does not say all that an inbox shows. */
async function readChange(context: InboxContext, api: Api, { field, value }: Change): Promise<Fact[]> {
  const { item, verb, comment_id, post_id } = value;
  const now = context.now();
  if (field === "mention") return mentionIn(value);
  if (item !== "comment") return [];
  if (comment_id == null) throw notUnderstood();
  if (verb === "remove") return [{ fact: "delete", at: now, key: keyOf(comment_id) }];
  if (verb !== "add" && verb !== "edited") return [];
  const comment = await readComment(context, api, comment_id);
  if (comment === null) return [];
  return commentFacts(context, [underPost(comment, post_id ?? null)]);
}

/** Some answers name the post as what a comment stands under. */
function underPost(comment: Comment, post: string | null): Comment {
  return comment.parent?.id === post ? commentSchema.parse({ ...comment, parent: null }) : comment;
}

function mentionIn({
  item,
  verb,
  post_id,
  comment_id,
  message,
  sender_id,
  sender_name,
  created_time,
}: Change["value"]): Fact[] {
  const id = item === "comment" ? comment_id : post_id;
  if (id == null) throw notUnderstood();
  if (verb === "remove") return [{ fact: "delete", at: null, key: keyOf(id) }];
  if (created_time == null) throw notUnderstood();
  const from = sender_id == null ? null : { id: sender_id, name: sender_name ?? null };
  const permalink_url = post_id == null ? null : `/${post_id}`;
  return [mentionFact({ id, message, created_time: new Date(created_time * 1000).toISOString(), from, permalink_url })];
}
