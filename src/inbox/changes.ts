import type { AnswerWindow, MessageFact, NewMessage } from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import { excerptOf } from "./excerpt.ts";
import { introduced, type NewRowPorts, newConversation, newMessage } from "./new-rows.ts";
import { opened } from "./opening.ts";
import { react } from "./reactions.ts";
import { withReceiptTimes } from "./receipts.ts";
import type { ConversationRow, InboxRow, MessageRow } from "./rows.ts";
import { afterThreadFact, isAboutThread, isOver, newerOf, type TimedThreadFact, waitingName } from "./thread-facts.ts";
import { type AnswersFact, answersIn, type TimedFact } from "./timed-fact.ts";
import { countsAsNews, withoutUnread } from "./unread.ts";

/** The stored rows that some updates are about. */
export interface Stored {
  inbox: InboxRow;
  /** By `Thread.key`. */
  conversations: ReadonlyMap<string, ConversationRow>;
  /** By `NewMessage.key`. */
  messages: ReadonlyMap<string, MessageRow>;
}

/** A row after the updates and before them; null: it is new. */
export interface Draft<Row> {
  row: Row;
  before: Row | null;
}

/** The changes of the stored rows. */
export interface Changes {
  conversations: Draft<ConversationRow>[];
  messages: Draft<MessageRow>[];
  /** Ids of messages that count as unread. */
  unreadSoFar: ReadonlySet<string>;
  /** Ids of conversations whose newest message was deleted. The store must be asked for the new newest one. */
  withoutLast: string[];
  /** Updates of messages and threads that are not stored yet; of a thread one of each kind. */
  pendingUpdates: TimedFact[];
}

export interface ApplyPorts extends NewRowPorts {
  /** The network's reply window. Absent: it accepts replies at any time. */
  window?: AnswerWindow | undefined;
}

/**
 * Applies updates to the rows. Pure, except for new ids. The newest of several updates of one thing wins; a deletion is
 * final.
 */
export function applyFacts(stored: Stored, facts: readonly TimedFact[], ports: ApplyPorts): Changes {
  const drafts = createDrafts(stored);
  const { conversations, messages, byId, draftOf, conversationDraft, keep, keepConversation } = drafts;
  const news = new Set<string>();
  const pending: TimedFact[] = [];
  const threadUpdates = new Map<string, TimedThreadFact>();
  const deleted = new Set(facts.flatMap((each) => (each.fact === "delete" ? [each.key] : [])));

  function conversationOf(fact: MessageFact & TimedFact): Draft<ConversationRow> {
    const { key } = fact.thread;
    const draft = conversationDraft(key);
    if (draft !== undefined) return draft;
    const row = newConversation(stored.inbox, fact, ports);
    byId.set(row.id, key);
    return { row, before: null };
  }

  /** A deleted message no longer counts as unread. */
  function withdraw(message: MessageRow): void {
    const draft = drafts.conversationAround(message);
    if (draft !== undefined) keepConversation(draft, withoutUnread(draft.row, message));
  }

  function insert(fact: MessageFact & TimedFact): void {
    const conversation = conversationOf(fact);
    const row = newMessage(conversation.row, fact, ports);
    const isNews = countsAsNews(row, stored.inbox) && !deleted.has(row.key);
    if (isNews) news.add(row.id);
    const counted = isNews ? withNews(conversation.row) : { ...conversation.row };
    row.private.unread_so_far = counted.private.unread_so_far;
    conversations.set(fact.thread.key, { ...conversation, row: counted });
    messages.set(row.key, { row, before: null });
    drafts.showLast(row);
  }

  function applyMessage(fact: MessageFact & TimedFact): void {
    const { message } = fact;
    const draft = draftOf(message.key);
    const { key, external_id, text, attachments } = message;
    introduce(fact);
    if (draft === undefined) insert(fact);
    else {
      const known = approved(key, timed(key, draft, message.sent_at), message);
      edit(key, known, fact.at, { external_id, text, attachments: [...attachments] });
    }
    openBy(fact);
  }

  /** Sets `reply_to` of the message `by`. */
  function applyAnswers(fact: AnswersFact & TimedFact): void {
    const answer = draftOf(fact.by);
    if (answer === undefined || answer.row.reply_to != null) return;
    const answered = draftOf(fact.key);
    if (answered === undefined) pending.push(fact);
    else keep(fact.by, answer, { reply_to: answered.row.id });
  }

  /** A user's message opens the reply window. */
  function openBy({ thread: { key }, message: { own, sent_at: at } }: MessageFact): void {
    const draft = conversationDraft(key);
    if (own || ports.window === undefined || draft?.row.kind !== "dm") return;
    keepConversation(draft, opened(draft.row, { at, hours: ports.window.openHours }));
  }

  /** Adds the participant or URL if it was unknown when the conversation was created. */
  function introduce({ thread }: MessageFact): void {
    const draft = conversationDraft(thread.key);
    if (draft !== undefined) keepConversation(draft, introduced(draft.row, thread));
  }

  /** An approval is final, so that an update that was read before it may arrive later. */
  function approved(key: string, draft: Draft<MessageRow>, { awaits_approval }: NewMessage): Draft<MessageRow> {
    if (!draft.row.awaits_approval || awaits_approval !== false) return draft;
    keep(key, draft, { awaits_approval });
    return messages.get(key) ?? draft;
  }

  /** Sets a reply's `sent_at` to the network's time, because receipts use the network's clock. */
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
    const isEdit = saysElse(row, said);
    const edited_at = isEdit ? isoTime(at) : row.edited_at;
    keep(key, draft, { ...said, edited_at, private: { ...row.private, said_at: at } });
  }

  function applyAbout(fact: Exclude<TimedFact, MessageFact | TimedThreadFact | AnswersFact>): void {
    const draft = draftOf(fact.key);
    if (draft === undefined) {
      pending.push(fact);
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
      // A message that arrived together with its deletion never counted.
      if (draft.before !== null && countsAsNews(row, stored.inbox)) withdraw(row);
    } else {
      const kind = drafts.conversationAround(row)?.row.kind;
      const change = kind === undefined ? null : react(row, fact, ports.reports.reactions[kind]);
      if (change !== null) keep(fact.key, draft, change);
    }
  }

  function applyToThread(fact: TimedThreadFact): void {
    const draft = conversationDraft(fact.thread);
    if (draft === undefined) {
      if (!isOver(fact, ports.now))
        threadUpdates.set(waitingName(fact), newerOf(fact, threadUpdates.get(waitingName(fact))));
      return;
    }
    keepConversation(draft, afterThreadFact(draft.row, fact));
  }

  /** Applies receipts to messages, including receipts that arrived before the message. */
  function stampReached(): void {
    const known = [...stored.messages].map(([key, row]) => [key, { row, before: row }] as const);
    for (const [key, draft] of new Map<string, Draft<MessageRow>>([...known, ...messages])) {
      const receipts = drafts.conversationAround(draft.row)?.row.private.receipts;
      const row = receipts === undefined ? draft.row : withReceiptTimes(draft.row, receipts);
      if (row !== draft.row) messages.set(key, { ...draft, row });
    }
  }

  for (const fact of facts) if (fact.fact === "message") applyMessage(fact);
  for (const fact of [...facts, ...facts.flatMap(answersIn)]) {
    if (isAboutThread(fact)) applyToThread(fact);
    else if (fact.fact === "answers") applyAnswers(fact);
    else if (fact.fact !== "message") applyAbout(fact);
  }
  stampReached();
  return {
    conversations: [...conversations.values()].filter(({ row, before }) => row !== before),
    messages: [...messages.values()].filter(({ row, before }) => row !== before),
    unreadSoFar: news,
    withoutLast: [...drafts.withoutLast],
    pendingUpdates: [...pending, ...threadUpdates.values()],
  };
}

/** The rows after the updates so far. */
function createDrafts(stored: Stored) {
  const conversations = new Map<string, Draft<ConversationRow>>();
  const messages = new Map<string, Draft<MessageRow>>();
  /** The keys of conversations, by the ids of their rows. */
  const byId = new Map([...stored.conversations.values()].map((row) => [row.id, row.key]));
  const withoutLast = new Set<string>();

  function draftOf(key: string): Draft<MessageRow> | undefined {
    const known = stored.messages.get(key);
    return messages.get(key) ?? (known === undefined ? undefined : { row: known, before: known });
  }

  function conversationDraft(key: string): Draft<ConversationRow> | undefined {
    const known = stored.conversations.get(key);
    return conversations.get(key) ?? (known === undefined ? undefined : { row: known, before: known });
  }

  /** The conversation of a message. */
  function conversationAround({ conversation_id }: MessageRow): Draft<ConversationRow> | undefined {
    const key = byId.get(conversation_id);
    return key === undefined ? undefined : conversationDraft(key);
  }

  function keep(key: string, draft: Draft<MessageRow>, change: Partial<MessageRow>): void {
    const row = { ...draft.row, ...change };
    messages.set(key, { ...draft, row });
    showLast(row);
  }

  /** @param row the object of `draft` if nothing has changed */
  function keepConversation(draft: Draft<ConversationRow>, row: ConversationRow): void {
    if (row !== draft.row) conversations.set(row.key, { ...draft, row });
  }

  /** Updates the conversation's `last_message` if the message is the newest. */
  function showLast(message: MessageRow): void {
    const draft = conversationAround(message);
    if (draft === undefined) return;
    if (message.deleted_at === null) keepConversation(draft, withMessage(draft.row, message));
    else if (message.id === draft.row.private.last_id) {
      withoutLast.add(draft.row.id);
      keepConversation(draft, withLast(draft.row, null));
    }
  }

  return {
    conversations,
    messages,
    byId,
    withoutLast,
    draftOf,
    conversationDraft,
    conversationAround,
    keep,
    keepConversation,
    showLast,
  };
}

/** True: the message already has these values. */
export function isSame(
  row: MessageRow,
  said: Partial<Pick<MessageRow, "external_id" | "text" | "attachments">>,
): boolean {
  const { external_id, text, attachments } = row;
  const now = { external_id, text, attachments };
  return JSON.stringify({ ...now, ...said }) === JSON.stringify(now);
}

/** True: the visible content differs. URLs are not compared, because networks return new ones for the same files. */
function saysElse(row: MessageRow, { text = row.text, attachments = row.attachments }: Partial<MessageRow>): boolean {
  const seen = (each: MessageRow["attachments"]) =>
    JSON.stringify(each.map(({ type, description }) => [type, description]));
  return text !== row.text || seen(attachments) !== seen(row.attachments);
}

/** The conversation after one of its messages was added or changed. The same object: `last_message` is unaffected. */
export function withMessage(conversation: ConversationRow, message: MessageRow): ConversationRow {
  const { last_id } = conversation.private;
  const isLast = last_id === null || message.id === last_id || isNewer(message, conversation);
  if (!isLast) return conversation;
  const { text, at } = conversation.last_message;
  const isShown = message.id === last_id && text === excerptOf(message.text ?? "") && at === message.sent_at;
  return isShown ? conversation : withLast(conversation, message);
}

/** The conversation with one more unread message, which also opens it. */
function withNews(conversation: ConversationRow): ConversationRow {
  const { unread_count, private: state } = conversation;
  return {
    ...conversation,
    unread_count: unread_count + 1,
    status: "open",
    private: { ...state, unread_so_far: state.unread_so_far + 1 },
  };
}

function isNewer(message: MessageRow, { last_at, private: { last_id } }: ConversationRow): boolean {
  return message.sent_at === last_at ? message.id > (last_id ?? "") : message.sent_at > last_at;
}

/** @param message the newest message that is not deleted; null: none is left */
export function withLast(conversation: ConversationRow, message: MessageRow | null): ConversationRow {
  const at = message?.sent_at ?? conversation.created_at;
  return {
    ...conversation,
    last_message: { text: excerptOf(message?.text ?? ""), at },
    last_at: at,
    private: { ...conversation.private, last_id: message?.id ?? null },
  };
}
