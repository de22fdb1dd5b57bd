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

/** Who may read a post. A network that knows no such choice shows it to everybody. */
export type Readers = "public" | "unlisted" | "private" | "direct";

/** In what an account's own server is not like the others: only the scene that made the server reads it. */
export type ServerWays = object;

/** What the tests that are the same for all networks must be told of one. */
export interface Scene {
  network: NetworkName;
  adapter(): NetworkAdapter;
  /** An example of every option. */
  options: OptionExamples;
  /** The kinds of accounts. The first is taken where one is enough. */
  accounts: readonly [AccountKind, ...AccountKind[]];
  /**
   * What every post there needs beside its text, a file among it, as content of the network's own. Absent: a text is
   * enough.
   */
  needs?(sandbox: Pick<Sandbox, "media">): NeededContent;
  /** How a thread goes out; null: there are none. */
  threads: "in one request" | "part by part" | null;
  /** The sandbox's names for requests that make nothing public. */
  operations: Operations;
  /** How often a request is made before anybody looks for what it made: some networks know a repeated request. @default 1 */
  requestsBeforeLook?: number;
  /** Requests that ask the network, beside those after a lost answer, and how long they take. @default none */
  asks?: {
    /** How far what was staged is, before a further request of the same part. */
    beforeAgain: number;
    /** What has become of what it said yes to, and for how long nobody knows, seconds. */
    afterYes: { looks: number; seconds: number };
  };
  contract: Pick<NetworkContractOptions, "cases" | "reads">;
  wire: WireScene;
  refusals: RefusalScene;
  /** The network refuses a text that the account has posted before, and does not say where. @default false */
  refusesEqualTexts?: true;
  /** What becomes of a post, whatever happens to its requests. */
  outcomes: NetworkOutcomes;
  /** Kinds of accounts that only the tables of outcomes name. */
  furtherAccounts?: readonly AccountKind[];
  /** What the adapter does where it is set otherwise, which crash tests alone try. */
  settings?: readonly SettingKind[];
  simulation?: SimulationScene;
  /** The account that the demo publishes on for real, if the environment has its credentials. */
  realAccount?(environment: Readonly<Record<string, string | undefined>>): Connection | null;
}

/** What a network's override holds (`networks.<network>`): content in the place of the post's own, and options without which nothing goes out. */
export type NeededContent = { media: { url: string }[]; title?: string; [option: string]: Json | undefined };

/** A way to be on a network. */
export interface AccountKind {
  /** For people: `bluesky`, `discord bot`. */
  name: string;
  /** The sandbox's name for the request that publishes. */
  commit: string;
  /** And for the one that looks for a post; null: nobody can look. */
  read: string | null;
  /** False: after a lost answer nobody can tell whether the post is there. */
  canBeAsked: boolean;
  /** By which its credentials are renewed, where that is not the scene's. */
  renew?: string;
  /** The same network on a server that is not like the others. @default false */
  isVariant?: true;
  /** What must be there before the first account of the kind. */
  prepare?(sandbox: Sandbox): void;
  /** Each account is on a server of its own, which this makes; returns in what it is not like the others. Such kinds are for simulations only. */
  addServer?(sandbox: Sandbox, name: string, random: Random): ServerWays;
  /** Makes an account of this name, which is of letters and digits, and returns what connects it. */
  connect(sandbox: Sandbox, name: string): Connection;
}

/** A way to be on a network by an adapter that is not set as the scene's is. */
export interface SettingKind extends AccountKind {
  adapter(): NetworkAdapter;
  /** As `Scene.needs`. */
  needs: NonNullable<Scene["needs"]>;
}

export type Connection = Omit<ConnectProfile, "network"> & { network: NetworkName };

export interface Operations {
  /** By which the network is asked whether a post is there; the usual one first. */
  look: readonly [string, ...string[]];
  /** By which a file is uploaded before the post. */
  upload?: string;
  /** By which something is set after the post is there. */
  confirm?: string;
  /** By which credentials are renewed. */
  renew?: string;
}

/** One post on the wire, without the engine, and answers of the real network that are in `fixtures/`. */
export interface WireScene {
  /** What is sent, in words. */
  words: string;
  url: string;
  profile: Partial<CommitInput["profile"]>;
  secret: JsonObject;
  key: string;
  /** What else the request is made from, where it is not made from a text alone. */
  input?: Partial<Pick<CommitInput, "staged" | "first" | "previous">> & { part?: Partial<CommitInput["part"]> };
  /** What its file, or slice of one, holds. Absent: no file goes along. */
  file?: string;
  /** What leaves for the text "Hello from the wire", created at 2026-11-21T12:00:00.000Z. @default method: POST */
  sent: { method?: string; headers: Readonly<Record<string, string | RegExp>>; body: JsonObject | string };
  /** `isWithoutUrl`: only a later answer tells where the post is. */
  accepted: { fixture: string } & ({ id: string; isWithoutUrl?: true } | { job: Json });
  refused: readonly RefusedFixture[];
}

export type RefusedFixture = { fixture: string } & (
  | { effect: "none"; code: string }
  | { effect: "later"; remedy: string; waitMs: number | null }
);

/** What a network says when it refuses: its machine code, where it has such, and its words. */
export interface Said {
  status: number;
  code?: string;
  words: string;
}

export interface RefusalScene {
  /** A refusal as the network writes it. */
  answer(said: Said): SandboxAnswer;
  /** Refused for now, and how the network says until when. Milliseconds since 1970. */
  limited(time: { now: number; endsAt: number }): SandboxAnswer;
  /** What is told leaves out what is below a second, so that a second more is waited. @default false */
  tellsWholeSeconds?: true;
  /** Where rows come in that are of another request than the one for a plain post, by their operation. @default none */
  elsewhere?: Readonly<Record<string, RefusedElsewhere>>;
  /** What requests are for that only answers in an inbox make: rows that go by them are tried there. */
  inInbox?: string;
}

export interface RefusedElsewhere {
  /** What makes the network's request, in the post's override of it. */
  options: JsonObject;
  /** The request comes before the post, which is then not made. The post has a picture. @default false */
  isBefore?: true;
  /** As faults of the sandbox name the request. */
  operation: string;
}

/** What only the simulated week asks. */
export interface SimulationScene {
  /** Access that runs out runs out now. */
  expireCredentials?(sandbox: Sandbox): void;
  /** The options of a post for these readers. */
  optionsFor?(visibility: Readers): JsonObject;
  /** The owner of an account posts past the library; returns the post's id. Null: not on such an account. */
  postByHand?(sandbox: Sandbox, post: PostByHand): string | null;
  /** The owner takes back what connects an account, and allows it again, which gives what connects it from then on. Absent: owners never do. */
  login?: {
    revoke(sandbox: Sandbox, connected: ConnectedAccount): void;
    allowAgain(sandbox: Sandbox, connected: ConnectedAccount): Connection;
  };
  /** Why the network no longer takes this account's login, though nobody took it back; null: it does. Absent: that cannot be. */
  lockedOut?(sandbox: Sandbox, externalId: string): string | null;
  /** Why the outcome of a part need not be told; null: it must be. Absent: it always must. */
  excuse?(doubt: PartInDoubt): string | null;
  /** What is wrong with a part that stands there, past its text; null: nothing. */
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

/** A part whose outcome nobody knows, and what can be known of its account. */
export interface PartInDoubt {
  kind: AccountKind;
  /** Null: its network has no servers of its own. */
  ways: ServerWays | null;
  text: MarkedText;
  /** As it was asked for. */
  visibility: Readers;
  /** Its place in the thread, from 0. */
  part: number;
  hasFiles: boolean;
  /** It stands on the network. */
  isLive: boolean;
  /** The owner posted something similar at the time. */
  hasSimilar: boolean;
  /** How many posts the account has. */
  posts: number;
}

/** Of an account that is connected by a token alone. */
export function tokenOf({ credentials }: Connection): string {
  return String(credentials.access_token);
}

/** Why nobody can tell where a network shows no handle and the owner has posted something like it. */
export function ownersSimilarPost({ hasSimilar, isLive }: PartInDoubt): string | null {
  return hasSimilar && !isLive ? "the owner posted something similar" : null;
}

/**
 * Where each token is good for one renewal. That an old token is never kept over a new one is `network-hunt.ts`'s to see.
 */
export function lockedOutOn(
  network: "bluesky" | "instagram" | "pinterest" | "threads" | "tiktok" | "x",
): NonNullable<SimulationScene["lockedOut"]> {
  return (sandbox, externalId) =>
    sandbox[network].wasLockedOut(externalId)
      ? "the answer with the next token was lost, and the last one is used"
      : null;
}
