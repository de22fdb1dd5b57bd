import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import type { Hooks, InboxContext, InboxUpdate } from "../contract/inbox.ts";
import { signedByApp } from "../shared/app.ts";
import { meta } from "../shared/hook-forms/meta.ts";
import { isDeletionSignedWith, readDeletion } from "../shared/meta/deletion.ts";
import { metaEvents } from "../shared/meta/hooks.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import type { Api } from "./api.ts";
import { type Comment, commentFacts, commentSchema, readComment } from "./inbox-comments.ts";
import { keyOf, numericId } from "./inbox-ids.ts";
import { attachmentsOfPost, mentionFact } from "./inbox-mentions.ts";
import { messagingFacts, messagingSchema, notUnderstood } from "./inbox-messaging.ts";
import { instagramOf, subscribeApp, subscribePage, unsubscribePage } from "./inbox-subscriptions.ts";
import type { FacebookAppSetting } from "./oauth.ts";

export function createHooks(api: Api, app: FacebookAppSetting): Hooks {
  return {
    signed: signedByApp(app, { schema: oauthAppSchema }),
    form: meta,
    deletions: { read: readDeletion, isSignedWith: isDeletionSignedWith },
    events: (request) => metaEvents(request, "page"),
    read: (context, body) => read(context, api, body),
    async subscribe(context, to) {
      await subscribeApp(context, api, to);
      await subscribePage(context, api, to);
      return { state: "confirmed" };
    },
    sharedWith: (context) => instagramOf(context, api),
    unsubscribe: (context) => unsubscribePage(context, api),
  };
}

/** Shapes found in several public test fixtures (unconfirmed). */
const changeSchema = z.object({
  field: z.string(),
  value: z.object({
    item: z.string().nullish(),
    verb: z.string().nullish(),
    post_id: numericId.nullish(),
    comment_id: numericId.nullish(),
    message: z.string().nullish(),
    sender_id: numericId.nullish(),
    sender_name: z.string().nullish(),
    created_time: z.number().nullish(),
  }),
});

type Change = z.infer<typeof changeSchema>;

const bodySchema = z.union([z.object({ messaging: messagingSchema }), z.object({ change: changeSchema })]);

/**
 * Events that the host's app may have subscribed to and that do not concern an inbox.
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

/** @throws if the event cannot be read, so that an unknown event is not lost */
async function read(context: InboxContext, api: Api, body: Json): Promise<readonly InboxUpdate[]> {
  const parsed = bodySchema.safeParse(body);
  if (otherSchema.safeParse(body).success) return [];
  if (!parsed.success) throw notUnderstood();
  return "messaging" in parsed.data
    ? messagingFacts(context, api, parsed.data.messaging)
    : readChange(context, api, parsed.data.change);
}

/** Reads the changed object from Facebook, because the event does not contain everything that an inbox shows. */
async function readChange(context: InboxContext, api: Api, { field, value }: Change): Promise<InboxUpdate[]> {
  const { item, verb, comment_id, post_id } = value;
  const now = context.now();
  if (field === "mention") return mentionIn(context, api, value);
  if (item !== "comment") return [];
  if (comment_id == null) throw notUnderstood();
  if (verb === "remove") return [{ fact: "delete", at: now, key: keyOf(comment_id) }];
  if (verb !== "add" && verb !== "edited") return [];
  const comment = await readComment(context, api, comment_id);
  if (comment === null) return [];
  return commentFacts(context, [underPost(comment, post_id ?? null)]);
}

/** Some responses name the post as the comment's parent. */
function underPost(comment: Comment, post: string | null): Comment {
  return comment.parent?.id === post ? commentSchema.parse({ ...comment, parent: null }) : comment;
}

async function mentionIn(
  context: InboxContext,
  api: Api,
  { item, verb, post_id, comment_id, message, sender_id, sender_name, created_time }: Change["value"],
): Promise<InboxUpdate[]> {
  const id = item === "comment" ? comment_id : post_id;
  if (id == null) throw notUnderstood();
  if (verb === "remove") return [{ fact: "delete", at: null, key: keyOf(id) }];
  if (created_time == null) throw notUnderstood();
  const from = sender_id == null ? null : { id: sender_id, name: sender_name ?? null };
  const permalink_url = post_id == null ? null : `/${post_id}`;
  const attachments = await attachmentsOfPost(context, api, id);
  const time = new Date(created_time * 1000).toISOString();
  return [mentionFact({ id, message, created_time: time, from, permalink_url, attachments })];
}
