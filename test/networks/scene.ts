import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { ConnectProfile } from "../../src/profiles/schema.ts";
import type { SandboxAnswer } from "../../src/sandbox/exchange.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import type { SimulatedNetworks } from "../../src/sandbox/networks.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { NetworkContractOptions } from "../../src/testing/network.ts";
import type { Json, JsonObject } from "../../src/wire/json.ts";
import type { Random } from "../prove/random.ts";
import type { NetworkOutcomes } from "../publishing/expected/account-rules.ts";
import type { MarkedText } from "../support/marked-texts.ts";
import type { OptionExamples } from "./option-examples.ts";

export type NetworkName = Exclude<keyof SimulatedNetworks, "twitch">;

/** Who may read a post. A network without this choice shows it to the public. */
export type Readers = "public" | "unlisted" | "private" | "direct";

/** How an account's own server differs from the others; only the scene that made the server reads it. */
export type ServerWays = object;

/** One network's data for the tests that all networks share. */
export interface Scene {
  network: NetworkName;
  adapter(): NetworkAdapter;
  /** An example of every option. */
  options: OptionExamples;
  /** The kinds of accounts. Tests that need only one take the first. */
  accounts: readonly [AccountKind, ...AccountKind[]];
  /**
   * The content that every post needs beside its text, such as a file, as an override for the network. Absent: a text is
   * enough.
   */
  needs?(sandbox: Pick<Sandbox, "media">): NeededContent;
  /** How a thread is published; null: the network has no threads. */
  threads: "in one request" | "part by part" | null;
  /** The sandbox's names for requests that publish nothing. */
  operations: Operations;
  /** How often a request is sent before the first look: some networks recognize a repeated request. @default 1 */
  requestsBeforeLook?: number;
  /** Requests that read the network's state, beside those after a lost response, and their duration. @default none */
  asks?: {
    /** Requests that read the upload's progress, before a further request of the same part. */
    beforeAgain: number;
    /** Requests that read the outcome of an accepted job, and for how long it stays unknown, seconds. */
    afterYes: { looks: number; seconds: number };
  };
  contract: Pick<NetworkContractOptions, "cases" | "reads">;
  wire: WireScene;
  refusals: RefusalScene;
  /** The network rejects a text that the account has posted before, and does not name the post. @default false */
  refusesEqualTexts?: true;
  /** A post's outcome for each fault of its requests. */
  outcomes: NetworkOutcomes;
  /** Kinds of accounts that only the tables of outcomes use. */
  furtherAccounts?: readonly AccountKind[];
  /** Variants with other adapter settings; only crash tests use them. */
  settings?: readonly SettingKind[];
  simulation?: SimulationScene;
  /** The real account that the demo publishes on, if the environment has its credentials. */
  realAccount?(environment: Readonly<Record<string, string | undefined>>): Connection | null;
}

/** A network's override (`networks.<network>`): content that replaces the post's own, and required options. */
export type NeededContent = { media: { url: string }[]; title?: string; [option: string]: Json | undefined };

/** A kind of account on a network. */
export interface AccountKind {
  /** A readable name: `bluesky`, `discord bot`. */
  name: string;
  /** The sandbox's name for the request that publishes. */
  commit: string;
  /** And for the one that looks for a post; null: no look is possible. */
  read: string | null;
  /** False: after a lost response, nothing shows whether the post is there. */
  canBeAsked: boolean;
  /** The request that renews its credentials, if it is not the scene's. */
  renew?: string;
  /** The same network on a server that differs from the others. @default false */
  isVariant?: true;
  /** Prepares the network for the first account of the kind. */
  prepare?(sandbox: Sandbox): void;
  /** Makes the server of one account; returns how it differs from the others. Such kinds are for simulations only. */
  addServer?(sandbox: Sandbox, name: string, random: Random): ServerWays;
  /** Makes an account with this name of letters and digits; returns its credentials. */
  connect(sandbox: Sandbox, name: string): Connection;
}

/** A kind of account on an adapter with other settings than the scene's. */
export interface SettingKind extends AccountKind {
  adapter(): NetworkAdapter;
  /** As `Scene.needs`. */
  needs: NonNullable<Scene["needs"]>;
}

export type Connection = Omit<ConnectProfile, "network"> & { network: NetworkName };

export interface Operations {
  /** The requests that look for a post; the usual one first. */
  look: readonly [string, ...string[]];
  /** The request that uploads a file before the post. */
  upload?: string;
  /** The request that adds something after the post is there. */
  confirm?: string;
  /** The request that renews credentials. */
  renew?: string;
}

/** One post on the wire, without the engine, and the real network's responses in `fixtures/`. */
export interface WireScene {
  /** The request in words. */
  words: string;
  url: string;
  profile: Partial<CommitInput["profile"]>;
  secret: JsonObject;
  key: string;
  /** The request's other input, beside the text. */
  input?: Partial<Pick<CommitInput, "staged" | "first" | "previous">> & { part?: Partial<CommitInput["part"]> };
  /** The content of its file, or of a slice of one. Absent: no file. */
  file?: string;
  /** The request for the text "Hello from the wire", created at 2026-11-21T12:00:00.000Z. @default method: POST */
  sent: { method?: string; headers: Readonly<Record<string, string | RegExp>>; body: JsonObject | string };
  /** `isWithoutUrl`: only a later response has the post's URL. */
  accepted: { fixture: string } & ({ id: string; isWithoutUrl?: true } | { job: Json });
  refused: readonly RefusedFixture[];
}

export type RefusedFixture = { fixture: string } & (
  | { effect: "none"; code: string }
  | { effect: "later"; remedy: string; waitMs: number | null }
);

/** A network's refusal: its error code, if it has one, and its message. */
export interface Said {
  status: number;
  code?: string;
  words: string;
}

export interface RefusalScene {
  /** A refusal in the network's format. */
  answer(said: Said): SandboxAnswer;
  /** A temporary refusal with its end in the network's format. Milliseconds since 1970. */
  limited(time: { now: number; endsAt: number }): SandboxAnswer;
  /** The network omits fractions of a second, so the service waits a second longer. @default false */
  tellsWholeSeconds?: true;
  /** The requests that meet rows of other operations than the plain post's. @default none */
  elsewhere?: Readonly<Record<string, RefusedElsewhere>>;
  /** Operations that only inbox replies use; inbox tests try the rows for them. */
  inInbox?: string;
}

export interface RefusedElsewhere {
  /** The post's override that causes the request. */
  options: JsonObject;
  /** The request precedes the post, so its failure prevents the post. The post has an image. @default false */
  isBefore?: true;
  /** The request's name in the sandbox's faults. */
  operation: string;
}

/** Functions that only the simulated week uses. */
export interface SimulationScene {
  /** Makes expiring access expire now. */
  expireCredentials?(sandbox: Sandbox): void;
  /** The options of a post for these readers. */
  optionsFor?(visibility: Readers): JsonObject;
  /** An account's owner posts without the library; returns the post's id. Null: not possible on such an account. */
  postByHand?(sandbox: Sandbox, post: PostByHand): string | null;
  /** An account's owner revokes its credentials and grants access again; returns the new credentials. Absent: owners never do. */
  login?: {
    revoke(sandbox: Sandbox, connected: ConnectedAccount): void;
    allowAgain(sandbox: Sandbox, connected: ConnectedAccount): Connection;
  };
  /** Why the network no longer accepts this account's credentials, although the owner has not revoked them; null: it accepts them. Absent: that cannot happen. */
  lockedOut?(sandbox: Sandbox, externalId: string): string | null;
  /** Why a part's outcome may stay unknown; null: it must be known. Absent: it must always be known. */
  excuse?(doubt: PartInDoubt): string | null;
  /** What is wrong with a published part, apart from its text; null: nothing. */
  complaint?(shown: SandboxPost, asked: { visibility: Readers; part: number; ways: ServerWays | null }): string | null;
}

export interface ConnectedAccount {
  externalId: string;
  connection: Connection;
}

export interface PostByHand extends ConnectedAccount {
  text: string;
  visibility: Readers;
}

/** A part with an unknown outcome, and the facts about its account. */
export interface PartInDoubt {
  kind: AccountKind;
  /** Null: its network has no separate servers. */
  ways: ServerWays | null;
  text: MarkedText;
  /** As requested. */
  visibility: Readers;
  /** Its place in the thread, from 0. */
  part: number;
  hasFiles: boolean;
  /** True: it is on the network. */
  isLive: boolean;
  /** True: the owner posted something similar at the time. */
  hasSimilar: boolean;
  /** How many posts the account has. */
  posts: number;
}

/** Credentials of an account that is connected with only a token. */
export function tokenOf({ credentials }: Connection): string {
  return String(credentials.access_token);
}

/** Why an outcome stays unknown if a network shows no handle and the owner has posted something similar. */
export function ownersSimilarPost({ hasSimilar, isLive }: PartInDoubt): string | null {
  return hasSimilar && !isLive ? "the owner posted something similar" : null;
}

/**
 * For networks where each token works for one renewal. `network-hunt.ts` checks that an old token never replaces a new one.
 */
export function lockedOutOn(
  network: "bluesky" | "instagram" | "pinterest" | "threads" | "tiktok" | "x",
): NonNullable<SimulationScene["lockedOut"]> {
  return (sandbox, externalId) =>
    sandbox[network].wasLockedOut(externalId)
      ? "the answer with the next token was lost, and the last one is used"
      : null;
}
