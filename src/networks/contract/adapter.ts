import type * as z from "zod";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { BrowserLogin } from "./browser-login.ts";
import type { OptionChoices } from "./choices.ts";
import type { ErrorTable } from "./errors.ts";
import type { Inbox } from "./inbox.ts";
import type { NetworkId } from "./network-id.ts";
import type { Credentials, Identity } from "./profile.ts";
import type { Publisher } from "./publish.ts";
import type { LoginContext, NetworkContext, NetworkRequest } from "./request.ts";
import type { NetworkSpec } from "./spec.ts";

/**
 * One network: what it accepts (data), how its errors read (data), and a few
 * verbs. The engine calls them; an adapter knows no storage, no service and no
 * other network.
 *
 * `.github/CONTRIBUTING.md` says step by step how one is added. A host writes its
 * own as `examples/own-network` shows.
 */
export interface NetworkAdapter<
  Id extends NetworkId = NetworkId,
  Options extends z.ZodObject = z.ZodObject,
  Credentials extends CredentialsSchema = CredentialsSchema,
> {
  /** What the network accepts. */
  spec: NetworkSpec<z.output<Options>> & { network: Id };
  /**
   * The pass-through keys of `networks.<network>` that this network reads.
   * Strict; each field described. What it gives is stored as JSON, and parsed
   * by it again: it must take what it has given.
   */
  options: Options;
  /** How its refusals read. */
  errors: ErrorTable;
  /** How accounts are connected. */
  connect: Connector<Credentials>;
  /** Options whose values depend on the account. Absent: none do. */
  choices?: OptionChoices;
  /** Absent on networks that only have an inbox. */
  publish?: Publisher<z.output<Options>>;
  /** Absent where nothing is read: the network has no inbox, or the adapter was not asked for it. */
  inbox?: Inbox;
}

/** Of an object of JSON; fields may be left out. */
type CredentialsSchema = z.ZodType<{ [name: string]: Json | undefined }>;

/** What a credential may be made from, and put on. */
export type SignedPart = Pick<NetworkRequest, "method" | "url" | "headers">;

/** What a credential is made with. */
export interface Signing {
  /** The profile's credentials. */
  secret: JsonObject;
  /** Milliseconds since 1970. */
  now(): number;
  /** As many as asked for, from the host's source. */
  randomBytes(length: number): Uint8Array;
}

/** Of an answer, what may tell how the next request is to be signed. */
export interface ResponseHead {
  /** Where the request went. */
  url: string;
  /** As they came; names are found in any case. */
  headers: Headers;
  /** When the answer was there, by the clock that `sign` is given, milliseconds since 1970. */
  at: number;
}

/** How accounts of a network are connected, and how its requests are signed. */
export interface Connector<Schema extends CredentialsSchema = CredentialsSchema> {
  /** What `profiles.connect({ credentials })` takes, each field described. */
  credentials: Schema;
  /**
   * Finds out whose credentials these are and what they allow.
   *
   * @throws PublishingError `reauthentication_required` when they are wrong, `invalid_request` naming what is missing.
   * A message that begins with a credential's name and a colon is shown at that credential
   */
  login(context: LoginContext, credentials: JsonObject): Promise<{ identity: Identity; credentials: Credentials }>;
  /** How an account is connected by a login in its owner's browser. Absent: by credentials alone. */
  browser?: BrowserLogin;
  /** Reads the account again: still there, still allowed, which limits. */
  inspect(context: NetworkContext): Promise<Identity>;
  /**
   * Puts the credential on a request that is about to be sent; what it adds is
   * never stored. Not called for requests that bring their own `authorization`
   * header or want no credential.
   */
  sign(request: SignedPart, signing: Signing): SignedPart | Promise<SignedPart>;
  /**
   * Hears each answer to a request in the name of a profile before it is read: a server may say there what the next
   * credential must hold, as a nonce. It is for `sign`, and kept in memory alone.
   */
  onResponse?(answer: ResponseHead): void;
  /**
   * Trades credentials for newer ones. Called by the profile's holder alone. A
   * request in here is not itself renewed: an old token is the answer. What it
   * leaves out of the secret, or empty, stays as it was.
   *
   * @throws PublishingError `reauthentication_required` only when the network says that they are dead
   */
  refresh?(context: NetworkContext): Promise<Credentials>;
  /**
   * Where the account lives now, asked when the server that it is known on
   * refuses it or cannot be reached. Null: where it did, as far as is known.
   *
   * @throws PublishingError `reauthentication_required` when it lives where these credentials must not go
   */
  relocate?(context: NetworkContext): Promise<Pick<Identity, "host" | "account_facts"> | null>;
  /** Tells the network that the credentials are no longer used. Its failure does not keep a profile connected. */
  revoke?(context: NetworkContext): Promise<void>;
}
