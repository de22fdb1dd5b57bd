import type { InboxReports, MessageFact, NewMessage, Person, Thread } from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { ConversationRow, InboxRow, MessageRow } from "./rows.ts";
import type { TimedFact } from "./timed-fact.ts";

export interface NewRowPorts {
  ids: Ids;
  /** The store's time, milliseconds. */
  now: number;
  reports: InboxReports;
}

/** Creates the conversation of its first message. */
export function newConversation(
  inbox: InboxRow,
  { thread, at }: MessageFact & TimedFact,
  { ids, now }: NewRowPorts,
): ConversationRow {
  const { account_id, profile_id, network, external_id: profile_external_id } = inbox;
  const created_at = isoTime(now);
  return {
    id: ids.create("conversation", now),
    account_id,
    profile_id,
    network,
    profile_external_id,
    ...thread,
    participant_id: thread.participant.id,
    status: "open",
    unread_count: 0,
    last_message: { text: "", at: created_at },
    last_at: created_at,
    reply_until: null,
    seq: 0,
    created_at,
    private: { last_id: null, unread_so_far: 0, ...(thread.referral !== null && { referred_at: at }) },
  };
}

/** The stored name of an author whom the network no longer names. */
function nameIn({ participant: { id, name } }: ConversationRow, author: string): string | null {
  return id === author ? name : null;
}

/** Creates a message of a conversation. */
export function newMessage(
  conversation: ConversationRow,
  fact: MessageFact & TimedFact,
  { ids, now, reports }: NewRowPorts,
): MessageRow {
  const { account_id, profile_id, id: conversation_id } = conversation;
  const { key, external_id, own, text, attachments, author, sent_at, edited_at, ref }: NewMessage = fact.message;
  return {
    id: ids.create("message", now),
    account_id,
    profile_id,
    conversation_id,
    key,
    external_id,
    direction: own ? "outbound" : "inbound",
    state: "live",
    text,
    attachments: [...attachments],
    author: { ...author, name: author.name ?? nameIn(conversation, author.id) },
    author_id: author.id,
    sent_at: isoTime(sent_at),
    edited_at: edited_at === null ? null : isoTime(edited_at),
    deleted_at: null,
    reply_to: null,
    delivered_at: null,
    read_at: null,
    reactions: reports.reactions[conversation.kind] === null ? null : [],
    awaits_approval: fact.message.awaits_approval ?? false,
    due_at: null,
    seq: 0,
    idempotency_key: null,
    created_at: isoTime(now),
    private: { ref: ref ?? null, unread_so_far: conversation.private.unread_so_far, said_at: fact.at, reacted_at: {} },
  };
}

/** The conversation after a message has named its participant or its URL. The same object: both were known. */
export function introduced(row: ConversationRow, { external_id, participant, url }: Thread): ConversationRow {
  const isNamed = row.participant.id === participant.id && lacksWhat(row.participant, participant);
  const isPlaced = row.url === null && url !== null && row.external_id === external_id;
  if (!isNamed && !isPlaced) return row;
  return {
    ...row,
    ...(isNamed && { participant: filled(row.participant, participant) }),
    ...(isPlaced && { url }),
  };
}

const parts = ["name", "handle", "avatar_url"] as const;

function lacksWhat(known: Person, said: Person): boolean {
  return parts.some((part) => known[part] === null && said[part] !== null);
}

/** What was known stays: one message of a person may come with less than another. */
function filled(known: Person, said: Person): Person {
  const { id } = known;
  return {
    id,
    name: known.name ?? said.name,
    handle: known.handle ?? said.handle,
    avatar_url: known.avatar_url ?? said.avatar_url,
  };
}
