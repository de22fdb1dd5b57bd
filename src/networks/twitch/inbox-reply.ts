import * as z from "zod";
import type { Acceptance } from "../contract/acceptance.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { Replier, Reply } from "../contract/inbox.ts";
import type { Echo, LookInput, LookResult } from "../contract/look.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkResponse } from "../contract/request.ts";
import { endpoint } from "./api.ts";
import { operations } from "./errors.ts";
import { lineKey } from "./inbox-ids.ts";
import { limits, whisper } from "./limits.ts";

/** What is sent comes back within seconds. */
const rules: CommitRules = { ...readBackRules, settleSeconds: { text: 15, image: 15, video: 15 } };

/** How an answer goes out, kept as the options of its part. */
const routeSchema = z.union([
  z.object({ as: z.literal("line"), to: z.string() }),
  z.object({ as: z.literal("whisper"), person: z.string() }),
]);

type Route = z.infer<typeof routeSchema>;

function routeOf({ part }: Pick<CommitInput, "part">): Route {
  return routeSchema.parse(part.options);
}

function routeFor({ kind, to }: Reply): Route {
  return kind === "dm" ? { as: "whisper", person: to.author.id } : { as: "line", to: to.external_id };
}

/** Lines of the chat, and whispers, of which nobody ever tells that they were sent. */
export function createReplier(): Replier {
  const publisher: Publisher = {
    rules: () => rules,
    commit: requestFor,
    accepted,
    lookFor: async (_, input) => lookFor(input),
    textForms: ({ text }) => [asLine(text)],
  };
  return {
    publishers: { dm: publisher, comment: publisher, mention: publisher },
    asPost: (reply) => ({
      part: { text: reply.text, media: [], link: null, title: null, post_type: "post", options: routeFor(reply) },
      previous: null,
      ...(reply.kind !== "dm" && { parent: reply.to.external_id }),
    }),
    text: (kind) => (kind === "dm" ? whisper : limits.text),
    keyOf: ({ id }) => lineKey(id),
    needsEchoes: true,
  };
}

/** A chat has no line breaks (unconfirmed). */
function asLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function requestFor(input: CommitInput): CommitRequest {
  const { part, profile } = input;
  const route = routeOf(input);
  if (route.as === "whisper")
    // https://dev.twitch.tv/docs/api/reference#send-whisper (2026-02)
    return {
      method: "POST",
      url: endpoint("whispers", { from_user_id: profile.external_id, to_user_id: route.person }),
      body: { json: { message: part.text } },
      operation: operations.whisper,
    };
  // https://dev.twitch.tv/docs/api/reference#send-chat-message (2026-02)
  const own = { broadcaster_id: profile.external_id, sender_id: profile.external_id };
  return {
    method: "POST",
    url: endpoint("chat/messages"),
    body: { json: { ...own, message: asLine(part.text), reply_parent_message_id: route.to } },
    operation: operations.line,
  };
}

/** https://dev.twitch.tv/docs/api/reference#send-chat-message (2026-02) */
const sentSchema = z.object({
  data: z.tuple([
    z.object({
      message_id: z.string(),
      is_sent: z.boolean(),
      drop_reason: z.object({ message: z.string() }).nullish(),
    }),
  ]),
});

/** A success may be a refusal: the words for it are Twitch's own, for they change at will. https://github.com/twitchdev/issues/issues/962 (2026-09) */
function accepted({ body }: NetworkResponse, input: CommitInput): Acceptance | null {
  if (routeOf(input).as === "whisper") return { live: { id: null, url: null, ref: null } };
  const parsed = sentSchema.safeParse(body);
  if (!parsed.success) return null;
  const [{ message_id, is_sent, drop_reason }] = parsed.data.data;
  if (is_sent) return { live: { id: message_id, url: null, ref: null } };
  const message = `Twitch dropped the message: ${drop_reason?.message ?? "no reason given."}`;
  return { refused: { code: "rejected_by_network", message } };
}

/** What was not sent back proves nothing, since Twitch may not have reached us. */
function lookFor(input: LookInput): LookResult {
  const route = routeOf(input);
  if (route.as === "whisper") return { cannot_tell: "Twitch does not list sent whispers." };
  const posts = (input.echoes ?? []).map((echo) => ({
    published: { id: echo.id, url: null, ref: echo.ref },
    created_at: echo.sent_at,
    texts: textsOf(echo),
    parent: parentOf(echo),
    isSameKind: true,
    origin: null,
  }));
  return { parent: route.to, lists: [{ posts, isWhole: false, showsSuch: true, name: "chat" }] };
}

/** An answer may begin with the name of whom it answers, which Twitch puts there (unconfirmed). */
function textsOf({ text }: Echo): string[] {
  return [text, text.replace(/^@\w+\s+/, "")];
}

function parentOf({ ref }: Echo): string | null {
  return z.object({ parent: z.string().nullable() }).safeParse(ref).data?.parent ?? null;
}
