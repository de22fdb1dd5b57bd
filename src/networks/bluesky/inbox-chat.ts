import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { Gap, InboxContext, InboxUpdate, Poll } from "../contract/inbox.ts";
import { disorderMs } from "../shared/walk.ts";
import { askChat, chatAccess, chatKey, convoSchema, messageSchema } from "./chat.ts";
import { factsOf, peopleSchema, readThread } from "./inbox-chat-facts.ts";
import { endOfLog, readLog } from "./inbox-chat-log.ts";

const cursorSchema = z.object({
  /** The position to continue from in the log. */
  log: z.string(),
  /** When the lists of conversations were last read, milliseconds. */
  listed_at: z.number(),
  /** Conversations with new messages in those lists, still to be read. */
  waiting: z.array(z.string()),
  /** Only messages since this time are read from them, milliseconds. */
  floor: z.number(),
});

type Cursor = z.infer<typeof cursorSchema>;

/** Maximum number of conversations to read from each list. */
const maxListed = 50;
/** How often to read the lists as well, milliseconds. How far the log reaches back, and whether it is complete, is not documented. */
const betweenListsMs = 6 * 3_600_000;

/**
 * Polls the account's conversations. Their log begins with the first request for it, so that request comes first, and
 * earlier messages are read afterwards.
 *
 * https://github.com/bluesky-social/atproto/issues/2760 (2024-08)
 */
export async function pollChat(context: InboxContext, from: Json | null, since: number): Promise<Poll> {
  const { may, why = "" } = chatAccess(context.profile);
  if (may === "none") throw new PublishingError("unsupported", why);
  const { data: cursor } = cursorSchema.safeParse(from);
  if (cursor === undefined) return lookAtLists(context, { log: await endOfLog(context), floor: since });
  const { waiting, listed_at } = cursor;
  if (waiting.length > 0) return readWaiting(context, cursor);
  if (context.now() - listed_at >= betweenListsMs)
    return lookAtLists(context, { log: cursor.log, floor: listed_at - disorderMs });
  const { facts, log, more } = await readLog(context, cursor.log);
  return { facts, cursor: { ...cursor, log }, more };
}

const convos = z.array(convoSchema.nullable().catch(null));
const listSchema = z.object({ convos });
const requestsSchema = z.object({ requests: convos });

/** Finds the conversations and message requests whose newest message is not stored. */
async function lookAtLists(context: InboxContext, { log, floor }: Pick<Cursor, "log" | "floor">): Promise<Poll> {
  const listed_at = context.now();
  const limit = String(maxListed);
  const accepted = { schema: listSchema, parameters: { limit, status: "accepted" } };
  const listed = (await askChat(context, "listConvos", accepted)).convos;
  const { requests } = await askChat(context, "listConvoRequests", { schema: requestsSchema, parameters: { limit } });
  const recent = [...listed, ...requests].flatMap((convo) => {
    if (convo?.lastMessage == null) return [];
    const { id, sentAt } = convo.lastMessage;
    return [{ convo: convo.id, key: chatKey(convo.id, id), at: Date.parse(sentAt) }];
  });
  const young = recent.filter(({ at }) => at >= floor).sort((one, other) => other.at - one.at);
  const known = await context.known(young.map(({ key }) => key));
  const waiting = young.filter(({ key }) => !known.has(key)).map(({ convo }) => convo);
  const cursor: Cursor = { log, listed_at, waiting: [...new Set(waiting)].slice(0, maxListed), floor };
  return { facts: [], cursor, more: true };
}

async function readWaiting(context: InboxContext, cursor: Cursor): Promise<Poll> {
  const [next = "", ...waiting] = cursor.waiting;
  const { facts, gap } = await readConversation(context, next, cursor.floor);
  return { facts, cursor: { ...cursor, waiting }, more: true, gap };
}

const messagesSchema = z.object({
  messages: z.array(messageSchema.nullable().catch(null)),
  relatedProfiles: peopleSchema,
  cursor: z.string().nullish(),
});

/** Pages of 100 messages each, the maximum. https://docs.bsky.app/docs/api/chat-bsky-convo-get-messages (2026-08) */
const maxPages = 2;

/** Reads the newest messages of a conversation. */
async function readConversation(
  context: InboxContext,
  convoId: string,
  floor: number,
): Promise<{ facts: InboxUpdate[]; gap: Gap | null }> {
  const thread = await readThread(context, convoId);
  if (thread === null) return { facts: [], gap: null };
  const facts: InboxUpdate[] = [];
  let oldest = context.now();
  let page: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const parameters: Record<string, string> = { convoId, limit: "100", ...(page === null ? {} : { cursor: page }) };
    const found: z.infer<typeof messagesSchema> = await askChat(context, "getMessages", {
      schema: messagesSchema,
      parameters,
    });
    const messages = found.messages.filter((each) => each !== null);
    const people = found.relatedProfiles;
    for (const message of messages)
      if (message.time >= floor) facts.push(...factsOf(context, message, { thread, people }));
    oldest = Math.min(oldest, ...messages.map(({ time }) => time));
    page = found.cursor ?? null;
    if (page === null || oldest < floor) return { facts, gap: null };
  }
  return { facts, gap: { from: floor, until: oldest } };
}
