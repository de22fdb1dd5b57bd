import * as z from "zod";
import type { CommitInput } from "../contract/commit.ts";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { IdentifiedPart, Part } from "../contract/plan.ts";
import { type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkContext } from "../contract/request.ts";
import { askChat, type ChatMessage, chatHeaders, chatUrl, messageSchema, readConvo } from "./chat.ts";
import { chatOperation } from "./errors.ts";
import { postFacets } from "./record.ts";
import { stageMentions } from "./stage.ts";

/** Where a message goes, kept as the options of its part. */
const routeSchema = z.object({ convo: z.string() });

function convoOf({ part }: { part: Part }): string {
  return routeSchema.parse(part.options).convo;
}

/** The service takes no key: after a lost answer the conversation is read. https://docs.bsky.app/docs/api/chat-bsky-convo-send-message (2026-08) */
export const chatPublisher: Publisher = {
  rules: () => readBackRules,
  async stage(context, part) {
    await stageMentions(context, part.text);
    const convo = await readConvo(context, convoOf({ part }));
    if (convo?.status === "request") await accept(context, convo.id);
  },
  commit(input) {
    const { part, profile, staged } = input;
    const facets = postFacets(part.text, staged);
    return {
      method: "POST",
      url: chatUrl(profile, "sendMessage"),
      headers: chatHeaders,
      body: {
        json: {
          convoId: convoOf(input),
          message: { text: part.text, ...(facets.length === 0 ? {} : { facets }) },
        },
      },
      operation: chatOperation,
    };
  },
  accepted({ body }, input) {
    const { data } = messageSchema.safeParse(body);
    return data === undefined ? null : { live: published(data, input) };
  },
  lookFor,
  textForms: ({ text }) => [text],
};

/** Whoever answers a request has accepted it. Repeatable. https://docs.bsky.app/docs/api/chat-bsky-convo-accept-convo (2026-08) */
async function accept(context: NetworkContext, convoId: string): Promise<void> {
  const url = chatUrl(context.profile, "acceptConvo");
  const request = { url, headers: chatHeaders, operation: chatOperation, body: { json: { convoId } } };
  await context.request({ method: "POST", ...request });
}

function published({ id }: ChatMessage, input: Pick<CommitInput, "part">): IdentifiedPart {
  return { id, url: null, ref: { convo: convoOf(input) } };
}

const pageSchema = z.object({ messages: z.array(messageSchema.nullable().catch(null)), cursor: z.string().nullish() });

/** Pages that are read to find a message, at most. */
const maxPages = 3;

async function lookFor(context: NetworkContext, input: LookInput): Promise<LookResult> {
  const convoId = convoOf(input);
  if ((await readConvo(context, convoId)) === null) return { cannot_tell: "The conversation is no longer available." };
  const posts: ListedPost[] = [];
  let isWhole = false;
  let cursor: string | null = null;
  for (let page = 0; page < maxPages && !isWhole; page++) {
    const parameters: Record<string, string> = { convoId, limit: "100", ...(cursor === null ? {} : { cursor }) };
    const found: z.infer<typeof pageSchema> = await askChat(context, "getMessages", { schema: pageSchema, parameters });
    const messages = found.messages.filter((each) => each !== null);
    const own = messages.filter(({ sender }) => sender?.did === context.profile.external_id);
    posts.push(...own.map((message) => toSeen(message, input)));
    cursor = found.cursor ?? null;
    isWhole = cursor === null || messages.some(({ time }) => time < input.since);
  }
  return { parent: null, lists: [{ posts, isWhole, showsSuch: true, name: "messages" }] };
}

function toSeen(message: ChatMessage, input: LookInput): ListedPost {
  return {
    published: published(message, input),
    created_at: message.time,
    texts: [message.text ?? ""],
    parent: null,
    isSameKind: true,
    origin: null,
  };
}
