import * as z from "zod";
import type { InboxContext, InboxUpdate, Person, Thread } from "../contract/inbox.ts";
import { type ChatMessage, type Convo, chatKey, type reactionSchema, readConvo } from "./chat.ts";
import { attachmentsOf } from "./inbox-attachments.ts";
import { authorSchema } from "./inbox-posts.ts";
import { followedText } from "./inbox-text.ts";
import { personOf } from "./inbox-thread.ts";

/** The profiles that are listed together with messages. */
export const peopleSchema = z.array(authorSchema.nullable().catch(null)).nullish().catch(null);

/** A message's content, and its reactions. Empty: a deleted message, or a system message of a group. */
export function factsOf(
  context: InboxContext,
  message: ChatMessage,
  { thread, people }: { thread: Thread; people: z.infer<typeof peopleSchema> },
): InboxUpdate[] {
  const { id, text, facets, sender, time, embed, reactions } = message;
  if (text == null || sender == null) return [];
  const key = chatKey(thread.external_id, id);
  const author = (people ?? []).find((each) => each?.did === sender.did);
  const fact: InboxUpdate = {
    fact: "message",
    at: time,
    thread,
    message: {
      key,
      external_id: id,
      own: sender.did === context.profile.external_id,
      text: text === "" ? null : followedText(text, facets),
      attachments: attachmentsOf(embed),
      author: { id: sender.did, name: author == null ? null : personOf(author).name },
      sent_at: time,
      edited_at: null,
      ref: { convo: thread.external_id },
    },
  };
  const given = (reactions ?? []).filter((each) => each !== null);
  return [fact, ...given.map((reaction) => reactionOf(key, reaction, false))];
}

/** A removed reaction has the time at which it was added. Adding it again later is another reaction. */
export function reactionOf(
  key: string,
  { value, sender, createdAt }: z.infer<typeof reactionSchema>,
  gone: boolean,
): InboxUpdate {
  const at = Date.parse(createdAt);
  return { fact: "reaction", at: Number.isNaN(at) ? null : at, key, from: sender.did, emoji: value, gone };
}

/** @returns null: the account has left the conversation */
export async function readThread(context: InboxContext, convoId: string): Promise<Thread | null> {
  const convo = await readConvo(context, convoId);
  return convo === null ? null : threadOf(context, convo);
}

export function threadKey(convoId: string): string {
  return `dm:${convoId}`;
}

/** The thread of a stored conversation. Only its key is used. */
export function emptyThread(convoId: string): Thread {
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
