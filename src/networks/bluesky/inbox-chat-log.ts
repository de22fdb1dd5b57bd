import * as z from "zod";
import type { InboxContext, InboxUpdate, Thread } from "../contract/inbox.ts";
import { askChat, chatKey, messageSchema, reactionSchema } from "./chat.ts";
import { emptyThread, factsOf, peopleSchema, reactionOf, readThread, threadKey } from "./inbox-chat-facts.ts";

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

const logSchema = z.object({ logs: z.array(z.unknown()), cursor: z.string().nullish() });

/** Where the log ends now. */
export async function endOfLog(context: InboxContext): Promise<string> {
  return (await askChat(context, "getLog", { schema: logSchema })).cursor ?? "";
}

/** Conversations met for the first time that one look asks for: each costs a request. */
const maxMet = 2;

/** Reads on in the log from where the look before ended. Where it leads to too many conversations that are new, the next look goes on from there. */
export async function readLog(
  context: InboxContext,
  from: string,
): Promise<{ facts: InboxUpdate[]; log: string; more: boolean }> {
  const parameters: Record<string, string> = from === "" ? {} : { cursor: from };
  const { logs, cursor } = await askChat(context, "getLog", { schema: logSchema, parameters });
  const entries = logs.flatMap((entry) => entrySchema.safeParse(entry).data ?? []);
  const threads = await knownThreads(context, entries);
  const facts: InboxUpdate[] = [];
  let reached = from;
  let met = 0;
  for (const entry of entries) {
    const { convoId, rev } = entry;
    if (entry.$type === creation && !threads.has(convoId)) {
      if (met === maxMet) return { facts, log: reached, more: true };
      met += 1;
      threads.set(convoId, await readThread(context, convoId));
    }
    facts.push(...factsIn(context, entry, threads.get(convoId) ?? null));
    reached = rev;
  }
  // It leads past entries of other kinds as well.
  const log = cursor ?? reached;
  return { facts, log, more: logs.length > 0 && log !== from };
}

/** The threads of messages in the log that are stored, by conversation. */
async function knownThreads(context: InboxContext, entries: readonly Entry[]): Promise<Map<string, Thread | null>> {
  const ids = [...new Set(entries.map(({ convoId }) => convoId))];
  const known = await context.knownThreads(ids.map(threadKey));
  return new Map(ids.filter((id) => known.has(threadKey(id))).map((id) => [id, emptyThread(id)]));
}

/** @param thread where a message stands; null: in a conversation that the account has left */
function factsIn(context: InboxContext, entry: Entry, thread: Thread | null): InboxUpdate[] {
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
