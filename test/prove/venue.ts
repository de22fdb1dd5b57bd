import type { Clock } from "../../src/clock.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";

/** Where the posts of an arena go: networks, accounts on them, and what they show. */
export interface Venue {
  /** Answers in the networks' place. */
  http: typeof fetch;
  /** Does this request make something public? */
  isCommit(request: Pick<Request, "method" | "url" | "headers">): boolean;
  accounts: readonly VenueAccount[];
  /** The address of a picture. */
  picture: string;
  /** Bluesky's server, where it is not the public one. */
  blueskyService?: string;
  /** From now on requests go wrong. */
  spoil(): void;
  close(): Promise<void>;
}

/** Opens one whose clock is the arena's. */
export type OpenVenue = (clock: Clock) => Promise<Venue>;

export interface VenueAccount {
  /** For people: `mastodon 3`. */
  name: string;
  connection: { network: "bluesky" | "mastodon" | "discord"; credentials: Record<string, string> };
  threads: boolean;
  canBeAsked: boolean;
  /** All that stands under it, oldest first. */
  posts(): Promise<SandboxPost[]>;
}
