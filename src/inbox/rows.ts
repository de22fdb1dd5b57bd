import type { Gap, InboxKind, Reply } from "../networks/contract/inbox.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { SubjectError, SubjectState } from "../sending/state.ts";
import type { Json } from "../wire/json.ts";
import { shownBy } from "../wire/shown.ts";
import type { ClaimableRow } from "../work/lease.ts";
import { type Conversation, conversationSchema, type InboxMessage, messageSchema } from "./schema.ts";

/** A profile's inbox as stored: which lists are read next, and the number of its last change. */
export type InboxRow = {
  account_id: string;
  profile_id: string;
  network: NetworkId;
  external_id: string;
  app_id: string | null;
  /** Rises by one with every written row of the inbox. Readers follow changes in this order. */
  seq: number;
  /** When `seq` last rose, milliseconds, the store's time. */
  changed_at: number;
  created_at: string;
  private: InboxState;
} & ClaimableRow;

export interface InboxState {
  /** Messages sent before this time are not new, milliseconds. */
  connected_at: number;
  /** How far the network's clock was behind the store's at that time, milliseconds. Absent: not behind. */
  behind_ms?: number;
  /** By the source's name. */
  sources: Record<string, SourceState>;
  /** The subscription to the network's webhooks. Absent: never requested. */
  hooks?: HookState;
  /** Periods from which messages may be missing, the newest last. Absent: none. */
  gaps?: Gap[];
  /** Polling pauses until this time, milliseconds, the store's time. Absent: it never paused. */
  rests_until?: number;
  /** What the lists have taken from the network's budgets, by the budget's name. Absent: nothing yet. */
  budgets?: Record<string, BudgetState>;
  /** No update waits for its message after this time, milliseconds, the store's time. */
  pending_updates_until: number;
}

/** The subscription to a network's webhooks. */
export interface HookState {
  /** When the subscription is next checked on the network, milliseconds. */
  due_at: number;
  /** When the network last confirmed it; null: not subscribed. Milliseconds. */
  subscribed_at: number | null;
  /** When the network last confirmed it, even if it was lost since, milliseconds. Absent: never. */
  confirmed_at?: number;
  /** Start of the time without a confirmed subscription, milliseconds. Absent: it is confirmed, or never was. */
  lost_since?: number;
  /** When the last webhook was processed, milliseconds; null: none yet. */
  received_at: number | null;
  /** When a list last showed a message that no webhook had brought, milliseconds; null: never. */
  missed_at: number | null;
  /** Why the last check failed, for humans; null: it succeeded. */
  failure: string | null;
  /** Failed checks in a row. */
  failures: number;
  /** Encrypted secrets of a subscription that has its own, the newest first. Absent: none. */
  secrets?: string[];
  /** Encrypted `HookSubscription.byHand`. Absent: nothing is set by hand. */
  by_hand?: string;
  /** A subscription is being made, whose secret may be stored only after its first webhook, milliseconds. Absent: none is. */
  subscribing_until?: number;
}

/** What an inbox's lists have taken from a budget. */
export interface BudgetState {
  /** The beginning of the budget's window, milliseconds. */
  from: number;
  /** Units, in this window. */
  spent: number;
  /** The lists wait for the budget until this time, milliseconds. Absent: they do not. */
  rests_until?: number;
}

/** How far a list was read. */
export interface SourceState {
  cursor: Json;
  /** When the next read is due, milliseconds. */
  due_at: number;
  /** Time between two reads, milliseconds. */
  every_ms: number;
  /** When the list was last read to its end, milliseconds; null: not yet. */
  read_at: number | null;
  /** Why the last read failed, for humans; null: it succeeded. */
  failure: string | null;
  /** Failed reads in a row. */
  failures: number;
}

export type ConversationRow = Conversation & {
  account_id: string;
  /** `Thread.key`. */
  key: string;
  /** `participant.id`. */
  participant_id: string;
  /** `last_message.at`. */
  last_at: string;
  /** The inbox's `seq` at its last change; every write compares it. */
  seq: number;
  private: {
    /** The newest message that is not deleted; null: none is left. */
    last_id: string | null;
    /** Messages that have counted as unread since the conversation began. */
    unread_so_far: number;
    /** `unread_so_far` of messages that were deleted before they were read; they do not count. Absent: none. */
    gone?: number[];
    /** Absent: the network has sent none. */
    receipts?: Receipts;
    /** The time of `referral`, milliseconds. Absent: no referral, or its time is unknown. */
    referred_at?: number;
  };
};

/** Which of the account's own messages in a conversation were delivered and read. */
export interface Receipts {
  delivered?: Watermark;
  read?: Watermark;
}

export interface Watermark {
  /** It applies to all messages sent until this time, milliseconds. */
  until: number;
  /** When the network reported it, milliseconds. */
  at: number;
}

export type MessageRow = InboxMessage & {
  /** Empty: the network has returned no id, or not yet. */
  external_id: string;
  account_id: string;
  profile_id: string;
  /** `NewMessage.key`. */
  key: string;
  state: MessageStatus;
  author_id: string | null;
  due_at: number | null;
  seq: number;
  idempotency_key: string | null;
  created_at: string;
  private: {
    /** `NewMessage.ref`; null: there is none. */
    ref: Json;
    /** For a reply sent by this service. Absent: the message came from the network. */
    reply?: ReplyState;
    /** For a reply: true if `sent_at` is the network's time. Absent: it is ours. */
    is_timed?: true;
    /** `unread_so_far` of its conversation after it arrived. */
    unread_so_far: number;
    /** The time of its content, milliseconds: the network's, or ours if the network does not report it. */
    said_at: number;
    /** The time of each reaction, by person and emoji; under "" that of a report of all of them. */
    reacted_at: Record<string, number>;
  };
};

/**
 * Shown are those that are `live`. The others are answers that were given here:
 *
 * - `open`: on its way
 * - `failed`: certainly not sent
 * - `undecided`: it may have been sent; nobody can tell
 * - `merged`: sent, and read from the network meanwhile: that row is shown
 */
type MessageStatus = "live" | "open" | "failed" | "undecided" | "merged";

/**
 * Holds of this try of a reply alone, since each is dated anew. A process may write late, when the try that it read has
 * failed and another one is on its way.
 */
export function thisTry({ state, sent_at }: MessageRow): { state: MessageStatus; sent_at: string } {
  return { state, sent_at };
}

/** What is known of an answer besides what it shows. */
export interface ReplyState extends SubjectState {
  /** What it answers, as it was when the answer was given. */
  to: Reply["to"];
  kind: InboxKind;
  /** Who wrote it. */
  by: Reply["by"];
  /** `Reply.isOpen` when it was given. */
  is_open: boolean;
  /** Nothing is sent after this, milliseconds. */
  send_until: number;
  /** Why it was not sent, or is not known to have been; null: neither. */
  error: SubjectError | null;
  /** The row that is shown in its place; absent: its own. */
  merged_into?: string;
  /** When it was last found that nobody can tell whether it was sent, milliseconds, the store's time. Absent: never. */
  undecided_at?: number;
}

/** What came before the message, or the thread, that it is about: kept until that comes. */
export interface PendingUpdateRow {
  id: string;
  inbox_id: string;
  /** A message's key, or `threadName` of a thread's. */
  about: string;
  /** Of the fact; about a thread, of its kind: one of each waits. */
  digest: string;
  created_at: string;
  private: { fact: Json };
}

/** Something that a network has sent, until it is taken in; its id stays for longer, since it may be sent again. */
export interface HookEventRow {
  id: string;
  inbox_id: string;
  /** `HookEvent.id`. */
  event_id: string;
  /** `aside`: nobody here could read it. */
  state: "new" | "done" | "aside";
  created_at: string;
  private: {
    /** `HookEvent.body`; null: it is taken in. */
    body: Json;
    /** How often it could not be read. */
    failures: number;
  };
}

/** Each profile has one inbox, so that one id tells the other. */
export function inboxIdOf(profileId: string): string {
  return `inb_${profileId.replace(/^prof_/, "")}`;
}

export const toConversation: (row: ConversationRow) => Conversation = shownBy(conversationSchema);

const showMessage = shownBy(messageSchema);

export function toMessage(row: MessageRow): InboxMessage {
  const shown = showMessage(row);
  if (shown.external_id === "") delete shown.external_id;
  return shown;
}
