import type { Clock } from "../../src/ports/clock.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import type { ReceivedDelivery } from "../../src/sandbox/receivers.ts";
import type { Connection, NeededContent } from "../networks/scene.ts";

/** Where the posts of an arena go: networks, accounts on them, and what they show; and who hears of it. */
export interface Venue {
  /** Answers in the networks' place. */
  http: typeof fetch;
  /** Does this request make something public? */
  isCommit(request: Pick<Request, "method" | "url" | "headers">): boolean;
  accounts: readonly VenueAccount[];
  /** The address of a picture. */
  picture: string;
  /** Where webhooks are delivered. */
  receiver: VenueReceiver;
  /** Bluesky's server, where it is not the public one. */
  blueskyService?: string;
  /** From now on requests go wrong. */
  spoil(): void;
  close(): Promise<void>;
}

export interface VenueReceiver {
  url: string;
  /** All that it has taken, in order. */
  taken(): ReceivedDelivery[];
}

/** Opens one whose clock is the arena's. */
export type OpenVenue = (clock: Clock) => Promise<Venue>;

export interface VenueAccount {
  /** For people: `mastodon 3`. */
  name: string;
  connection: Connection;
  threads: boolean;
  /** What a post needs there beside its text. Absent: nothing. */
  needs?: NeededContent | undefined;
  canBeAsked: boolean;
  /** All that stands under it, oldest first. */
  posts(): Promise<SandboxPost[]>;
}
