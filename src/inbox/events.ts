import { inboxEventNames, type ServiceEvents } from "../ports/events.ts";
import type { Changes, Draft } from "./changes.ts";
import { type ConversationRow, type MessageRow, toConversation, toMessage } from "./rows.ts";
import type { InboxEvent } from "./schema.ts";

type Told = Pick<Changes, "conversations" | "messages" | "unreadSoFar">;

/** Emits the events of stored changes. Without a listener it does nothing. */
export function emitChanges(changes: Told, events: Pick<ServiceEvents, "emit" | "isHeard">): void {
  if (!inboxEventNames.some(events.isHeard)) return;
  for (const event of eventsOf(changes)) events.emit(event);
}

function eventsOf({ conversations, messages, unreadSoFar }: Told): InboxEvent[] {
  const shown = new Map(conversations.map(({ row }) => [row.id, toConversation(row)]));
  const told = messages.map(({ row }): InboxEvent => {
    const conversation = unreadSoFar.has(row.id) ? shown.get(row.conversation_id) : undefined;
    if (conversation === undefined) return messageChanged(row);
    const payload = { account_id: row.account_id, conversation, message: toMessage(row) };
    return { name: "message.received", payload };
  });
  return [...conversations.filter(isChanged).map(({ row }) => conversationChanged(row)), ...told];
}

/** True: the conversation is new or its status has changed. Events of its messages cover other changes. */
function isChanged({ row, before }: Draft<ConversationRow>): boolean {
  return before === null || row.status !== before.status;
}

export function messageChanged(row: MessageRow): InboxEvent {
  return { name: "message.changed", payload: { account_id: row.account_id, message: toMessage(row) } };
}

export function conversationChanged(row: ConversationRow): InboxEvent {
  return {
    name: "conversation.changed",
    payload: { account_id: row.account_id, conversation: toConversation(row) },
  };
}
