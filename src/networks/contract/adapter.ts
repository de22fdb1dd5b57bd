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
 * One network: what it accepts (data), how to read its errors (data), and a few functions. The engine calls them. An
 * adapter knows no storage, no service and no other network.
 *
 * `.github/CONTRIBUTING.md` explains step by step how to add one. A host can write its own: see `examples/own-network`.
 */
export interface NetworkAdapter<
  Id extends NetworkId = NetworkId,
  Options extends z.ZodObject = z.ZodObject,
  Credentials extends CredentialsSchema = CredentialsSchema,
> {
  /** The network's rules and limits. */
  spec: NetworkSpec<z.output<Options>> & { network: Id };
  /**
   * The pass-through keys of `networks.<network>` that this network reads. Strict; each field described. Its output is
   * stored as JSON and parsed by it again, so it must accept its own output.
   */
  options: Options;
  /** How to read the network's error responses. */
  errors: ErrorTable;
  /** How accounts are connected. */
  connect: Connector<Credentials>;
  /** Options whose values depend on the account. Absent: none do. */
  choices?: OptionChoices;
  /** Absent: the network has only an inbox. */
  publish?: Publisher<z.output<Options>>;
  /** Absent: the network has no inbox, or the host did not enable it on the adapter. */
  inbox?: Inbox;
}

/** The schema of a JSON object. Fields may be absent. */
type CredentialsSchema = z.ZodType<{ [name: string]: Json | undefined }>;

/** The parts of a request that a signature may cover, and to which it is added. */
export type SignedPart = Pick<NetworkRequest, "method" | "url" | "headers">;

/** The input of signing. */
export interface Signing {
  /** The profile's credentials. */
  secret: JsonObject;
  /** Milliseconds since 1970. */
  now(): number;
  /** Random bytes from the host's source. */
  randomBytes(length: number): Uint8Array;
}

/** The parts of a response that may say how to sign the next request. */
export interface ResponseHead {
  /** The request's URL. */
  url: string;
  /** As received. Names are case-insensitive. */
  headers: Headers;
  /** When the response arrived, by the clock that `sign` gets, milliseconds since 1970. */
  at: number;
}

/** How to connect accounts of a network, and how to sign its requests. */
export interface Connector<Schema extends CredentialsSchema = CredentialsSchema> {
  /** The fields of `profiles.connect({ credentials })`, each described. */
  credentials: Schema;
  /**
   * Finds out whose credentials these are and what they allow.
   *
   * @throws PublishingError `reauthentication_required` when they are wrong, `invalid_request` naming what is missing.
   * If the message begins with a credential's name and a colon, it is shown at that credential
   */
  login(context: LoginContext, credentials: JsonObject): Promise<{ identity: Identity; credentials: Credentials }>;
  /** How to connect an account through a sign-in in its owner's browser. Absent: only with credentials. */
  browser?: BrowserLogin;
  /** Reads the account again: whether it still exists and still grants access, and its limits. */
  inspect(context: NetworkContext): Promise<Identity>;
  /**
   * Adds the credential to a request right before it is sent. The signed request is never stored. Not called for
   * requests that have their own `authorization` header or need no credential.
   */
  sign(request: SignedPart, signing: Signing): SignedPart | Promise<SignedPart>;
  /**
   * Called with each response to a profile's request, before the response is read. A server may return what the next
   * credential must contain, such as a nonce. Keep it for `sign`, only in memory.
   */
  onResponse?(answer: ResponseHead): void;
  /**
   * Exchanges credentials for newer ones. Only the process that holds the profile's lease calls it. A request in here
   * does not trigger another refresh: an expired token fails it. Fields that are absent or empty in the returned secret
   * keep their old values.
   *
   * @throws PublishingError `reauthentication_required` only when the network says that the credentials are no longer
   * valid
   */
  refresh?(context: NetworkContext): Promise<Credentials>;
  /**
   * Finds the account's current server. Called when the known server refuses the account or cannot be reached. Null: no
   * other server is known.
   *
   * @throws PublishingError `reauthentication_required` when these credentials must not be sent to the new server
   */
  relocate?(context: NetworkContext): Promise<Pick<Identity, "host" | "account_facts"> | null>;
  /** Tells the network that the credentials are no longer used. If it fails, the profile is disconnected all the same. */
  revoke?(context: NetworkContext): Promise<void>;
}
