import type { Json, JsonObject } from "../../wire/json.ts";
import type { Deletion, HookAnswer, HookEvent, HookRequest, HookTarget } from "./hooks.ts";
import type { ThreadFact } from "./inbox-thread-facts.ts";
import type { TextRule } from "./limits.ts";
import type { NetworkId } from "./network-id.ts";
import type { IdentifiedPart, Part } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";
import type { Publisher } from "./publish.ts";
import type { NetworkContext } from "./request.ts";

/** What a conversation is: private messages, what stands under a post of the account's own, or what names it elsewhere. */
export type InboxKind = "dm" | "comment" | "mention";

/** How an adapter finds what people write to an account. */
export interface Inbox {
  /** What the network tells of messages besides that they are there. */
  reports: InboxReports;
  /** Lists that are asked for what is new, each by itself. */
  sources: readonly InboxSource[];
  /** Messages are dated by the clock of the server that is asked, which may be wrong. @default false: by the network's, which is right */
  isDatedByServer?: true;
  /** How the network tells by itself what happens. Absent: only its lists do. */
  hooks?: Hooks;
  /** How what is stored is read again, since it may have been changed or deleted. Absent: the network tells that by itself, or never. */
  reread?: Reread;
  /** How the account answers. Absent: it can only read. */
  reply?: Replier;
  /** A person's act lets the account answer in private for so long. Absent: answers are taken at any time. */
  window?: AnswerWindow;
  /**
   * How much of the requests that it takes the network counts as used, as the headers of an answer say. Pure. Null:
   * this answer does not say. Absent: none does.
   */
  usage?(headers: Headers, now: number): RequestUsage | null;
}

/** How long after what a person does a network takes private answers to them. */
export interface AnswerWindow {
  /** After a message of theirs. Of other acts an `OpensFact` says it. */
  openHours: number;
}

/** The network counts requests by their sender: an account, the host's app, or an IP address. */
export interface RequestUsage {
  /** Of all that may be made until `until`, 0 to 1. */
  share: number;
  /** When there are more again, milliseconds. */
  until: number;
}

/** How a network tells by itself what happens on an account: it sends requests to `{baseUrl}/hooks/{network}/{app id}`. */
export interface Hooks {
  /**
   * The secrets by which requests about the host's app of this id are known, the newest first; none: the host has no
   * such app.
   *
   * @param accountIds finds accounts of the service that may have such an app; asked only where that is needed
   */
  secrets(appId: string, accountIds: () => Promise<readonly string[]>): Promise<readonly string[]>;
  /** Do the headers hold what every `POST` of the network's holds, a signature? Looked at before the body is read. Pure. */
  isSigned(headers: Headers): boolean;
  /** What to answer to a question whether somebody listens here; null: the request is none. Pure. */
  handshake(request: HookRequest, secrets: readonly string[]): HookAnswer | null;
  /** Does the request come from the network, with one of the secrets? Over the bytes as they came. Pure. */
  isGenuine(request: HookRequest, secrets: readonly string[]): boolean;
  /** What a genuine request tells. Pure. @throws PublishingError `invalid_request` where it cannot be read */
  events(request: Omit<HookRequest, "at">): readonly HookEvent[];
  /**
   * What one of its events says of the account's inbox; it may ask the network. `unsubscribed`: the network sends nothing
   * more until it is asked again.
   *
   * @throws PublishingError
   */
  read(context: InboxContext, body: Json): Promise<readonly InboxUpdate[] | "unsubscribed">;
  /**
   * Asks the network to send what happens on the account. Repeating it is harmless. `asked`: it has yet to confirm that
   * it does, and is asked again soon.
   *
   * @throws PublishingError
   */
  subscribe(context: InboxContext, to: HookTarget): Promise<"confirmed" | "asked">;
  /** How the network asks for somebody's data to be deleted. Absent: it never does. */
  deletions?: DeletionRequests;
  /**
   * The accounts on other networks that live of what `subscribe` asked for: it is ended with the last of them.
   * Absent: there are none. @throws PublishingError
   */
  sharedWith?(context: NetworkContext): Promise<readonly { network: NetworkId; external_id: string }[]>;
  /** Asks it to send nothing more of this account. Repeating it is harmless. Absent: it ends with the login. @throws PublishingError */
  unsubscribe?(context: NetworkContext, to: HookTarget): Promise<void>;
}

/** Requests of a network that somebody's data be deleted. */
export interface DeletionRequests {
  /** The content of a request, not yet verified; null: it is not a webhook. Pure. */
  read(bytes: Uint8Array): Deletion | null;
  /** Does it come from the network, with this secret? Pure. */
  isSignedWith(bytes: Uint8Array, secret: string): boolean;
}

/** How answers go out, and are looked for: as the network's posts do, or by verbs of their own. */
export interface Replier {
  /** What goes out, and what it answers. Pure. @throws PublishingError where this profile cannot answer such */
  asPost(reply: Reply, profile: ProfileFacts): ReplyPost;
  /** The verbs of such a part, by where it goes. Absent: those of the network's posts. */
  publishers?: Partial<Record<InboxKind, Publisher>>;
  /** How its text is counted; null, or absent: as that of posts. */
  text?(kind: InboxKind): TextRule | null;
  /** `NewMessage.key` of what went out, as the inbox would read it. Pure. */
  keyOf(published: IdentifiedPart): string;
  /** A lost answer can only be found in what the network sends by itself of the account's own messages (`LocateQuery.echoes`). @default false */
  needsEchoes?: true;
}

/** An answer, as the host gives it. */
export interface Reply {
  text: string;
  /** What the conversation is. */
  kind: InboxKind;
  /** The message that it answers. */
  to: Pick<NewMessage, "external_id" | "author" | "sent_at"> & { ref: Json };
  /** Who wrote it. */
  by: "person" | "automation";
  /** False: by all that is known, the network's window for answers has ended. */
  isOpen: boolean;
}

/** An answer as a post. */
export interface ReplyPost {
  part: Part;
  /** What it answers, where the network takes that besides its options; null: the options say it. */
  previous: IdentifiedPart | null;
  /** The id of what it stands below, where only `part.options` say that. Absent: `previous`, else its whole conversation. */
  parent?: string;
}

/** What a network tells of messages besides that they are there. */
export interface InboxReports {
  /** `one`: a person's new reaction replaces the former · `many`: a person may have several · null: none are told. */
  reactions: Readonly<Record<InboxKind, "one" | "many" | null>>;
}

/** The network tells of no reactions. */
export const noReactions: InboxReports["reactions"] = { dm: null, comment: null, mention: null };

/** One list of a network's, read again and again. */
export interface InboxSource {
  /** Its name among the network's: where it was read up to is kept under it. */
  name: string;
  /** Seconds between two looks: halved by news, half as long again when quiet. */
  every: {
    /** At least. */
    min: number;
    /** At most. */
    max: number;
    /** While hooks bring the same. Absent: they do not. */
    repair?: number;
  };
  /** Seconds by which the list may lag behind what has happened. @default 10 */
  lagSeconds?: number;
  /**
   * Reads on from where `cursor` says, in three requests at most; nothing else is changed. Null: it was never read, and
   * nothing older than `since` (milliseconds, the network's time) is wanted.
   */
  poll(context: InboxContext, cursor: Json | null, since: number): Promise<Poll>;
  /**
   * Where to read from once the network has refused, again and again, to go on from `cursor`: a place in a list does not
   * hold for ever. Nothing that was not read yet may be left out; null: as at first. Absent: places hold.
   */
  restart?(cursor: Json): Json | null;
}

/** How messages that are stored are read again. */
export interface Reread {
  /** Seconds between two rounds, as those between two looks at a source. */
  every: Pick<InboxSource["every"], "min" | "max">;
  /** Messages that are read together, at most. */
  atOnce: number;
  /** Messages of a round, at most: of those that came, or changed, last; in every second round of older ones. */
  perRound: number;
  read(context: InboxContext, messages: readonly StoredMessage[]): Promise<Rereading>;
}

/** A message that is read again. */
export interface StoredMessage {
  key: string;
  external_id: string;
  /** `Person.id`; null: the network does not say who wrote it. */
  author_id: string | null;
}

/** What a second look at messages found. */
export interface Rereading {
  /** What they say now; of those that are unchanged as well. */
  facts: readonly InboxUpdate[];
  /** Keys of those that the network shows no more. Not of those that it may only hide, as with their author's account. */
  gone: readonly string[];
}

/** What one look at a source found. */
export interface Poll {
  /** In any order. */
  facts: readonly InboxUpdate[];
  /** Where to read on. */
  cursor: Json;
  /** There is more to be read now. */
  more: boolean;
  /** What the list holds of this time was not read, and will not be. Null or absent: there is no such time. */
  gap?: Gap | null;
}

/** A time of which something may be missing, milliseconds. */
export interface Gap {
  from: number;
  until: number;
}

/** What reading an inbox works with. */
export interface InboxContext extends NetworkContext {
  /** Those of these messages that are stored, by key, and where they stand. */
  known(keys: readonly string[]): Promise<ReadonlyMap<string, KnownMessage>>;
  /** Those of these threads that are stored, by `Thread.key`. */
  knownThreads(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** When the account was connected, by the clock that dates its messages, milliseconds. */
  readonly connectedAt: number;
}

/** A message that is stored. */
export interface KnownMessage {
  /** `Thread.key` of its conversation. */
  thread: string;
  /** The account wrote it. */
  own: boolean;
}

/**
 * Something that a network told of an inbox. Facts may come twice, late and in
 * any order: the newest of each wins. `at` is when it happened, by the network,
 * milliseconds; null: it does not say, and the moment of reading counts, less
 * the list's lag.
 */
export type InboxUpdate =
  | MessageFact
  | { fact: "edit"; at: number | null; key: string; text: string | null; attachments?: readonly Attachment[] }
  | { fact: "delete"; at: number | null; key: string }
  | ReactionFact
  | ReactionsFact
  | ThreadFact;

/** A message is there, and this is what it says. */
export interface MessageFact {
  fact: "message";
  /** When what it says was so: of the edit if it was edited, else of the sending. Null: the network does not tell. */
  at: number | null;
  /** Where it stands. Of a message that is stored already: not looked at, for a placed message never moves. */
  thread: Thread;
  /** The message as it now is. */
  message: NewMessage;
}

/** A person put a reaction on a message, or took it away. */
export interface ReactionFact {
  fact: "reaction";
  at: number | null;
  /** The message's. */
  key: string;
  /** Their id on the network. */
  from: string;
  emoji: string;
  /** They took it away. */
  gone: boolean;
}

/** All reactions that are on a message. */
export interface ReactionsFact {
  fact: "reactions";
  at: number | null;
  /** The message's. */
  key: string;
  /** `from`: null where the network only counts. */
  all: readonly { from: string | null; emoji: string }[];
}

/** Where messages stand together. */
export interface Thread {
  kind: InboxKind;
  /** Never changes, and no other thread of the profile has it. */
  key: string;
  /** The network's own id for it. */
  external_id: string;
  /** Who began it; of a group, the group. */
  participant: Person;
  /** Where to open it; null: nowhere. */
  url: string | null;
  /** How it began (an ad, a link, a post); null: the network does not say. */
  referral: JsonObject | null;
}

/** Somebody on the network. */
export interface Person {
  id: string;
  name: string | null;
  handle: string | null;
  avatar_url: string | null;
}

/** A message as a network tells it. */
export interface NewMessage {
  /** Never changes, and no other message of the profile has it. */
  key: string;
  /** The network's own id, which some change. Empty: it gives none. */
  external_id: string;
  /** The account wrote it. */
  own: boolean;
  text: string | null;
  attachments: readonly Attachment[];
  author: Pick<Person, "id" | "name">;
  /** Milliseconds, the network's time. */
  sent_at: number;
  /** The last edit, likewise; null: it was not edited, or the network does not say. */
  edited_at: number | null;
  /** `key` of the message that it answers. Absent: none, or the network does not tell. */
  reply_to?: string;
  /** Others see it only once the account's owner has approved it, which is then so for ever. Absent: the network does not say. */
  awaits_approval?: boolean;
  /** What an answer to it goes by besides its id; never shown. Absent: nothing. */
  ref?: Json;
}

/** A file, or whatever else hangs on a message, with all that a person sees of it: where it lies at the network. It is not fetched. `type: "unsupported"`: something that the network does not show to programs. */
export type Attachment = { type: string; url: string | null } & JsonObject;
