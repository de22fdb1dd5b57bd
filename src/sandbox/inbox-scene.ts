import type { NetworkId } from "../networks/contract/network-id.ts";
import type { JsonObject } from "../wire/json.ts";

/**
 * An account on a simulated network, its owner, and the people who write to it. Everything happens on the network,
 * without the library. A function is absent where the network has no such thing.
 *
 * @example
 * const scene = sandbox.mastodon.people({ name: "fox" });
 * await social.profiles.connect({ network: scene.network, credentials: scene.credentials });
 * scene.person("Ann").mention("do you ship to Norway?");
 */
export interface InboxScene {
  /** The network's id. */
  network: NetworkId;
  /** The credentials that connect the account. */
  credentials: JsonObject;
  /** How people name the account in a text, such as `@fox`. */
  handle: string;
  /** The id of the account's post on which people comment. Absent: the network has no comments. */
  post?: string;
  /** The person with this name, of letters and digits; the first call creates them. */
  person(name: string): ScenePerson;
  /** The account's owner. */
  owner: SceneOwner;
  /** The texts of all posts, comments and messages on the network, including the account's own. */
  texts(): string[];
  /** The id of the first text for which this is true; null: there is none. */
  idOf(isWanted: (text: string) => boolean): string | null;
  /** The network's webhooks. Absent: it sends none. */
  hooks?: SceneHooks;
  /** What the account's lists show of what no webhook has reported. */
  lists: {
    /** True: new messages. */
    messages: boolean;
    /** True: edits and deletions. */
    changes: boolean;
  };
  /** True: the account's lists no longer contain the message. Absent: they contain everything. */
  isUnlisted?(id: string): boolean;
  /** Fills the account's lists with events that do not belong in its inbox. */
  disturb?(): void;
}

/** A person. Functions that write return the network's id of the message. */
export interface ScenePerson {
  /** The network's id, as in `author.id`. */
  id: string;
  /** How the account names them in a text. Absent: it cannot. */
  handle?: string;
  /** Sends a private message to the account. */
  dm?(text: string): string;
  /** Comments on the account's post. */
  comment?(text: string): string;
  /** Mentions the account in a post of their own. */
  mention?(text: string): string;
  /** Replies to the message with this id, by the account or another person. */
  reply?(id: string, text: string): string;
  /** Changes the text of their message. False: the network does not allow it for this message. */
  edit?(id: string, text: string): boolean;
  /** Deletes their message. False: the account keeps it. */
  unsend?(id: string): boolean;
  /** Reacts to the private message with this id. */
  react?(id: string, emoji: string): void;
  /** Sends an image without a text to the account. */
  attach?(): string;
  /** Opens the private conversation through a link with this `ref`. */
  follow?(ref: string): void;
}

/** The account's owner, who uses the network's own app. */
export interface SceneOwner {
  /** The network's id of the account. */
  id: string;
  /** Sends a private message to a person. */
  dm?(person: Pick<ScenePerson, "id">, text: string): string;
  /** Replies in public to the message with this id. */
  reply?(id: string, text: string): string;
  /** Deletes another person's private message for themselves. */
  remove?(id: string): boolean;
}

/** A person with these functions. */
export type PersonWho<Can extends keyof ScenePerson> = ScenePerson & Required<Pick<ScenePerson, Can>>;

/** An owner with these functions. */
export type OwnerWho<Can extends keyof SceneOwner> = SceneOwner & Required<Pick<SceneOwner, Can>>;

/** How the simulated network sends webhooks. */
export interface SceneHooks {
  /** Sets the receiver behind the service's URL: `createHandler(social)`. */
  sendTo(handler: (request: Request) => Promise<Response>): void;
  /** Changes how they are sent; the rest stays. */
  change(ways: Partial<HookWays>): void;
  /** The statuses of the responses, in order; 0: there was none. */
  answers(): readonly number[];
  /** Ends the account's subscription, as the network does after many failures. */
  end(): void;
}

/** How webhooks are sent. Default: once, immediately. */
export interface HookWays {
  /** How often each is sent, regardless of the response. @default 1 */
  times: number;
  /** Delay after the event, seconds. @default 0 */
  lateSeconds: number;
  /** True: each is sent at a random time within the delay, so a later event may arrive first. @default false */
  isShuffled: boolean;
  /** True: none is sent. @default false */
  isSilent: boolean;
  /** True: they have an invalid signature. @default false */
  isForged: boolean;
}

/** The owner's words to people who have not written to the account, which do not belong in its inbox. */
export const saidToStrangers = "quite so, said the owner";

/** Returns what `create` created for the same name before, otherwise creates it. */
export function byName<Value>(create: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const value = known.get(name) ?? create(name);
    known.set(name, value);
    return value;
  };
}
