import * as z from "zod";
import type { ExplainedAccess } from "../contract/inbox-access.ts";
import type { TextRule } from "../contract/limits.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import type { NetworkContext } from "../contract/request.ts";
import { readAnswer, xrpc } from "./api.ts";
import { chatOperation, errorCode } from "./errors.ts";
import { embedSchema } from "./inbox-attachments.ts";
import { authorSchema } from "./inbox-posts.ts";
import { facetsSchema } from "./inbox-text.ts";

/** Messages belong to a separate service, reached through the account's server. https://docs.bsky.app/docs/api/chat-bsky-convo-get-log (2026-08) */
export const chatHeaders = { "atproto-proxy": "did:web:api.bsky.chat#bsky_chat" };

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/chat/bsky/convo/defs.json (2026-08) */
export const chatText: TextRule = { max: 1_000, unit: "graphemes", max_bytes: 10_000 };

/**
 * Scopes that allow messages: https://github.com/bluesky-social/atproto/blob/main/packages/pds/src/auth-scope.ts
 * (2026-08), https://atproto.com/specs/permission#transitional-scopes (2026-11)
 */
const chatScopes = ["com.atproto.access", "com.atproto.appPassPrivileged", "transition:chat.bsky"];

const noChat =
  "This access token has no permission for messages. Reconnect the profile with an app password that allows access to direct messages, or by a browser sign-in.";

/** The access to messages, by the scopes of the access token. */
export function chatAccess({ scopes }: Pick<ProfileFacts, "scopes">): ExplainedAccess {
  return scopes.some((scope) => chatScopes.includes(scope)) ? { may: "reply" } : { may: "none", why: noChat };
}

export function chatUrl(profile: ProfileFacts, method: string, parameters: Record<string, string> = {}): string {
  return xrpc(String(profile.account_facts.pds), `chat.bsky.convo.${method}`, parameters);
}

/** A conversation. A group lists only some of its members. */
export const convoSchema = z.object({
  id: z.string().min(1),
  members: z.array(authorSchema.nullable().catch(null)),
  status: z.string().nullish(),
  lastMessage: z.object({ id: z.string(), sentAt: z.string() }).nullish().catch(null),
  kind: z.object({ name: z.string(), memberCount: z.number() }).nullish().catch(null),
});

export type Convo = z.infer<typeof convoSchema>;

/** @throws PublishingError */
export async function askChat<Schema extends z.ZodType>(
  context: NetworkContext,
  method: string,
  { schema, parameters = {} }: { schema: Schema; parameters?: Record<string, string> },
): Promise<z.infer<Schema>> {
  const url = chatUrl(context.profile, method, parameters);
  const response = await context.request({ method: "GET", url, headers: chatHeaders, operation: chatOperation });
  return readAnswer(schema, response);
}

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/chat/bsky/convo/getConvo.json (2026-08) */
const unknownConvo = "InvalidConvo";
const convoAnswer = z.object({ convo: convoSchema });

/** @returns null: the conversation does not exist, or the account has left it @throws PublishingError */
export async function readConvo(context: NetworkContext, convoId: string): Promise<Convo | null> {
  const url = chatUrl(context.profile, "getConvo", { convoId });
  const request = { url, headers: chatHeaders, operation: chatOperation, acceptCodes: [unknownConvo] };
  const response = await context.request({ method: "GET", ...request });
  return errorCode(response.body) === unknownConvo ? null : readAnswer(convoAnswer, response).convo;
}

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/chat/bsky/convo/defs.json (2026-08) */
export const reactionSchema = z.object({
  value: z.string(),
  sender: z.object({ did: z.string() }),
  createdAt: z.string(),
});

/** A message, or the rest of a deleted one. https://github.com/bluesky-social/atproto/blob/main/lexicons/chat/bsky/convo/defs.json (2026-08) */
export const messageSchema = z
  .object({
    id: z.string().min(1),
    /** Absent: a deleted message, or a system message of a group. */
    text: z.string().nullish(),
    facets: facetsSchema,
    sender: z.object({ did: z.string() }).nullish(),
    sentAt: z.string(),
    embed: embedSchema,
    reactions: z.array(reactionSchema.nullable().catch(null)).nullish().catch(null),
  })
  .transform((message) => ({ ...message, time: Date.parse(message.sentAt) }))
  .refine(({ time }) => !Number.isNaN(time));

export type ChatMessage = z.infer<typeof messageSchema>;

/** Message ids are unique only within a conversation. */
export function chatKey(convo: string, message: string): string {
  return `dm:${convo}/${message}`;
}
