import * as z from "zod";
import type { InboxContext, InboxUpdate, Thread } from "../contract/inbox.ts";
import { askChat, chatKey, messageSchema, reactionSchema } from "./chat.ts";
import { emptyThread, factsOf, peopleSchema, reactionOf, readThread, threadKey } from "./inbox-chat-facts.ts";

/** Fields of each entry. */
const place = { rev: z.string(), convoId: z.string() };
const reactionEntry = { ...place, message: z.object({ id: z.string() }), reaction: reactionSchema };

/**
 * The entries about messages. Many other kinds are about groups, and about what the owner has read.
 * https://github.com/bluesky-social/atproto/blob/main/lexicons/chat/bsky/convo/defs.json (2026-08)
 */
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

/** The current end of the log. */
export async function endOfLog(context: InboxContext): Promise<string> {
  return (await askChat(context, "getLog", { schema: logSchema })).cursor ?? "";
}

/** Maximum number of new conversations per poll, because each costs a request. */
const maxMet = 2;

/** Reads the log from where the last poll ended. After too many new conversations it stops, and the next poll continues there. */
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
  // The cursor also passes entries of other kinds.
  const log = cursor ?? reached;
  return { facts, log, more: logs.length > 0 && log !== from };
}

/** The stored threads of messages in the log, by conversation. */
async function knownThreads(context: InboxContext, entries: readonly Entry[]): Promise<Map<string, Thread | null>> {
  const ids = [...new Set(entries.map(({ convoId }) => convoId))];
  const known = await context.knownThreads(ids.map(threadKey));
  return new Map(ids.filter((id) => known.has(threadKey(id))).map((id) => [id, emptyThread(id)]));
}

/** @param thread the message's thread; null: the account has left the conversation */
function factsIn(context: InboxContext, entry: Entry, thread: Thread | null): InboxUpdate[] {
  const key = chatKey(entry.convoId, entry.message.id);
  switch (entry.$type) {
    case "chat.bsky.convo.defs#logCreateMessage":
      return thread === null ? [] : factsOf(context, entry.message, { thread, people: entry.relatedProfiles });
    // The owner deleted it for this account only. Users cannot delete a message for others.
    case "chat.bsky.convo.defs#logDeleteMessage":
      return [{ fact: "delete", at: null, key }];
    case "chat.bsky.convo.defs#logAddReaction":
      return [reactionOf(key, entry.reaction, false)];
    case "chat.bsky.convo.defs#logRemoveReaction":
      return [reactionOf(key, entry.reaction, true)];
  }
}
