import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import type { EventsOf } from "../ports/events.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type CursorPageQuery, cursorPageSchema, manyOf, type PageQuery, pageSchema } from "../wire/pagination.ts";
import { storableText } from "../wire/parse.ts";
import { maxExcerpt } from "./excerpt.ts";

const kinds = ["dm", "comment", "mention"] as const;
const statuses = ["open", "closed"] as const;

const participantSchema = documentedAnswer({
  /** Their id on the network; of a group, the thread's; empty: they are forgotten. */
  id: z.string().describe("Their id on the network; of a group, the thread's; empty: they are forgotten."),
  /** What they call themselves. */
  name: z.string().nullable().describe("What they call themselves."),
  /** What others call them on the network. */
  handle: z.string().nullable().describe("What others call them on the network."),
  /** Their picture, at the network. */
  avatar_url: z.string().nullable().describe("Their picture, at the network."),
});

export const conversationSchema = documentedAnswer({
  /** `cnv_…`. */
  id: z.string().describe("`cnv_…`."),
  /** The profile that it is on. */
  profile_id: z.string().describe("The profile that it is on."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** `dm`: private · `comment`: under a post of the account's own, public · `mention`: elsewhere, public. */
  kind: z
    .enum(kinds)
    .describe("`dm`: private · `comment`: under a post of the account's own, public · `mention`: elsewhere, public."),
  /** A new message opens a closed one. */
  status: z.enum(statuses).describe("A new message opens a closed one."),
  /** Messages that came in since it was last marked read. */
  unread_count: z.int().describe("Messages that came in since it was last marked read."),
  /** The newest that is not deleted. */
  last_message: documentedAnswer({
    /**
     * Its first 500 UTF-16 units at most, cut between whole characters; empty where it has only attachments, or none is
     * left.
     */
    text: z
      .string()
      .max(maxExcerpt)
      .describe(
        "Its first 500 UTF-16 units at most, cut between whole characters; empty where it has only attachments, or none is left.",
      ),
    /** When it was sent. */
    at: z.iso.datetime().describe("When it was sent."),
  }).describe("The newest that is not deleted."),
  /** The account's own id on the network. */
  profile_external_id: z.string().describe("The account's own id on the network."),
  /** The thread's id on the network. */
  external_id: z.string().describe("The thread's id on the network."),
  /** Who began it. */
  participant: participantSchema.describe("Who began it."),
  /** Where to open it on the network; null: nowhere. */
  url: z.string().nullable().describe("Where to open it on the network; null: nowhere."),
  /** How it began, where the network says so. */
  referral: z.record(z.string(), z.json()).nullable().describe("How it began, where the network says so."),
  /**
   * Until when the network takes answers, by all that is known of what the person did; null: at any time, or it is not
   * known. Nothing is refused for it here: the network decides.
   */
  reply_until: z.iso
    .datetime()
    .nullable()
    .describe(
      "Until when the network takes answers, by all that is known of what the person did; null: at any time, or it is not known. Nothing is refused for it here: the network decides.",
    ),
  /** When it was first seen here. */
  created_at: z.iso.datetime().describe("When it was first seen here."),
}).meta({ id: "Conversation" });

/** Messages that belong together. */
export type Conversation = z.infer<typeof conversationSchema>;

const reactionSchema = documentedAnswer({
  /** Whose it is; null where the network only counts. */
  from: z.string().nullable().describe("Whose it is; null where the network only counts."),
  /** What it shows. */
  emoji: z.string().nullable().describe("What it shows."),
});

export const messageSchema = documentedAnswer({
  /** `msg_…`. */
  id: z.string().describe("`msg_…`."),
  /** Where it stands. */
  conversation_id: z.string().describe("Where it stands."),
  /** Its id on the network. Absent: the network gives none. */
  external_id: z.string().optional().describe("Its id on the network. Absent: the network gives none."),
  /** `outbound`: the account wrote it, here or in the network's own app. */
  direction: z
    .enum(["inbound", "outbound"])
    .describe("`outbound`: the account wrote it, here or in the network's own app."),
  /** Null where it has none, and once it is deleted. */
  text: z.string().nullable().describe("Null where it has none, and once it is deleted."),
  /**
   * Files, links and what else hangs on it: a `type`, where it lies at the network (`url`, or null) and what the
   * network says of it. `unsupported`: something that the network does not show to programs.
   */
  attachments: z
    .array(z.record(z.string(), z.json()))
    .describe(
      "Files, links and what else hangs on it: a `type`, where it lies at the network (`url`, or null) and what the network says of it. `unsupported`: something that the network does not show to programs.",
    ),
  /** The message that it answers; null: none that is here, or the network does not tell. */
  reply_to: z
    .string()
    .nullable()
    .describe("The message that it answers; null: none that is here, or the network does not tell."),
  /** Who wrote it. */
  author: documentedAnswer({
    /** Their id on the network; null: it is not known, or they are forgotten. */
    id: z.string().nullable().describe("Their id on the network; null: it is not known, or they are forgotten."),
    /** What they call themselves. */
    name: z.string().nullable().describe("What they call themselves."),
  }).describe("Who wrote it."),
  /** By the network. */
  sent_at: z.iso.datetime().describe("By the network."),
  /** The last edit. */
  edited_at: z.iso.datetime().nullable().describe("The last edit."),
  /** When its sender took it back: the message stays, its text and files do not. */
  deleted_at: z.iso
    .datetime()
    .nullable()
    .describe("When its sender took it back: the message stays, its text and files do not."),
  /** Of what the account wrote, where the network tells. */
  delivered_at: z.iso.datetime().nullable().describe("Of what the account wrote, where the network tells."),
  /** Of what the account wrote, where the network tells. */
  read_at: z.iso.datetime().nullable().describe("Of what the account wrote, where the network tells."),
  /** Those that are on it now; null on networks that tell of none. */
  reactions: z
    .array(reactionSchema)
    .nullable()
    .describe("Those that are on it now; null on networks that tell of none."),
  /** Nobody else sees it until the account's owner approves it on the network. */
  awaits_approval: z.boolean().describe("Nobody else sees it until the account's owner approves it on the network."),
}).meta({ id: "InboxMessage" });

/** One message of a conversation. */
export type InboxMessage = z.infer<typeof messageSchema>;

const conversationFilters = documentedObject({
  /** Open or closed ones. */
  status: z.enum(statuses).optional().describe("Open or closed ones."),
  /** One kind, or several. */
  kind: manyOf(z.enum(kinds)).optional().describe("One kind, or several."),
  /** One network, or several. */
  network: manyOf(networkId).optional().describe("One network, or several."),
  /** Of one profile. */
  profile_id: storableText.optional().describe("Of one profile."),
  /** True: with messages that were not read; false: without. */
  unread: z.boolean().optional().describe("True: with messages that were not read; false: without."),
});

export const listConversationsSchema = cursorPageSchema.extend(conversationFilters.shape);

/** Which conversations are listed. */
export type ListConversations = CursorPageQuery & z.input<typeof conversationFilters>;

export const listMessagesSchema = cursorPageSchema;

/** Which messages are listed. */
export type ListMessages = CursorPageQuery;

export const updateConversationSchema = documentedObject({
  /** `closed` until somebody writes again. */
  status: z.enum(statuses).describe("`closed` until somebody writes again."),
}).meta({ id: "UpdateConversation" });

/** What `conversations.update` takes. */
export type UpdateConversation = z.input<typeof updateConversationSchema>;

export const markReadSchema = documentedObject({
  /** The last message that was read: what came after it stays unread. Default: all is read. */
  through: storableText
    .optional()
    .describe("The last message that was read: what came after it stays unread. Default: all is read."),
}).meta({ id: "MarkRead" });

/** What `conversations.markRead` takes besides the conversation. */
export type MarkRead = z.input<typeof markReadSchema>;

export const replySchema = documentedObject({
  /**
   * What it says. Public under a post, private in a direct message. At most 10,000 characters, and what the network
   * takes.
   */
  text: storableText
    .trim()
    .min(1, "Write something.")
    .max(10_000, "An answer has at most 10,000 characters.")
    .describe(
      "What it says. Public under a post, private in a direct message. At most 10,000 characters, and what the network takes.",
    ),
  /** The message that is answered, one of somebody else's. Default: the newest of those. */
  reply_to: storableText
    .optional()
    .describe("The message that is answered, one of somebody else's. Default: the newest of those."),
  /**
   * Who wrote it. Where a network takes answers of people for longer than those of programs, `person` says so to it.
   * Default: `automation`.
   */
  by: z
    .enum(["person", "automation"])
    .default("automation")
    .describe(
      "Who wrote it. Where a network takes answers of people for longer than those of programs, `person` says so to it. Default: `automation`.",
    ),
  /** Repeating a request with the same key never sends it twice. 8 to 255 characters. */
  idempotency_key: storableText
    .min(8)
    .max(255)
    .nullish()
    .describe("Repeating a request with the same key never sends it twice. 8 to 255 characters."),
}).meta({ id: "Reply" });

/** What `conversations.reply` takes besides the conversation. */
export type CreateReply = z.input<typeof replySchema>;
export type ParsedReply = z.output<typeof replySchema>;

export const listChangesSchema = documentedObject({
  /** Whose inbox. */
  profile_id: storableText.describe("Whose inbox."),
  /** What `next` of the changes before said; 0: from the beginning. */
  after: z.int().min(0).default(0).describe("What `next` of the changes before said; 0: from the beginning."),
  /** Rows at most, 1 to 500. */
  limit: z.int().min(1).max(500).default(100).describe("Rows at most, 1 to 500."),
});

/** Which changes are read. */
export type ListChanges = z.input<typeof listChangesSchema>;

export const changesSchema = documentedAnswer({
  /** As they now are, in the order of their last changes. */
  conversations: z.array(conversationSchema).describe("As they now are, in the order of their last changes."),
  /** As they now are, in the order of their last changes. */
  messages: z.array(messageSchema).describe("As they now are, in the order of their last changes."),
  /** Where to go on: `after` of the next call. */
  next: z.int().describe("Where to go on: `after` of the next call."),
  /** There are more already. */
  has_more: z.boolean().describe("There are more already."),
}).meta({ id: "InboxChanges" });

/** What has changed in an inbox. */
export type InboxChanges = z.infer<typeof changesSchema>;

export const followAccountSchema = documentedObject({
  /** By profile, what `next` of its last changes said. Without one a profile is followed from the beginning. */
  after: z
    .record(z.string(), z.int().min(0))
    .describe(
      "By profile, what `next` of its last changes said. Without one a profile is followed from the beginning.",
    ),
  /** Rows at a time, 1 to 500. */
  limit: z.int().min(1).max(500).optional().describe("Rows at a time, 1 to 500."),
});

/** Which profiles are followed: all of the account's. */
export type FollowAccount = z.input<typeof followAccountSchema>;

/** What has changed in the inbox of one profile of an account. */
export interface ProfileChanges extends InboxChanges {
  /** Whose inbox. */
  profile_id: string;
}

const sourceStatusSchema = documentedAnswer({
  /** One of the network's lists. */
  name: z.string().describe("One of the network's lists."),
  /** When all of it was last read; null: not yet. */
  read_at: z.iso.datetime().nullable().describe("When all of it was last read; null: not yet."),
  /** When it is read next. */
  next_at: z.iso.datetime().describe("When it is read next."),
  /** Why it could not be read; null: it could. */
  failure: z.string().nullable().describe("Why it could not be read; null: it could."),
});

const hookStatusSchema = documentedAnswer({
  /** When the network last said that it sends; null: it does not. */
  subscribed_at: z.iso.datetime().nullable().describe("When the network last said that it sends; null: it does not."),
  /** When something that it sent was last taken in; null: nothing yet. */
  received_at: z.iso
    .datetime()
    .nullable()
    .describe("When something that it sent was last taken in; null: nothing yet."),
  /** Why it could not be asked to send; null: it could. */
  failure: z.string().nullable().describe("Why it could not be asked to send; null: it could."),
});

const gapSchema = documentedAnswer({
  /** When it begins. */
  from: z.iso.datetime().describe("When it begins."),
  /** When it ends. */
  until: z.iso.datetime().describe("When it ends."),
});

export const inboxStatusSchema = documentedAnswer({
  /** Whose inbox. */
  profile_id: z.string().describe("Whose inbox."),
  /** The profile's network. */
  network: networkId.describe("The profile's network."),
  /** The number of its last change. */
  seq: z.int().describe("The number of its last change."),
  /** Whether the network sends by itself what happens; null: it was not asked to. */
  hooks: hookStatusSchema
    .nullable()
    .describe("Whether the network sends by itself what happens; null: it was not asked to."),
  /** Times of which something may be missing: the network neither sent it nor shows it any more. The newest last. */
  gaps: z
    .array(gapSchema)
    .describe(
      "Times of which something may be missing: the network neither sent it nor shows it any more. The newest last.",
    ),
  /** What is read of it, and how far. */
  sources: z.array(sourceStatusSchema).describe("What is read of it, and how far."),
}).meta({ id: "InboxStatus" });

/** How an inbox is doing. */
export type InboxStatus = z.infer<typeof inboxStatusSchema>;

export const listStatusSchema = pageSchema;

/** Which inboxes are told of. */
export type ListStatus = PageQuery;

export const forgetSchema = documentedObject({
  /** The person's network. */
  network: networkId.describe("The person's network."),
  /** Their id there, as `author.id`, `participant.id` or a reaction's `from` shows it. */
  person_id: storableText
    .min(1)
    .describe("Their id there, as `author.id`, `participant.id` or a reaction's `from` shows it."),
});

/** Who is to be forgotten. */
export type ForgetPerson = z.input<typeof forgetSchema>;

/** What `forget` has cleared. Repeated, it clears nothing more. */
export interface ForgottenPerson {
  /** Messages of theirs, in direct messages also those to them. */
  messages: number;
  /** Conversations that were begun by them. */
  conversations: number;
}

/** What `social.on` tells of an inbox, after it is stored. */
export interface InboxEvents {
  /** Somebody wrote. Not told of what is older than the profile's connection. */
  "message.received": { account_id: string; conversation: Conversation; message: InboxMessage };
  /** A message says something else, was deleted, read, or reacted to. */
  "message.changed": { account_id: string; message: InboxMessage };
  /** A conversation was begun, read, closed or opened. */
  "conversation.changed": { account_id: string; conversation: Conversation };
}

export type InboxEvent = EventsOf<InboxEvents>;
