import * as z from "zod";
import type { HookSetup } from "../networks/contract/hooks.ts";
import { networkId } from "../networks/contract/network-id.ts";
import type { EventsOf } from "../ports/events.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type CursorPageQuery, cursorPageSchema, manyOf, type PageQuery, pageSchema } from "../wire/pagination.ts";
import { storableText } from "../wire/parse.ts";
import { maxExcerpt } from "./excerpt.ts";

const kinds = ["dm", "comment", "mention"] as const;
const statuses = ["open", "closed"] as const;

const participantSchema = documentedAnswer({
  /** Their id on the network; for a group, the thread's id; empty once erased. */
  id: z.string().describe("Their id on the network; for a group, the thread's id; empty once erased."),
  /** Their display name. */
  name: z.string().nullable().describe("Their display name."),
  /** Their handle on the network. */
  handle: z.string().nullable().describe("Their handle on the network."),
  /** URL of their avatar, on the network. */
  avatar_url: z.string().nullable().describe("URL of their avatar, on the network."),
});

export const conversationSchema = documentedAnswer({
  /** `cnv_…`. */
  id: z.string().describe("`cnv_…`."),
  /** The profile that it belongs to. */
  profile_id: z.string().describe("The profile that it belongs to."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** `dm`: private · `comment`: under a post of the account's own, public · `mention`: elsewhere, public. */
  kind: z
    .enum(kinds)
    .describe("`dm`: private · `comment`: under a post of the account's own, public · `mention`: elsewhere, public."),
  /** A new message opens a closed one. */
  status: z.enum(statuses).describe("A new message opens a closed one."),
  /** Messages received since it was last marked read. */
  unread_count: z.int().describe("Messages received since it was last marked read."),
  /** The newest message that is not deleted. */
  last_message: documentedAnswer({
    /**
     * Its first 500 UTF-16 units at most, cut between whole characters; empty if it has only attachments or was
     * deleted.
     */
    text: z
      .string()
      .max(maxExcerpt)
      .describe(
        "Its first 500 UTF-16 units at most, cut between whole characters; empty if it has only attachments or was deleted.",
      ),
    /** When it was sent. */
    at: z.iso.datetime().describe("When it was sent."),
  }).describe("The newest message that is not deleted."),
  /** The account's own id on the network. */
  profile_external_id: z.string().describe("The account's own id on the network."),
  /** The thread's id on the network. */
  external_id: z.string().describe("The thread's id on the network."),
  /** The person who started it. */
  participant: participantSchema.describe("The person who started it."),
  /** URL of it on the network; null: it has none. */
  url: z.string().nullable().describe("URL of it on the network; null: it has none."),
  /** How it started, if the network reports it. */
  referral: z.record(z.string(), z.json()).nullable().describe("How it started, if the network reports it."),
  /**
   * The network's deadline for replies, estimated from the person's known activity; null: no deadline, or unknown. The
   * service does not enforce it: the network decides.
   */
  reply_until: z.iso
    .datetime()
    .nullable()
    .describe(
      "The network's deadline for replies, estimated from the person's known activity; null: no deadline, or unknown. The service does not enforce it: the network decides.",
    ),
  /** When the service first received it. */
  created_at: z.iso.datetime().describe("When the service first received it."),
}).meta({ id: "Conversation" });

/** A thread of messages. */
export type Conversation = z.infer<typeof conversationSchema>;

const reactionSchema = documentedAnswer({
  /** The person who reacted; null if the network reports only counts. */
  from: z.string().nullable().describe("The person who reacted; null if the network reports only counts."),
  /** The emoji or name of the reaction. */
  emoji: z.string().nullable().describe("The emoji or name of the reaction."),
});

export const messageSchema = documentedAnswer({
  /** `msg_…`. */
  id: z.string().describe("`msg_…`."),
  /** The conversation that it belongs to. */
  conversation_id: z.string().describe("The conversation that it belongs to."),
  /** Its id on the network. Absent: the network provides none. */
  external_id: z.string().optional().describe("Its id on the network. Absent: the network provides none."),
  /** `outbound`: the account wrote it, by this service or in the network's own app. */
  direction: z
    .enum(["inbound", "outbound"])
    .describe("`outbound`: the account wrote it, by this service or in the network's own app."),
  /** Null if it has none, or was deleted. */
  text: z.string().nullable().describe("Null if it has none, or was deleted."),
  /**
   * Files, links and other attachments: a `type`, the `url` on the network (or null), and further fields from the
   * network. `unsupported`: the network does not expose it through its API.
   */
  attachments: z
    .array(z.record(z.string(), z.json()))
    .describe(
      "Files, links and other attachments: a `type`, the `url` on the network (or null), and further fields from the network. `unsupported`: the network does not expose it through its API.",
    ),
  /** The message that it replies to; null: unknown, or not stored. */
  reply_to: z.string().nullable().describe("The message that it replies to; null: unknown, or not stored."),
  /** Its author. */
  author: documentedAnswer({
    /** Their id on the network; null: unknown, or erased. */
    id: z.string().nullable().describe("Their id on the network; null: unknown, or erased."),
    /** Their display name. */
    name: z.string().nullable().describe("Their display name."),
  }).describe("Its author."),
  /** By the network. */
  sent_at: z.iso.datetime().describe("By the network."),
  /** The last edit. */
  edited_at: z.iso.datetime().nullable().describe("The last edit."),
  /** When its sender deleted it: the message stays, without its text and files. */
  deleted_at: z.iso
    .datetime()
    .nullable()
    .describe("When its sender deleted it: the message stays, without its text and files."),
  /** For outbound messages, if the network reports it. */
  delivered_at: z.iso.datetime().nullable().describe("For outbound messages, if the network reports it."),
  /** For outbound messages, if the network reports it. */
  read_at: z.iso.datetime().nullable().describe("For outbound messages, if the network reports it."),
  /** Its current reactions; null on networks that report none. */
  reactions: z.array(reactionSchema).nullable().describe("Its current reactions; null on networks that report none."),
  /** It is hidden from others until the account's owner approves it on the network. */
  awaits_approval: z
    .boolean()
    .describe("It is hidden from others until the account's owner approves it on the network."),
}).meta({ id: "InboxMessage" });

/** One message of a conversation. */
export type InboxMessage = z.infer<typeof messageSchema>;

const conversationFilters = documentedObject({
  /** Only conversations in this status. */
  status: z.enum(statuses).optional().describe("Only conversations in this status."),
  /** Only conversations of these kinds: one, or several. */
  kind: manyOf(z.enum(kinds)).optional().describe("Only conversations of these kinds: one, or several."),
  /** Only conversations on these networks: one, or several. */
  network: manyOf(networkId).optional().describe("Only conversations on these networks: one, or several."),
  /** Only conversations of this profile. */
  profile_id: storableText.optional().describe("Only conversations of this profile."),
  /** Only conversations that this person started: their `participant.id`. */
  participant_id: storableText
    .min(1)
    .optional()
    .describe("Only conversations that this person started: their `participant.id`."),
  /** True: only conversations with unread messages. False: only those without. */
  unread: z.boolean().optional().describe("True: only conversations with unread messages. False: only those without."),
});

export const listConversationsSchema = cursorPageSchema.extend(conversationFilters.shape);

/** Filters and page of `conversations.list`. */
export type ListConversations = CursorPageQuery & z.input<typeof conversationFilters>;

export const listMessagesSchema = cursorPageSchema;

/** The page of `conversations.messages`. */
export type ListMessages = CursorPageQuery;

export const updateConversationSchema = documentedObject({
  /** `closed` until the next message arrives. */
  status: z.enum(statuses).describe("`closed` until the next message arrives."),
}).meta({ id: "UpdateConversation" });

/** The body of `conversations.update`. */
export type UpdateConversation = z.input<typeof updateConversationSchema>;

export const markReadSchema = documentedObject({
  /** The last message that was read: later messages stay unread. Default: all messages are read. */
  through: storableText
    .optional()
    .describe("The last message that was read: later messages stay unread. Default: all messages are read."),
}).meta({ id: "MarkRead" });

/** The body of `conversations.markRead`. */
export type MarkRead = z.input<typeof markReadSchema>;

export const replySchema = documentedObject({
  /**
   * The reply's text. Public under a post, private in a direct message. At most 10,000 characters, and at most the
   * network's limit.
   */
  text: storableText
    .trim()
    .min(1, "Write something.")
    .max(10_000, "A reply must have at most 10,000 characters.")
    .describe(
      "The reply's text. Public under a post, private in a direct message. At most 10,000 characters, and at most the network's limit.",
    ),
  /** The message to reply to, written by another user. Default: the newest such message. */
  reply_to: storableText
    .optional()
    .describe("The message to reply to, written by another user. Default: the newest such message."),
  /**
   * Who wrote the reply. Some networks accept replies by a `person` for longer than automated ones, and receive this
   * value. Default: `automation`.
   */
  by: z
    .enum(["person", "automation"])
    .default("automation")
    .describe(
      "Who wrote the reply. Some networks accept replies by a `person` for longer than automated ones, and receive this value. Default: `automation`.",
    ),
  /** Repeating a request with the same key never sends it twice. 8 to 255 characters. */
  idempotency_key: storableText
    .min(8)
    .max(255)
    .nullish()
    .describe("Repeating a request with the same key never sends it twice. 8 to 255 characters."),
}).meta({ id: "Reply" });

/** The body of `conversations.reply`. */
export type CreateReply = z.input<typeof replySchema>;
export type ParsedReply = z.output<typeof replySchema>;

export const listChangesSchema = documentedObject({
  /** Whose inbox. */
  profile_id: storableText.describe("Whose inbox."),
  /** The `next` value of the previous call; 0: from the beginning. */
  after: z.int().min(0).default(0).describe("The `next` value of the previous call; 0: from the beginning."),
  /** Maximum number of rows, 1 to 500. */
  limit: z.int().min(1).max(500).default(100).describe("Maximum number of rows, 1 to 500."),
});

/** Profile, start and page size of `changes` and `follow`. */
export type ListChanges = z.input<typeof listChangesSchema>;

export const changesSchema = documentedAnswer({
  /** In their current state, ordered by their last change. */
  conversations: z.array(conversationSchema).describe("In their current state, ordered by their last change."),
  /** In their current state, ordered by their last change. */
  messages: z.array(messageSchema).describe("In their current state, ordered by their last change."),
  /** The `after` value of the next call. */
  next: z.int().describe("The `after` value of the next call."),
  /** More changes exist already. */
  has_more: z.boolean().describe("More changes exist already."),
}).meta({ id: "InboxChanges" });

/** The rows of an inbox that changed. */
export type InboxChanges = z.infer<typeof changesSchema>;

export const followAccountSchema = documentedObject({
  /** By profile, the last `next` value. A profile without one is followed from the beginning. */
  after: z
    .record(z.string(), z.int().min(0))
    .describe("By profile, the last `next` value. A profile without one is followed from the beginning."),
  /** Rows per page, 1 to 500. */
  limit: z.int().min(1).max(500).optional().describe("Rows per page, 1 to 500."),
});

/** Start and page size of `follow` for all profiles of the account. */
export type FollowAccount = z.input<typeof followAccountSchema>;

/** The changed rows of one profile's inbox. */
export interface ProfileChanges extends InboxChanges {
  /** The inbox's profile. */
  profile_id: string;
}

const sourceStatusSchema = documentedAnswer({
  /** The name of one of the network's lists. */
  name: z.string().describe("The name of one of the network's lists."),
  /** When it was last read completely; null: not yet. */
  read_at: z.iso.datetime().nullable().describe("When it was last read completely; null: not yet."),
  /** When the next read is due. */
  next_at: z.iso.datetime().describe("When the next read is due."),
  /** Why the last read failed; null: it succeeded. */
  failure: z.string().nullable().describe("Why the last read failed; null: it succeeded."),
});

const hookStatusSchema = documentedAnswer({
  /** When the network last confirmed the subscription; null: it is not subscribed. */
  subscribed_at: z.iso
    .datetime()
    .nullable()
    .describe("When the network last confirmed the subscription; null: it is not subscribed."),
  /** When the last event was processed; null: none yet. */
  received_at: z.iso.datetime().nullable().describe("When the last event was processed; null: none yet."),
  /** Why the subscription failed; null: it succeeded. */
  failure: z.string().nullable().describe("Why the subscription failed; null: it succeeded."),
});

const gapSchema = documentedAnswer({
  /** When it begins. */
  from: z.iso.datetime().describe("When it begins."),
  /** When it ends. */
  until: z.iso.datetime().describe("When it ends."),
});

const budgetStatusSchema = documentedAnswer({
  /** The budget's name. */
  name: z.string().describe("The budget's name."),
  /** Units that the network allows in the current window: to your app, the profile or the service. */
  limit: z
    .int()
    .describe("Units that the network allows in the current window: to your app, the profile or the service."),
  /** Units that this inbox's lists have used in the current window. */
  spent: z.int().describe("Units that this inbox's lists have used in the current window."),
  /** When the next window begins. */
  until: z.iso.datetime().describe("When the next window begins."),
  /** The lists' share is used up: when they are read again at the earliest; null: it is not used up. */
  rests_until: z.iso
    .datetime()
    .nullable()
    .describe("The lists' share is used up: when they are read again at the earliest; null: it is not used up."),
});

export const inboxStatusSchema = documentedAnswer({
  /** Whose inbox. */
  profile_id: z.string().describe("Whose inbox."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** The sequence number of its last change. */
  seq: z.int().describe("The sequence number of its last change."),
  /** The subscription to the network's events; null: none was requested. */
  hooks: hookStatusSchema.nullable().describe("The subscription to the network's events; null: none was requested."),
  /**
   * Periods from which messages may be missing: the network neither sent them nor lists them any more. The newest last.
   */
  gaps: z
    .array(gapSchema)
    .describe(
      "Periods from which messages may be missing: the network neither sent them nor lists them any more. The newest last.",
    ),
  /** Its lists, and how far each was read. */
  sources: z.array(sourceStatusSchema).describe("Its lists, and how far each was read."),
  /** Limits of the network on the requests of its lists that the service counts; empty: none. */
  budgets: z
    .array(budgetStatusSchema)
    .describe("Limits of the network on the requests of its lists that the service counts; empty: none."),
}).meta({ id: "InboxStatus" });

/** The status of an inbox. */
export type InboxStatus = z.infer<typeof inboxStatusSchema>;

/** How an inbox is doing, with what only the host is shown. */
export interface OwnInboxStatus extends InboxStatus {
  /** The subscription to the network's events; null: none was requested. */
  hooks: (NonNullable<InboxStatus["hooks"]> & OwnHookStatus) | null;
}

interface OwnHookStatus {
  /**
   * What the owner of the host's app must set at the network by hand, because the network offers no request for it. The
   * REST API does not show it. Absent: nothing.
   */
  setup?: HookSetup;
}

export const listStatusSchema = pageSchema;

/** The page of `status`. */
export type ListStatus = PageQuery;

export const forgetSchema = documentedObject({
  /** The person's network. */
  network: networkId.describe("The person's network."),
  /** Their id on the network, as in `author.id`, `participant.id` or a reaction's `from`. */
  person_id: storableText
    .min(1)
    .describe("Their id on the network, as in `author.id`, `participant.id` or a reaction's `from`."),
});

/** The person to erase. */
export type ForgetPerson = z.input<typeof forgetSchema>;

/** Counts of what `forget` has erased. A repeated call erases nothing more. */
export interface ForgottenPerson {
  /** Their messages; in direct messages also those to them. */
  messages: number;
  /** Conversations that they started. */
  conversations: number;
}

/** The inbox events of `social.on`. Each is emitted after its rows are stored. */
export interface InboxEvents {
  /** A user sent a message after the profile was connected. */
  "message.received": { account_id: string; conversation: Conversation; message: InboxMessage };
  /** A message was edited, deleted, read, or reacted to. */
  "message.changed": { account_id: string; message: InboxMessage };
  /** A conversation was started, read, closed or opened. */
  "conversation.changed": { account_id: string; conversation: Conversation };
}

export type InboxEvent = EventsOf<InboxEvents>;
