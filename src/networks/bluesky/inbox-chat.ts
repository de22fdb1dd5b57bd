import { z } from "zod";
import type { Json } from "../../wire/json.ts";
import type { Fact, InboxContext, Person, Poll, Thread } from "../contract/inbox.ts";
import {
  askChat,
  type ChatMessage,
  type Convo,
  chatKey,
  convoSchema,
  demandChat,
  messageSchema,
  reactionSchema,
  readConvo,
} from "./chat.ts";
import { attachmentsOf } from "./inbox-attachments.ts";
import { authorSchema } from "./inbox-posts.ts";
import { personOf } from "./inbox-thread.ts";

const cursorSchema = z.object({
  /** What has happened is read from here on. */
  log: z.string(),
  /** Conversations whose older messages are still to be read. */
  waiting: z.array(z.string()),
});

type Cursor = z.infer<typeof cursorSchema>;

/** Conversations of before that are read, at most. */
const maxWaiting = 50;
/** Conversations met for the first time that one look asks for: each costs a request. */
const maxMet = 2;

/**
 * What happens in the account's conversations is a log, which begins with the first look at it: so that look comes first, and
 * then what was said before.
 *
 * https://github.com/bluesky-social/atproto/issues/2760 (2024-08)
 */
export async function pollChat(context: InboxContext, from: Json | null, since: number): Promise<Poll> {
  demandChat(context.profile);
  const { data: cursor } = cursorSchema.safeParse(from);
  if (cursor === undefined) return begin(context, since);
  const [next, ...waiting] = cursor.waiting;
  if (next === undefined) return readLog(context, cursor);
  const facts = await readBefore(context, next, since);
  return { facts, cursor: { ...cursor, waiting }, more: true };
}

const logSchema = z.object({ logs: z.array(z.unknown()), cursor: z.string().nullish() });
const listSchema = z.object({ convos: z.array(convoSchema.nullable().catch(null)) });
const requestsSchema = z.object({ requests: z.array(convoSchema.nullable().catch(null)) });

async function begin(context: InboxContext, since: number): Promise<Poll> {
  const { cursor } = await askChat(context, "getLog", { schema: logSchema });
  const parameters = { limit: String(maxWaiting) };
  const { convos } = await askChat(context, "listConvos", {
    schema: listSchema,
    parameters: { ...parameters, status: "accepted" },
  });
  const { requests } = await askChat(context, "listConvoRequests", { schema: requestsSchema, parameters });
  const recent = [...convos, ...requests]
    .flatMap((convo) => (convo === null ? [] : [{ id: convo.id, at: Date.parse(convo.lastMessage?.sentAt ?? "") }]))
    .filter(({ at }) => at >= since)
    .sort((one, other) => other.at - one.at);
  const waiting = [...new Set(recent.map(({ id }) => id))].slice(0, maxWaiting);
  return { facts: [], cursor: { log: cursor ?? "", waiting } satisfies Cursor, more: waiting.length > 0 };
}

const peopleSchema = z.array(authorSchema.nullable().catch(null)).nullish().catch(null);
const messagesSchema = z.object({
  messages: z.array(messageSchema.nullable().catch(null)),
  relatedProfiles: peopleSchema,
});

/** The newest of what was said in a conversation before its log was read. */
async function readBefore(context: InboxContext, id: string, since: number): Promise<Fact[]> {
  const thread = await readThread(context, id);
  if (thread === null) return [];
  const { messages, relatedProfiles: people } = await askChat(context, "getMessages", {
    schema: messagesSchema,
    parameters: { convoId: id, limit: "50" },
  });
  return messages.flatMap((message) =>
    message === null || message.time < since ? [] : factsOf(context, message, { thread, people }),
  );
}

/** Of each entry. */
const place = { rev: z.string(), convoId: z.string() };
const reactionEntry = { ...place, message: z.object({ id: z.string() }), reaction: reactionSchema };

/** The entries that tell of messages: many more kinds tell of groups, and of what the owner has read. https://github.com/bluesky-social/atproto/blob/main/lexicons/chat/bsky/convo/defs.json (2026-08) */
const entrySchema = z.discriminatedUnion("$type", [
  z.object({
    $type: z.literal("chat.bsky.convo.defs#logCreateMessage"),
    ...place,
    message: messageSchema,
    relatedProfiles: peopleSchema,
  }),
  z.object({
    $type: z.literal("chat.bsky.convo.defs#logDeleteMessage"),
    ...place,
    message: z.object({ id: z.string() }),
  }),
  z.object({ $type: z.literal("chat.bsky.convo.defs#logAddReaction"), ...reactionEntry }),
  z.object({ $type: z.literal("chat.bsky.convo.defs#logRemoveReaction"), ...reactionEntry }),
]);

type Entry = z.infer<typeof entrySchema>;

const creation = "chat.bsky.convo.defs#logCreateMessage";

/** Reads on in the log. Where it leads to too many conversations that are new, the next look goes on where this one ends. */
async function readLog(context: InboxContext, { log, waiting }: Cursor): Promise<Poll> {
  const parameters: Record<string, string> = log === "" ? {} : { cursor: log };
  const { logs, cursor } = await askChat(context, "getLog", { schema: logSchema, parameters });
  const entries = logs.flatMap((entry) => entrySchema.safeParse(entry).data ?? []);
  const threads = await knownThreads(context, entries);
  const facts: Fact[] = [];
  let reached = log;
  let met = 0;
  for (const entry of entries) {
    const { convoId, rev } = entry;
    if (entry.$type === creation && !threads.has(convoId)) {
      if (met === maxMet) return { facts, cursor: { log: reached, waiting }, more: true };
      met += 1;
      threads.set(convoId, await readThread(context, convoId));
    }
    facts.push(...factsIn(context, entry, threads.get(convoId) ?? null));
    reached = rev;
  }
  // It leads past entries of other kinds as well.
  const next = cursor ?? reached;
  return { facts, cursor: { log: next, waiting }, more: logs.length > 0 && next !== log };
}

/** The threads of messages in the log that are stored, by conversation. */
async function knownThreads(context: InboxContext, entries: readonly Entry[]): Promise<Map<string, Thread | null>> {
  const ids = [...new Set(entries.map(({ convoId }) => convoId))];
  const known = await context.knownThreads(ids.map(threadKey));
  return new Map(ids.filter((id) => known.has(threadKey(id))).map((id) => [id, emptyThread(id)]));
}

/** @param thread where a message stands; null: in a conversation that the account has left */
function factsIn(context: InboxContext, entry: Entry, thread: Thread | null): Fact[] {
  const key = chatKey(entry.convoId, entry.message.id);
  switch (entry.$type) {
    case "chat.bsky.convo.defs#logCreateMessage":
      return thread === null ? [] : factsOf(context, entry.message, { thread, people: entry.relatedProfiles });
    // The owner's own, for this account alone: nobody can take a message away from others.
    case "chat.bsky.convo.defs#logDeleteMessage":
      return [{ fact: "delete", at: null, key }];
    case "chat.bsky.convo.defs#logAddReaction":
      return [reactionOf(key, entry.reaction, false)];
    case "chat.bsky.convo.defs#logRemoveReaction":
      return [reactionOf(key, entry.reaction, true)];
  }
}

/** What is taken away bears the time at which it was given: a later one of the same kind is another. */
function reactionOf(key: string, { value, sender, createdAt }: z.infer<typeof reactionSchema>, gone: boolean): Fact {
  const at = Date.parse(createdAt);
  return { fact: "reaction", at: Number.isNaN(at) ? null : at, key, from: sender.did, emoji: value, gone };
}

/** What a message says, and who reacted to it. Nothing of one that was deleted, or that says what happened to a group. */
function factsOf(
  context: InboxContext,
  message: ChatMessage,
  { thread, people }: { thread: Thread; people: z.infer<typeof peopleSchema> },
): Fact[] {
  const { id, text, sender, time, embed, reactions } = message;
  if (text == null || sender == null) return [];
  const key = chatKey(thread.external_id, id);
  const author = (people ?? []).find((each) => each?.did === sender.did);
  const fact: Fact = {
    fact: "message",
    at: time,
    thread,
    message: {
      ...{ key, external_id: id, own: sender.did === context.profile.external_id },
      ...{ text: text === "" ? null : text, attachments: attachmentsOf(embed) },
      author: { id: sender.did, name: author == null ? null : personOf(author).name },
      ...{ sent_at: time, edited_at: null, ref: { convo: thread.external_id } },
    },
  };
  const given = (reactions ?? []).filter((each) => each !== null);
  return [fact, ...given.map((reaction) => reactionOf(key, reaction, false))];
}

/** @returns null: the account has left it */
async function readThread(context: InboxContext, convoId: string): Promise<Thread | null> {
  const convo = await readConvo(context, convoId);
  return convo === null ? null : threadOf(context, convo);
}

function threadKey(convoId: string): string {
  return `dm:${convoId}`;
}

/** The thread of a conversation that is stored, of which only the key is looked at. */
function emptyThread(convoId: string): Thread {
  const participant = { id: "", name: null, handle: null, avatar_url: null };
  return { kind: "dm", key: threadKey(convoId), external_id: convoId, participant, url: null, referral: null };
}

function threadOf(context: InboxContext, { id, members, kind }: Convo): Thread {
  const others = members.flatMap((member) =>
    member === null || member.did === context.profile.external_id ? [] : [member],
  );
  const [other] = others;
  const group: Person = { id, name: kind?.name ?? null, handle: null, avatar_url: null };
  const participant = kind == null && other !== undefined ? personOf(other) : group;
  return { ...emptyThread(id), participant, url: `https://bsky.app/messages/${id}` };
}
