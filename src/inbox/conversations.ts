import { retryConflicts } from "../storage/conflict-retry.ts";
import { findPage, type ListQuery } from "../storage/find-page.ts";
import type { Where } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { CursorPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import { conversationChanged } from "./events.ts";
import type { AnswerPorts } from "./ports.ts";
import { type Replied, replyTo } from "./reply.ts";
import { type ConversationRow, inboxIdOf, type MessageRow, toConversation, toMessage } from "./rows.ts";
import {
  type Conversation,
  type CreateReply,
  type InboxMessage,
  type ListConversations,
  type ListMessages,
  listConversationsSchema,
  listMessagesSchema,
  type MarkRead,
  markReadSchema,
  replySchema,
  type UpdateConversation,
  updateConversationSchema,
} from "./schema.ts";
import { readUpTo } from "./unread.ts";

/** The conversations of an account's profiles. */
export interface Conversations {
  /**
   * Lists conversations, the one with the newest message first. Paging with `cursor` instead of `offset` returns each
   * conversation once, except those whose newest message changes meanwhile: a new message moves a conversation before
   * the pages already read, and the deletion of its newest message can move it further down. Use `inbox.changes` to
   * follow them.
   */
  list(query?: ListConversations): Promise<CursorPage<Conversation>>;
  /** Returns a conversation's current state. @throws SocialError `not_found` */
  get(id: string): Promise<Conversation>;
  /** Lists messages, the newest first. `unread_count` does not change. @throws SocialError `not_found` */
  messages(id: string, query?: ListMessages): Promise<CursorPage<InboxMessage>>;
  /**
   * Replies on the account's behalf to the newest message of another user, or to the one that `reply_to` names. A reply
   * that cannot be sent within 20 s is not sent.
   *
   * @throws SocialError `publish_failed` with the network's reason if nothing was sent. With `timeout` as a detail's
   * code, the reply may have been sent, and the service still checks. `conflict` if the outcome cannot be determined
   */
  reply(id: string, body: CreateReply): Promise<InboxMessage>;
  /** As `reply`; also returns whether the key was used before. */
  replyOrReplay(id: string, body: CreateReply): Promise<Replied>;
  /**
   * Closes or opens a conversation. It stays open if a message arrives concurrently.
   *
   * @throws SocialError `not_found`
   */
  update(id: string, body: UpdateConversation): Promise<Conversation>;
  /** Marks messages up to `through` as read in `unread_count`. @throws SocialError `not_found` */
  markRead(id: string, body?: MarkRead): Promise<Conversation>;
}

/** Maximum number of times that a conversation may change between reading and writing. */
const maxConflicts = 20;

export function createConversations(ports: AnswerPorts, accountId: string): Conversations {
  const { storage } = ports;

  async function read(id: string): Promise<ConversationRow> {
    const row = await storage.get("conversations", id);
    const conversation = row === null ? null : fromRow<ConversationRow>(row);
    if (conversation?.account_id === accountId) return conversation;
    throw new SocialError("not_found", "This account has no such conversation.");
  }

  /** Writes the fields that `changed` returns, with the inbox's next `seq`; null: writes nothing. */
  function change(
    id: string,
    changed: (row: ConversationRow) => Partial<ConversationRow> | null,
  ): Promise<Conversation> {
    const attempt = async (): Promise<Conversation> => {
      const row = await read(id);
      const fields = changed(row);
      if (fields === null) return toConversation(row);
      const inboxId = inboxIdOf(row.profile_id);
      const [inbox, changed_at] = await Promise.all([storage.get("inboxes", inboxId), storage.now()]);
      const before = Number(inbox?.seq ?? 0);
      const written = { ...row, ...fields, seq: before + 1 };
      const { id: _, ...stored } = written;
      await storage.write([
        {
          kind: "update",
          collection: "inboxes",
          id: inboxId,
          change: { seq: before + 1, changed_at },
          where: { seq: before },
        },
        { kind: "update", collection: "conversations", id, change: toChange(stored), where: { seq: row.seq } },
      ]);
      ports.events.emit(conversationChanged(written));
      return toConversation(written);
    };
    return retryConflicts(attempt, { max: maxConflicts });
  }

  async function readMessage(conversation: ConversationRow, id: string): Promise<MessageRow> {
    const row = await storage.get("messages", id);
    const message = row === null ? null : fromRow<MessageRow>(row);
    if (message?.conversation_id === conversation.id) return message;
    const wrong = "This conversation has no such message.";
    throw new SocialError("invalid_request", wrong, { details: [{ field: "through", message: wrong }] });
  }

  const replyOrReplay = async (id: string, body: CreateReply): Promise<Replied> =>
    replyTo(ports, await read(id), parseInput(replySchema, body));

  return {
    reply: async (id, body) => (await replyOrReplay(id, body)).message,
    replyOrReplay,
    async list(query = {}) {
      const { limit, offset, cursor, ...filters } = parseInput(listConversationsSchema, query);
      const wanted: ListQuery = {
        where: { account_id: accountId, ...whereOf(filters) },
        order: { column: "last_at", direction: "desc" },
      };
      const { rows, pagination } = await findPage(storage, "conversations", wanted, { limit, offset, cursor });
      if (rows.length === 0) ports.onEmptyList();
      return { data: rows.map((row) => toConversation(fromRow(row))), pagination };
    },
    get: async (id) => toConversation(await read(id)),
    async messages(id, query = {}) {
      const page = parseInput(listMessagesSchema, query);
      await read(id);
      const wanted: ListQuery = {
        where: { conversation_id: id, state: "live" },
        order: { column: "sent_at", direction: "desc" },
      };
      const { rows, pagination } = await findPage(storage, "messages", wanted, page);
      return { data: rows.map((row) => toMessage(fromRow(row))), pagination };
    },
    async update(id, body) {
      const { status } = parseInput(updateConversationSchema, body);
      const { unread_so_far } = (await read(id)).private;
      return change(id, (row) => {
        const isOvertaken = status === "closed" && row.private.unread_so_far > unread_so_far;
        return row.status === status || isOvertaken ? null : { status };
      });
    },
    async markRead(id, body = {}) {
      const { through } = parseInput(markReadSchema, body);
      const last = through === undefined ? null : await readMessage(await read(id), through);
      return change(id, (row) => {
        const read = readUpTo(row, last);
        return row.unread_count === read.unread_count ? null : read;
      });
    },
  };
}

type Filters = Omit<ReturnType<typeof listConversationsSchema.parse>, "limit" | "offset" | "cursor">;

function whereOf({ status, kind, network, profile_id, participant_id, unread }: Filters): Where {
  return {
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind: { in: kind } }),
    ...(network === undefined ? {} : { network: { in: network } }),
    ...(profile_id === undefined ? {} : { profile_id }),
    ...(participant_id === undefined ? {} : { participant_id }),
    ...(unread === undefined ? {} : { unread_count: unread ? { gte: 1 } : 0 }),
  };
}
