import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { HookAnswer, HookEvent, HookRequest } from "../contract/hooks.ts";
import type { Hooks, InboxContext, InboxUpdate } from "../contract/inbox.ts";
import { secretsOfApp } from "../shared/app.ts";
import { readHookJson } from "../shared/hook-json.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { lineKey } from "./inbox-ids.ts";
import { isAbout, lineFact, lineSchema } from "./inbox-lines.ts";
import { secretFor, subscribe, types, unsubscribe } from "./inbox-subscriptions.ts";
import { whisperFact, whisperSchema } from "./inbox-whispers.ts";
import type { TwitchAppSetting } from "./oauth.ts";

export function createHooks(app: TwitchAppSetting): Hooks {
  return {
    secrets: (appId, accountIds) => secretsOfApp(app, { schema: oauthAppSchema, appId, accountIds }),
    isSigned: (headers) => signature.test(headerOf({ headers }, "signature")),
    handshake,
    isGenuine,
    events,
    read,
    subscribe,
    unsubscribe,
  };
}

/** https://dev.twitch.tv/docs/eventsub/handling-webhook-events (2026-09) */
const headerNames = {
  id: "twitch-eventsub-message-id",
  sentAt: "twitch-eventsub-message-timestamp",
  type: "twitch-eventsub-message-type",
  signature: "twitch-eventsub-message-signature",
} as const;

function headerOf({ headers }: Pick<HookRequest, "headers">, name: keyof typeof headerNames): string {
  return headers.get(headerNames[name]) ?? "";
}

const signature = /^sha256=[0-9a-f]{64}$/;

/**
 * Twitch advises ten minutes. What it sends again keeps its time (unconfirmed), and nothing can be read back later, so
 * that a repeated message is recognized by its id for as long as the id is kept.
 */
const maxAgeMs = 6 * 24 * 3_600_000;

/** HMAC-SHA256 over id, time and the bytes as they came. https://dev.twitch.tv/docs/eventsub/handling-webhook-events (2026-09) */
function isGenuine(request: HookRequest, secrets: readonly string[]): boolean {
  const [id, sentAt] = [headerOf(request, "id"), headerOf(request, "sentAt")];
  if (!(request.at - Date.parse(sentAt) <= maxAgeMs)) return false;
  const given = Buffer.from(headerOf(request, "signature"));
  return secrets.some((secret) => {
    const hmac = createHmac("sha256", secretFor(secret))
      .update(id + sentAt)
      .update(request.bytes);
    const right = Buffer.from(`sha256=${hmac.digest("hex")}`);
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

const challengeSchema = z.object({ challenge: z.string().min(1).max(500) });

/** Answered with the challenge alone. https://dev.twitch.tv/docs/eventsub/handling-webhook-events (2026-09) */
function handshake(request: HookRequest, secrets: readonly string[]): HookAnswer | null {
  if (headerOf(request, "type") !== "webhook_callback_verification" || !isGenuine(request, secrets)) return null;
  const parsed = challengeSchema.safeParse(readHookJson(request.bytes));
  return parsed.success ? { status: 200, text: parsed.data.challenge } : null;
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

/** Of whose inbox an event is: where its subscription was made, or, of a login that was ended, in the event. */
function accountOf({ subscription: { condition }, event }: Sent): string | null {
  const ended = endedSchema.safeParse(event);
  return condition.user_id ?? condition.broadcaster_user_id ?? ended.data?.user_id ?? null;
}

/** One request tells one thing. Lines that are not about the channel's owner are dropped here: a chat has thousands a minute. */
function events(request: Omit<HookRequest, "at">): HookEvent[] {
  const parsed = sentSchema.safeParse(readHookJson(request.bytes));
  if (!parsed.success) throw new PublishingError("invalid_request", "The body is not a Twitch webhook.");
  const { subscription, event = null } = parsed.data;
  const account = accountOf(parsed.data);
  if (account === null) return [];
  const { type } = subscription;
  if (type === types.line && event !== null && !isAbout(event, account)) return [];
  const status = headerOf(request, "type") === "revocation" ? subscription.status : null;
  const at = Date.parse(headerOf(request, "sentAt"));
  return [{ id: headerOf(request, "id"), account, body: { type, status, at, event } }];
}

const bodySchema = z.object({ type: z.string(), status: z.string().nullable(), at: z.number(), event: z.json() });

const deletedSchema = z.object({ message_id: z.string() });
const endedSchema = z.object({ client_id: z.string(), user_id: z.string() });

/** The owner has ended the login, or is not there any more. https://dev.twitch.tv/docs/eventsub/eventsub-reference (2026-02) */
const loginEnded: ReadonlySet<string> = new Set(["authorization_revoked", "user_removed"]);

async function read(context: InboxContext, given: Json): Promise<readonly InboxUpdate[] | "unsubscribed"> {
  const { type, status, at, event } = bodySchema.parse(given);
  if (type === types.ended || (status !== null && loginEnded.has(status)))
    throw new PublishingError("reauthentication_required", "The account's owner has revoked the access at Twitch.");
  if (status !== null) return "unsubscribed";
  if (type === types.deleted) return [{ fact: "delete", at, key: lineKey(deletedSchema.parse(event).message_id) }];
  if (type === types.line) return lineFact(context, lineSchema.parse(event), at);
  if (type === types.whisper) return [await whisperFact(context, whisperSchema.parse(event), at)];
  // Nothing else is asked for: it is something of ours in a form that a later version understands.
  throw new PublishingError("invalid_request", `Twitch has sent an event of the unknown type ${type}.`);
}
