import {
  type CreateReply,
  changesSchema,
  conversationSchema,
  inboxStatusSchema,
  type ListChanges,
  type ListConversations,
  type ListMessages,
  type ListStatus,
  listChangesSchema,
  listConversationsSchema,
  listMessagesSchema,
  listStatusSchema,
  type MarkRead,
  markReadSchema,
  messageSchema,
  replySchema,
  type UpdateConversation,
  updateConversationSchema,
} from "../inbox/schema.ts";
import { shownBy } from "../wire/shown.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import type { Call, Route } from "./route.ts";
import { paged, reads } from "./route-kinds.ts";

const conversationPath = "/v1/inbox/conversations/{conversationId}";

/** Routes of conversations and of inbox statuses. */
export const inboxRoutes: readonly Route[] = [
  {
    ...inbox(
      "/v1/inbox/conversations",
      "listConversations",
      "List conversations, the one with the newest message first",
    ),
    query: listConversationsSchema,
    data: conversationSchema,
    isList: true,
    run: async ({ modules, query }: Call<ListConversations, never>) =>
      paged(await modules.inbox.conversations.list(query)),
  },
  {
    ...inbox(conversationPath, "getConversation", "Retrieve a conversation"),
    data: conversationSchema,
    errors: ["not_found"],
    run: async ({ modules, id }: Call<never, never>) => ({ data: await modules.inbox.conversations.get(id) }),
  },
  {
    ...inbox(conversationPath, "updateConversation", "Close or reopen a conversation"),
    method: "PATCH",
    body: { schema: updateConversationSchema, isRequired: true, example: { status: "closed" } },
    data: conversationSchema,
    errors: ["not_found"],
    run: async ({ modules, id, body }: Call<never, UpdateConversation>) => ({
      data: await modules.inbox.conversations.update(id, body),
    }),
  },
  {
    ...inbox(`${conversationPath}/messages`, "listMessages", "List the messages of a conversation, newest first"),
    query: listMessagesSchema,
    data: messageSchema,
    isList: true,
    errors: ["not_found"],
    run: async ({ modules, id, query }: Call<ListMessages, never>) =>
      paged(await modules.inbox.conversations.messages(id, query)),
  },
  {
    ...inbox(`${conversationPath}/messages`, "reply", "Reply in a conversation, as the connected account"),
    method: "POST",
    bucket: "publish",
    body: { schema: replySchema, isRequired: true, example: { text: "We do: four days, no customs." } },
    status: 201,
    data: messageSchema,
    errors: ["not_found", "conflict", "publish_failed"],
    replay: "The key was used before: the existing reply in its current state.",
    async run({ modules, id, body, headers }: Call<never, CreateReply>) {
      const keyed = { ...body, ...idempotencyKey(body, headers) };
      const { message, replayed } = await modules.inbox.conversations.replyOrReplay(id, keyed);
      return replayed ? { data: message, status: 200, headers: { "Idempotent-Replay": "true" } } : { data: message };
    },
  },
  {
    ...inbox(`${conversationPath}/read`, "markRead", "Mark a conversation read"),
    method: "POST",
    body: { schema: markReadSchema, isRequired: false, example: {} },
    data: conversationSchema,
    errors: ["not_found"],
    run: async ({ modules, id, body }: Call<never, MarkRead>) => ({
      data: await modules.inbox.conversations.markRead(id, body),
    }),
  },
  {
    ...inbox("/v1/inbox/changes", "listInboxChanges", "List an inbox's changes since the last call"),
    query: listChangesSchema,
    data: changesSchema,
    errors: ["not_found", "unsupported"],
    run: async ({ modules, query }: Call<ListChanges, never>) => ({ data: await modules.inbox.changes(query) }),
  },
  {
    ...inbox("/v1/inbox/status", "listInboxStatus", "Retrieve how far each inbox was read, and errors"),
    query: listStatusSchema,
    data: inboxStatusSchema,
    isList: true,
    run: async ({ modules, query }: Call<ListStatus, never>) => {
      const { data, pagination } = await modules.inbox.status(query);
      return paged({ data: data.map(showStatus), pagination });
    },
  },
];

/** Without what only the host is shown. */
const showStatus = shownBy(inboxStatusSchema);

function inbox(path: string, operation: string, summary: string) {
  return { ...reads(path, operation, summary), scope: "inbox" } as const;
}
