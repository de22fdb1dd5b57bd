import type { ConversationRow, MessageRow } from "../../src/inbox/rows.ts";

/** A conversation as it is stored. */
export function conversationRow(id: string, ms: number): ConversationRow {
  const at = new Date(ms).toISOString();
  return {
    id,
    account_id: "default",
    profile_id: "prof_1",
    network: "facebook",
    kind: "dm",
    status: "open",
    key: "dm:0",
    participant_id: "4001",
    unread_count: 1,
    last_at: at,
    seq: 1,
    created_at: at,
    profile_external_id: "1",
    external_id: "4001",
    participant: { id: "4001", name: "Ann Lee", handle: null, avatar_url: null },
    url: null,
    reply_until: null,
    referral: null,
    last_message: { text: "Do you ship to Norway?", at },
    private: { last_id: "msg_0", unread_so_far: 1 },
  };
}

/** A message in it. */
export function messageRow(conversation: ConversationRow, ms: number): MessageRow {
  const at = new Date(ms).toISOString();
  return {
    id: "msg_0",
    account_id: "default",
    profile_id: "prof_1",
    conversation_id: conversation.id,
    key: "dm:m_0",
    external_id: "m_0",
    direction: "inbound",
    state: "live",
    text: "Do you ship to Norway?",
    attachments: [],
    author: { id: "4001", name: "Ann Lee" },
    author_id: "4001",
    sent_at: at,
    edited_at: null,
    deleted_at: null,
    reply_to: null,
    delivered_at: null,
    read_at: null,
    reactions: null,
    awaits_approval: false,
    due_at: null,
    seq: 1,
    idempotency_key: null,
    created_at: at,
    private: { ref: null, unread_so_far: 1, said_at: ms, reacted_at: {} },
  };
}
