import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { HookEvent, HookRequest } from "../contract/hooks.ts";
import type { Hooks, InboxContext, InboxUpdate } from "../contract/inbox.ts";
import { signedByApp } from "../shared/app.ts";
import { eventsub, eventsubHeader } from "../shared/hook-forms/eventsub.ts";
import { readHookJson } from "../shared/hook-json.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { lineKey } from "./inbox-ids.ts";
import { isAbout, lineFact, lineSchema } from "./inbox-lines.ts";
import { secretFor, subscribe, types, unsubscribe } from "./inbox-subscriptions.ts";
import { whisperFact, whisperSchema } from "./inbox-whispers.ts";
import type { TwitchAppSetting } from "./oauth.ts";

export function createHooks(app: TwitchAppSetting): Hooks {
  return {
    signed: signedByApp(app, { schema: oauthAppSchema, secretsIn: ({ client_secret }) => [secretFor(client_secret)] }),
    form: eventsub,
    events,
    read,
    subscribe,
    unsubscribe,
  };
}

/** https://dev.twitch.tv/docs/eventsub/eventsub-reference (2026-02) */
const sentSchema = z.object({
  subscription: z.object({
    type: z.string(),
    status: z.string(),
    condition: z.record(z.string(), z.string()),
  }),
  event: z.custom<Json>((value) => value !== undefined).optional(),
});

type Sent = z.infer<typeof sentSchema>;

/**
 * The account whose inbox an event belongs to: from the subscription's condition, or, for revoked access, from the
 * event.
 */
function accountOf({ subscription: { condition }, event }: Sent): string | null {
  const ended = endedSchema.safeParse(event);
  return condition.user_id ?? condition.broadcaster_user_id ?? ended.data?.user_id ?? null;
}

/**
 * One request contains one event. Chat lines that do not concern the channel's owner are dropped here, because a chat
 * may have thousands per minute.
 */
function events(request: Omit<HookRequest, "at">): HookEvent[] {
  const parsed = sentSchema.safeParse(readHookJson(request.bytes));
  if (!parsed.success) throw new PublishingError("invalid_request", "The body is not a Twitch webhook.");
  const { subscription, event = null } = parsed.data;
  const account = accountOf(parsed.data);
  if (account === null) return [];
  const { type } = subscription;
  if (type === types.line && event !== null && !isAbout(event, account)) return [];
  const status = eventsubHeader(request, "type") === "revocation" ? subscription.status : null;
  const at = Date.parse(eventsubHeader(request, "sentAt"));
  return [{ id: eventsubHeader(request, "id"), account, body: { type, status, at, event } }];
}

const bodySchema = z.object({ type: z.string(), status: z.string().nullable(), at: z.number(), event: z.json() });

const deletedSchema = z.object({ message_id: z.string() });
const endedSchema = z.object({ client_id: z.string(), user_id: z.string() });

/**
 * Statuses after which the owner has revoked access, or the account no longer exists.
 * https://dev.twitch.tv/docs/eventsub/eventsub-reference (2026-02)
 */
const loginEnded: ReadonlySet<string> = new Set(["authorization_revoked", "user_removed"]);

async function read(context: InboxContext, given: Json): Promise<readonly InboxUpdate[] | "unsubscribed"> {
  const { type, status, at, event } = bodySchema.parse(given);
  if (type === types.ended || (status !== null && loginEnded.has(status)))
    throw new PublishingError("reauthentication_required", "The account's owner has revoked the access at Twitch.");
  if (status !== null) return "unsubscribed";
  if (type === types.deleted) return [{ fact: "delete", at, key: lineKey(deletedSchema.parse(event).message_id) }];
  if (type === types.line) return lineFact(context, lineSchema.parse(event), at);
  if (type === types.whisper) return [await whisperFact(context, whisperSchema.parse(event), at)];
  // Only these types are subscribed to, so this is an event in a format that a later version may read.
  throw new PublishingError("invalid_request", `Twitch has sent an event of the unknown type ${type}.`);
}
