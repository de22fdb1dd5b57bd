import type { Gap, InboxKind, Reply } from "../networks/contract/inbox.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { SubjectError, SubjectState } from "../sending/state.ts";
import type { Json } from "../wire/json.ts";
import { shownBy } from "../wire/shown.ts";
import type { ClaimableRow } from "../work/lease.ts";
import { type Conversation, conversationSchema, type InboxMessage, messageSchema } from "./schema.ts";

/** A profile's inbox as stored: what its holder reads next, and the number of its last change. */
export type InboxRow = {
  account_id: string;
  profile_id: string;
  network: NetworkId;
  external_id: string;
  app_id: string | null;
  /** Rises by one with every row of the inbox that is written: changes are read in this order. */
  seq: number;
  /** When `seq` last rose, milliseconds, the store's time. */
  changed_at: number;
  created_at: string;
  private: InboxState;
} & ClaimableRow;

export interface InboxState {
  /** What was sent before this is no news, milliseconds. */
  connected_at: number;
  /** By how much the clock that dates messages was behind the store's then, milliseconds. Absent: it was not. */
  behind_ms?: number;
  /** By the source's name. */
  sources: Record<string, SourceState>;
  /** Absent: the network was never asked to send. */
  hooks?: HookState;
  /** Of which times something may be missing, the newest last. Absent: of none. */
  gaps?: Gap[];
  /** Its lists are left alone until then, milliseconds, the store's time. Absent: they never were. */
  rests_until?: number;
  /** Nothing waits for its message after this, milliseconds, the store's time. */
  pending_updates_until: number;
}

/** What is known of the network's own messages to us. */
export interface HookState {
  /** When the network is asked next whether it sends, milliseconds. */
  due_at: number;
  /** It last said yes, milliseconds; null: not yet. */
  subscribed_at: number | null;
  /** When it last said yes, whatever it said since, milliseconds. Absent: not yet. */
  confirmed_at?: number;
  /** Since when it may have sent nothing, milliseconds. Absent: it sends, or never did. */
  lost_since?: number;
  /** The last that it sent was taken in, milliseconds; null: none yet. */
  received_at: number | null;
  /** A list last showed what it should have sent, milliseconds; null: never. */
  missed_at: number | null;
  /** Why it could not be asked, for humans; null: it could. */
  failure: string | null;
  /** How often in a row. */
  failures: number;
}

/** How far a source was read. */
export interface SourceState {
  cursor: Json;
  /** The next look, milliseconds. */
  due_at: number;
  /** From one look to the next, milliseconds. */
  every_ms: number;
  /** The last look that read all there was, milliseconds; null: none yet. */
  read_at: number | null;
  /** Why the last look failed, for humans; null: it did not. */
  failure: string | null;
  /** How often in a row. */
  failures: number;
}

export type ConversationRow = Conversation & {
  account_id: string;
  /** `Thread.key`. */
  key: string;
  /** `last_message.at`. */
  last_at: string;
  /** The inbox's number of its last change; every change compares it. */
  seq: number;
  private: {
    /** The newest message that is not deleted; null: none is left. */
    last_id: string | null;
    /** How many messages have counted as unread since it was begun. */
    unread_so_far: number;
    /** `unread_so_far` of those that were deleted since before anybody read them; they do not count. Absent: none. */
    gone?: number[];
    /** Absent: the network told of none. */
    receipts?: Receipts;
    /** When `referral` was so, milliseconds. Absent: there is none, or it is not known. */
    referred_at?: number;
  };
};

/** How far what the account wrote in a conversation has come. */
export interface Receipts {
  delivered?: Watermark;
  read?: Watermark;
}

export interface Watermark {
  /** All that was sent until then, milliseconds. */
  until: number;
  /** When that was so, milliseconds. */
  at: number;
}

export type MessageRow = InboxMessage & {
  /** Empty: the network gives none, or has not yet. */
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
    /** Of an answer that was given here. Absent: it came from the network. */
    reply?: ReplyState;
    /** True: `sent_at` of the answer is the network's. Absent: of an answer, it is ours. */
    is_timed?: true;
    /** `unread_so_far` of its conversation when it had come. */
    unread_so_far: number;
    /** When what it says was so, milliseconds; the network's time, or ours where it does not tell. */
    said_at: number;
    /** When each person's reactions were so, by person and emoji; of all together, under "". */
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
