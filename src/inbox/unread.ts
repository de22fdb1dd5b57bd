import { connectedThere } from "./network-clock.ts";
import type { ConversationRow, InboxRow, MessageRow } from "./rows.ts";

/**
 * Maximum number of deleted messages that a conversation remembers, so that a partial `markRead` does not count them.
 */
const maxGone = 500;

/** True: another user wrote the message after the profile was connected, so it counts as unread. */
export function countsAsNews({ direction, sent_at }: MessageRow, inbox: InboxRow): boolean {
  return direction === "inbound" && Date.parse(sent_at) >= connectedThere(inbox.private);
}

/** The conversation after a message that counted as unread was deleted. The same object: it was read before. */
export function withoutUnread(conversation: ConversationRow, message: MessageRow): ConversationRow {
  const { unread_count, private: state } = conversation;
  const { gone = [] } = state;
  const newsRead = state.unread_so_far - unread_count - gone.length;
  if (unread_count === 0 || message.private.unread_so_far <= newsRead) return conversation;
  return {
    ...conversation,
    unread_count: unread_count - 1,
    private: { ...state, gone: [...gone, message.private.unread_so_far].slice(-maxGone) },
  };
}

/** The changed fields of a conversation that was read up to a message; null: to its end. */
export function readUpTo(
  { unread_count, private: state }: ConversationRow,
  last: MessageRow | null,
): Pick<ConversationRow, "unread_count" | "private"> {
  const { gone: before = [], ...others } = state;
  if (last === null) return { unread_count: 0, private: others };
  const { unread_so_far } = last.private;
  const gone = before.filter((each) => each > unread_so_far);
  const left = state.unread_so_far - unread_so_far - gone.length;
  if (left >= unread_count) return { unread_count, private: state };
  return { unread_count: left, private: { ...others, ...(gone.length > 0 && { gone }) } };
}
