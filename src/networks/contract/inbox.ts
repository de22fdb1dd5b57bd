import type { Json, JsonObject } from "../../wire/json.ts";
import type { BudgetCost } from "./budgets.ts";
import type { Deletion, HookEvent, HookForm, HookRequest, HookSigning, HookSubscription, HookTarget } from "./hooks.ts";
import type { ExplainedAccess, InboxAccess } from "./inbox-access.ts";
import type { ThreadFact } from "./inbox-thread-facts.ts";
import type { TextRule } from "./limits.ts";
import type { NetworkId } from "./network-id.ts";
import type { IdentifiedPart, Part } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";
import type { Publisher } from "./publish.ts";
import type { NetworkContext } from "./request.ts";

/** The kind of conversation: private messages, comments under a post of the account, or mentions of it elsewhere. */
export type InboxKind = "dm" | "comment" | "mention";

/** How an adapter finds messages to an account. */
export interface Inbox {
  /**
   * The supported actions on a profile, by its permissions. Decides whether a reply is accepted, and is what the profile
   * shows. Pure. Absent: `NetworkSpec.inbox`.
   */
  access?(profile: ProfileFacts): Readonly<Record<InboxKind, InboxAccess | ExplainedAccess>>;
  /** Data that the network reports about messages, in addition to the messages. */
  reports: InboxReports;
  /** Lists that are polled for news, each on its own schedule. */
  sources: readonly InboxSource[];
  /** True: the polled server's clock dates the messages, and it may be wrong. @default false: the network's clock, which is right */
  isDatedByServer?: true;
  /** How to receive the network's webhooks. Absent: only polling. */
  hooks?: Hooks;
  /** How to reread stored messages, which may have been changed or deleted. Absent: the network reports changes without that, or never. */
  reread?: Reread;
  /** How the account replies. Absent: it can only read. */
  reply?: Replier;
  /** How long a private reply is allowed after a user's action. Absent: at any time. */
  window?: AnswerWindow;
  /**
   * The used share of the network's rate limit, from the headers of a response. Pure. Null: this response does not say.
   * Absent: no response does.
   */
  usage?(headers: Headers, now: number): RequestUsage | null;
}

/** How long after a user's action a network accepts private replies to them. */
export interface AnswerWindow {
  /** Hours after a message from the user. For other actions an `OpensFact` says it. */
  openHours: number;
}

/** Use of a rate limit. The network counts requests by their sender: an account, the host's app, or an IP address. */
export interface RequestUsage {
  /** The used share of all requests allowed until `until`, 0 to 1. */
  share: number;
  /** When the limit resets, milliseconds. */
  until: number;
}

/**
 * How a network reports what happens on an account: it sends webhooks to `{baseUrl}/hooks/{network}/{app id}`, or to
 * `…/{inbox id}` where each subscription has its own secret.
 */
export interface Hooks {
  /** Who signs the webhooks. */
  signed: HookSigning;
  /** How they are signed. */
  form: HookForm;
  /** Reads the events of a genuine request. Pure. @throws PublishingError `invalid_request` if it cannot be read */
  events(request: Omit<HookRequest, "at">): readonly HookEvent[];
  /**
   * Converts one event to updates of the account's inbox. May send requests to the network. `unsubscribed`: the network
   * sends no more events until the service subscribes again.
   *
   * @throws PublishingError
   */
  read(context: InboxContext, body: Json): Promise<readonly InboxUpdate[] | "unsubscribed">;
  /**
   * Subscribes to the account's events. Safe to repeat.
   *
   * @throws PublishingError
   */
  subscribe(context: InboxContext, to: HookTarget): Promise<HookSubscription>;
  /** How the network requests the deletion of a user's data. Absent: it never does. */
  deletions?: DeletionRequests;
  /**
   * Accounts on other networks that depend on this subscription. It ends with the last of them. Absent: there are none.
   * @throws PublishingError
   */
  sharedWith?(context: NetworkContext): Promise<readonly { network: NetworkId; external_id: string }[]>;
  /** Ends the account's subscription. Safe to repeat. Absent: it ends when access is revoked. @throws PublishingError */
  unsubscribe?(context: NetworkContext, to: HookTarget): Promise<void>;
}

/** A network's requests to delete a user's data. */
export interface DeletionRequests {
  /** The content of a request, not yet verified. Null: the request does not ask for a deletion. Pure. */
  read(bytes: Uint8Array): Deletion | null;
  /** True: the request is from the network, signed with this secret. Pure. */
  isSignedWith(bytes: Uint8Array, secret: string): boolean;
}

/** How replies are sent and looked for: with the functions for posts, or with functions for replies only. */
export interface Replier {
  /**
   * Converts a reply to a post. Pure. Called only if the profile's access is `reply`.
   * @throws PublishingError if this profile cannot send the reply
   */
  asPost(reply: Reply, profile: ProfileFacts): ReplyPost;
  /** The functions that send a reply, by the kind of its conversation. Absent: those for posts. */
  publishers?: Partial<Record<InboxKind, Publisher>>;
  /** How a reply's text is counted. Null or absent: like a post's. */
  text?(kind: InboxKind): TextRule | null;
  /** `NewMessage.key` of the published reply, equal to the key that the inbox reads. Pure. */
  keyOf(published: IdentifiedPart): string;
  /**
   * True: a reply whose response was lost can only be found among the account's own messages that the network's
   * webhooks bring (`LookQuery.echoes`). @default false
   */
  needsEchoes?: true;
}

/** A reply from the host. */
export interface Reply {
  text: string;
  /** The kind of the conversation. */
  kind: InboxKind;
  /** The message that it replies to. */
  to: Pick<NewMessage, "external_id" | "author" | "sent_at"> & { ref: Json };
  /** A person or the host's automation wrote it. */
  by: "person" | "automation";
  /** False: as far as is known, the network's window for replies has ended. */
  isOpen: boolean;
}

/** A reply as a post. */
export interface ReplyPost {
  part: Part;
  /** The parent, if the network needs it in addition to the options. Null: the options name it. */
  previous: IdentifiedPart | null;
  /** The id of the parent message, if only `part.options` has it. Absent: `previous`, otherwise the whole conversation. */
  parent?: string;
}

/** Data that a network reports about messages, in addition to the messages. */
export interface InboxReports {
  /** `one`: a user's new reaction replaces the former · `many`: a user may have several · null: no reactions are reported. */
  reactions: Readonly<Record<InboxKind, "one" | "many" | null>>;
}

/** The network reports no reactions. */
export const noReactions: InboxReports["reactions"] = { dm: null, comment: null, mention: null };

/** A list at the network that is polled. */
export interface InboxSource {
  /** Unique among the network's lists. The position in the list is stored under it. */
  name: string;
  /** Seconds between two polls: halved after news, 50 % longer after none. */
  every: {
    /** Minimum. */
    min: number;
    /** Maximum. */
    max: number;
    /** Maximum after news, for lists in which users reply within minutes. @default half of the time before */
    news?: number;
    /** While webhooks bring the same messages. Absent: they do not. */
    repair?: number;
  };
  /** How many seconds the list may lag behind events. @default 10 */
  lagSeconds?: number;
  /** What each request of the list takes from a budget. Absent: requests are not counted. */
  cost?: BudgetCost;
  /**
   * Reads on from `cursor`, in at most three requests. Changes nothing at the network. Null: the first poll, which
   * needs nothing older than `since` (milliseconds, the network's time).
   */
  poll(context: InboxContext, cursor: Json | null, since: number): Promise<Poll>;
  /**
   * The position to restart from after the network has refused `cursor` several times, because positions in a list
   * expire. It must skip nothing unread. Null: start like the first poll. Absent: positions do not expire.
   */
  restart?(cursor: Json): Json | null;
}

/** How to reread stored messages. */
export interface Reread {
  /** Seconds between two rounds, adapted like the interval between two polls. */
  every: Pick<InboxSource["every"], "min" | "max">;
  /** As for a list. */
  cost?: BudgetCost;
  /** Maximum number of messages in one call. */
  atOnce: number;
  /** Maximum number of messages in a round. Rounds alternate between the newest or last changed messages and older ones. */
  perRound: number;
  read(context: InboxContext, messages: readonly StoredMessage[]): Promise<Rereading>;
}

/** A message to reread. */
export interface StoredMessage {
  key: string;
  external_id: string;
  /** `Person.id`. Null: the network does not say who wrote it. */
  author_id: string | null;
}

/** The result of rereading messages. */
export interface Rereading {
  /** The messages' current content, including unchanged ones. */
  facts: readonly InboxUpdate[];
  /**
   * Keys of messages that the network no longer shows. Without those that it may only be hiding, for example together
   * with their author's account.
   */
  gone: readonly string[];
}

/** The result of one poll. */
export interface Poll {
  /** In any order. */
  facts: readonly InboxUpdate[];
  /** The position to continue from. */
  cursor: Json;
  /** True: there is more to read now. */
  more: boolean;
  /** A time span of the list that was not read and will not be. Null or absent: none. */
  gap?: Gap | null;
}

/** A time span in which messages may be missing, milliseconds. */
export interface Gap {
  from: number;
  until: number;
}

/** The context of reading an inbox. */
export interface InboxContext extends NetworkContext {
  /** The stored messages among these keys, and where they are. */
  known(keys: readonly string[]): Promise<ReadonlyMap<string, KnownMessage>>;
  /** The stored threads among these `Thread.key`s. */
  knownThreads(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** When the account was connected, by the clock that dates its messages, milliseconds. */
  readonly connectedAt: number;
}

/** A stored message. */
export interface KnownMessage {
  /** `Thread.key` of its conversation. */
  thread: string;
  /** True: the account wrote it. */
  own: boolean;
}

/**
 * A change in an inbox that a network reported. Facts may arrive twice, late and in any order: the newest of each wins.
 * `at` is when it happened, by the network's clock, milliseconds. Null: the network does not say, and the time of
 * reading counts, minus the list's lag.
 */
export type InboxUpdate =
  | MessageFact
  | { fact: "edit"; at: number | null; key: string; text: string | null; attachments?: readonly Attachment[] }
  | { fact: "delete"; at: number | null; key: string }
  | ReactionFact
  | ReactionsFact
  | ThreadFact;

/** A message exists, with this content. */
export interface MessageFact {
  fact: "message";
  /** The time of this content: of the last edit, otherwise of the sending. Null: the network does not say. */
  at: number | null;
  /** The message's thread. Ignored for a stored message, because a message never moves. */
  thread: Thread;
  /** The message's current content. */
  message: NewMessage;
}

/** A user added a reaction to a message, or removed it. */
export interface ReactionFact {
  fact: "reaction";
  at: number | null;
  /** The message's key. */
  key: string;
  /** The user's id on the network. */
  from: string;
  emoji: string;
  /** True: the user removed it. */
  gone: boolean;
}

/** All current reactions to a message. */
export interface ReactionsFact {
  fact: "reactions";
  at: number | null;
  /** The message's key. */
  key: string;
  /** `from`: null if the network only counts reactions. */
  all: readonly { from: string | null; emoji: string }[];
}

/** A conversation. */
export interface Thread {
  kind: InboxKind;
  /** Never changes, and is unique within the profile. */
  key: string;
  /** The network's own id for it. */
  external_id: string;
  /** The user who began it; for a group, the group. */
  participant: Person;
  /** The conversation's URL for users. Null: it has none. */
  url: string | null;
  /** How it began (an ad, a link, a post). Null: the network does not say. */
  referral: JsonObject | null;
}

/** A user of the network. */
export interface Person {
  id: string;
  name: string | null;
  handle: string | null;
  avatar_url: string | null;
}

/** A message from a network. */
export interface NewMessage {
  /** Never changes, and is unique within the profile. */
  key: string;
  /** The network's own id, which some networks change. Empty: it gives none. */
  external_id: string;
  /** True: the account wrote it. */
  own: boolean;
  text: string | null;
  attachments: readonly Attachment[];
  author: Pick<Person, "id" | "name">;
  /** Milliseconds, the network's time. */
  sent_at: number;
  /** The last edit, in the same unit. Null: it was not edited, or the network does not say. */
  edited_at: number | null;
  /** `key` of the message that it replies to. Absent: none, or the network does not say. */
  reply_to?: string;
  /** True: other users see it only after the account's owner approved it, which is final. Absent: the network does not say. */
  awaits_approval?: boolean;
  /** Data that a reply to it needs in addition to its id. Never shown. Absent: none. */
  ref?: Json;
}

/**
 * A file or other attachment of a message, with everything that a user sees of it. `url`: where it is at the network;
 * it is not fetched. `type: "unsupported"`: something that the network does not show to apps.
 */
export type Attachment = { type: string; url: string | null } & JsonObject;
