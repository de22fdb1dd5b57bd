import type {
  AnswerWindow,
  Fact,
  InboxKind,
  InboxReports,
  MessageFact,
  NewMessage,
} from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { excerptOf } from "./excerpt.ts";
import { opened } from "./opening.ts";
import { react } from "./reactions.ts";
import { stamped } from "./receipts.ts";
import type { ConversationRow, InboxRow, MessageRow } from "./rows.ts";
import { afterThreadFact, isAboutThread, isOver, newerOf, type TimedThreadFact, waitingName } from "./thread-facts.ts";
import { countsAsNews, withoutUnread } from "./unread.ts";

/** The stored rows that some facts are about. */
export interface Stored {
  inbox: InboxRow;
  /** By `Thread.key`. */
  conversations: ReadonlyMap<string, ConversationRow>;
  /** By `NewMessage.key`. */
  messages: ReadonlyMap<string, MessageRow>;
}

/** A fact, and when it holds: by the network, else when it was read. Milliseconds. */
export type TimedFact = Fact & { at: number };

/** A row as it is to be, and as it was; null: it is new. */
export interface Draft<Row> {
  row: Row;
  before: Row | null;
}

/** What becomes of the stored rows. */
export interface Changes {
  conversations: Draft<ConversationRow>[];
  messages: Draft<MessageRow>[];
  /** Ids of messages that nobody has seen yet: they count as unread. */
  news: ReadonlySet<string>;
  /** Ids of conversations whose newest message was deleted: which one is the newest now, the store must tell. */
  withoutLast: string[];
  /** Facts about messages, and threads, that are not stored; of a thread one of each kind. */
  strays: TimedFact[];
}

export interface ApplyPorts {
  ids: Ids;
  /** The store's time, milliseconds. */
  now: number;
  reports: InboxReports;
  /** The network's. Absent: it takes answers at any time. */
  window?: AnswerWindow | undefined;
}

/**
 * What the facts make of the rows. Pure: it says the same each time but for
 * new ids. The newest of what is told twice wins; a deletion is final.
 */
export function applyFacts(stored: Stored, facts: readonly TimedFact[], ports: ApplyPorts): Changes {
  const conversations = new Map<string, Draft<ConversationRow>>();
  const byId = new Map([...stored.conversations.values()].map((row) => [row.id, row.key]));
  const messages = new Map<string, Draft<MessageRow>>();
  const news = new Set<string>();
  const withoutLast = new Set<string>();
  const strays: TimedFact[] = [];
  const threadStrays = new Map<string, TimedThreadFact>();
  const deleted = new Set(facts.flatMap((each) => (each.fact === "delete" ? [each.key] : [])));

  function draftOf(key: string): Draft<MessageRow> | undefined {
    const known = stored.messages.get(key);
    return messages.get(key) ?? (known === undefined ? undefined : { row: known, before: known });
  }

  function conversationOf(fact: MessageFact & TimedFact): Draft<ConversationRow> {
    const { key } = fact.thread;
    const draft = conversationDraft(key);
    if (draft !== undefined) return draft;
    const row = newConversation(stored.inbox, fact, ports);
    byId.set(row.id, key);
    return { row, before: null };
  }

  function keep(key: string, draft: Draft<MessageRow>, change: Partial<MessageRow>): void {
    const row = { ...draft.row, ...change };
    messages.set(key, { ...draft, row });
    showLast(row);
  }

  /** What a conversation shows of its newest message goes with that message. */
  function showLast(message: MessageRow): void {
    const key = byId.get(message.conversation_id);
    const draft = key === undefined ? undefined : conversationDraft(key);
    if (key === undefined || draft === undefined) return;
    if (message.deleted_at === null) {
      const row = withMessage(draft.row, message);
      if (row !== draft.row) conversations.set(key, { ...draft, row });
    } else if (message.id === draft.row.private.last_id) {
      withoutLast.add(draft.row.id);
      conversations.set(key, { ...draft, row: withLast(draft.row, null) });
    }
  }

  /** Nobody has to read it any more. */
  function withdraw(message: MessageRow): void {
    const key = byId.get(message.conversation_id);
    const draft = key === undefined ? undefined : conversationDraft(key);
    if (key === undefined || draft === undefined) return;
    const row = withoutUnread(draft.row, message);
    if (row !== draft.row) conversations.set(key, { ...draft, row });
  }

  function conversationDraft(key: string): Draft<ConversationRow> | undefined {
    const known = stored.conversations.get(key);
    return conversations.get(key) ?? (known === undefined ? undefined : { row: known, before: known });
  }

  function kindOf({ conversation_id }: MessageRow): InboxKind | undefined {
    const thread = byId.get(conversation_id);
    return thread === undefined ? undefined : conversationDraft(thread)?.row.kind;
  }

  function insert(fact: MessageFact & TimedFact): void {
    const conversation = conversationOf(fact);
    const row = newMessage(conversation.row, fact, ports);
    const isNews = countsAsNews(row, stored.inbox) && !deleted.has(row.key);
    if (isNews) news.add(row.id);
    const counted = isNews ? withNews(conversation.row) : { ...conversation.row };
    row.private.news = counted.private.news;
    conversations.set(fact.thread.key, { ...conversation, row: counted });
    messages.set(row.key, { row, before: null });
    showLast(row);
  }

  function applyMessage(fact: MessageFact & TimedFact): void {
    const { message } = fact;
    const draft = draftOf(message.key);
    const { key, external_id, text, attachments } = message;
    introduce(fact);
    if (draft === undefined) insert(fact);
    else edit(key, timed(key, draft, message.sent_at), fact.at, { external_id, text, attachments: [...attachments] });
    openBy(fact);
  }

  /** Whoever writes may be answered for a time. */
  function openBy({ thread: { key }, message: { own, sent_at: at } }: MessageFact): void {
    const draft = conversationDraft(key);
    if (own || ports.window === undefined || draft?.row.kind !== "dm") return;
    const row = opened(draft.row, { at, hours: ports.window.openHours });
    if (row !== draft.row) conversations.set(key, { ...draft, row });
  }

  /** Where nobody could tell who it was when the conversation was begun. */
  function introduce({ thread: { key, participant } }: MessageFact): void {
    const draft = conversationDraft(key);
    if (draft === undefined || participant.name === null) return;
    const { id, name } = draft.row.participant;
    if (name === null && id === participant.id)
      conversations.set(key, { ...draft, row: { ...draft.row, participant } });
  }

  /** An answer was sent when the network says: receipts go by its clock. */
  function timed(key: string, draft: Draft<MessageRow>, sentAt: number): Draft<MessageRow> {
    const { row } = draft;
    const { reply, is_timed } = row.private;
    if (reply === undefined || is_timed === true || row.deleted_at !== null) return draft;
    keep(key, draft, { sent_at: isoTime(sentAt), private: { ...row.private, is_timed: true } });
    return messages.get(key) ?? draft;
  }

  function edit(
    key: string,
    draft: Draft<MessageRow>,
    at: number,
    said: Partial<Pick<MessageRow, "external_id" | "text" | "attachments">>,
  ): void {
    const { row } = draft;
    const isOlder = at <= row.private.said_at;
    if (row.deleted_at !== null || isOlder || isSame(row, said)) return;
    const isEdit = !isSame(row, { ...said, external_id: row.external_id });
    const edited_at = isEdit ? isoTime(at) : row.edited_at;
    keep(key, draft, { ...said, edited_at, private: { ...row.private, said_at: at } });
  }

  function applyAbout(fact: Exclude<TimedFact, MessageFact | TimedThreadFact>): void {
    const draft = draftOf(fact.key);
    if (draft === undefined) {
      strays.push(fact);
      return;
    }
    const { row } = draft;
    if (row.deleted_at !== null) return;
    if (fact.fact === "edit") {
      const { text, attachments } = fact;
      edit(fact.key, draft, fact.at, { text, ...(attachments === undefined ? {} : { attachments: [...attachments] }) });
    } else if (fact.fact === "delete") {
      const reactions = row.reactions === null ? null : [];
      keep(fact.key, draft, { text: null, attachments: [], reactions, deleted_at: isoTime(fact.at) });
      // What came with its deletion never counted.
      if (draft.before !== null && countsAsNews(row, stored.inbox)) withdraw(row);
    } else {
      const kind = kindOf(row);
      const change = kind === undefined ? null : react(row, fact, ports.reports.reactions[kind]);
      if (change !== null) keep(fact.key, draft, change);
    }
  }

  function applyToThread(fact: TimedThreadFact): void {
    const draft = conversationDraft(fact.thread);
    if (draft === undefined) {
      if (!isOver(fact, ports.now))
        threadStrays.set(waitingName(fact), newerOf(fact, threadStrays.get(waitingName(fact))));
      return;
    }
    const row = afterThreadFact(draft.row, fact);
    if (row !== draft.row) conversations.set(fact.thread, { ...draft, row });
  }

  /** What receipts tell of messages, those that came before the message included. */
  function stampReached(): void {
    const known = [...stored.messages].map(([key, row]) => [key, { row, before: row }] as const);
    for (const [key, draft] of new Map<string, Draft<MessageRow>>([...known, ...messages])) {
      const thread = byId.get(draft.row.conversation_id);
      const receipts = thread === undefined ? undefined : conversationDraft(thread)?.row.private.receipts;
      const row = receipts === undefined ? draft.row : stamped(draft.row, receipts);
      if (row !== draft.row) messages.set(key, { ...draft, row });
    }
  }

  for (const fact of facts) if (fact.fact === "message") applyMessage(fact);
  for (const fact of facts) {
    if (isAboutThread(fact)) applyToThread(fact);
    else if (fact.fact !== "message") applyAbout(fact);
  }
  stampReached();
  return {
    conversations: [...conversations.values()].filter(({ row, before }) => row !== before),
    messages: [...messages.values()].filter(({ row, before }) => row !== before),
    news,
    withoutLast: [...withoutLast],
    strays: [...strays, ...threadStrays.values()],
  };
}

/** Nothing of this is new to the message. */
export function isSame(
  row: MessageRow,
  said: Partial<Pick<MessageRow, "external_id" | "text" | "attachments">>,
): boolean {
  const { external_id, text, attachments } = row;
  const now = { external_id, text, attachments };
  return JSON.stringify({ ...now, ...said }) === JSON.stringify(now);
}

/** The conversation after one of its messages has come, or changed. The same object: nothing of it is shown there. */
export function withMessage(conversation: ConversationRow, message: MessageRow): ConversationRow {
  const { last_id } = conversation.private;
  const isLast = last_id === null || message.id === last_id || isNewer(message, conversation);
  if (!isLast) return conversation;
  const { text, at } = conversation.last_message;
  const isShown = message.id === last_id && text === excerptOf(message.text ?? "") && at === message.sent_at;
  return isShown ? conversation : withLast(conversation, message);
}

/** One more that nobody has read: a closed conversation is open again. */
function withNews(conversation: ConversationRow): ConversationRow {
  const { unread_count, private: state } = conversation;
  return {
    ...conversation,
    unread_count: unread_count + 1,
    status: "open",
    private: { ...state, news: state.news + 1 },
  };
}

function isNewer(message: MessageRow, { last_at, private: { last_id } }: ConversationRow): boolean {
  return message.sent_at === last_at ? message.id > (last_id ?? "") : message.sent_at > last_at;
}

/** @param message the newest that is not deleted; null: none is left */
export function withLast(conversation: ConversationRow, message: MessageRow | null): ConversationRow {
  const at = message?.sent_at ?? conversation.created_at;
  return {
    ...conversation,
    last_message: { text: excerptOf(message?.text ?? ""), at },
    last_at: at,
    private: { ...conversation.private, last_id: message?.id ?? null },
  };
}

function newConversation(
  inbox: InboxRow,
  { thread, at }: MessageFact & TimedFact,
  { ids, now }: ApplyPorts,
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
    status: "open",
    unread_count: 0,
    last_message: { text: "", at: created_at },
    last_at: created_at,
    reply_until: null,
    seq: 0,
    created_at,
    private: { last_id: null, news: 0, ...(thread.referral !== null && { referred_at: at }) },
  };
}

function newMessage(
  conversation: ConversationRow,
  fact: MessageFact & TimedFact,
  { ids, now, reports }: ApplyPorts,
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
    author,
    author_id: author.id,
    sent_at: isoTime(sent_at),
    edited_at: edited_at === null ? null : isoTime(edited_at),
    deleted_at: null,
    delivered_at: null,
    read_at: null,
    reactions: reports.reactions[conversation.kind] === null ? null : [],
    due_at: null,
    seq: 0,
    idempotency_key: null,
    created_at: isoTime(now),
    private: { ref: ref ?? null, news: conversation.private.news, said_at: fact.at, reacted_at: {} },
  };
}
