import type { Json } from "../../wire/json.ts";

/** A request to the URL that receives a network's webhooks. */
export interface HookRequest {
  method: "GET" | "POST";
  parameters: URLSearchParams;
  headers: Headers;
  /** As received. */
  bytes: Uint8Array;
  /** When it arrived, by the store's clock, milliseconds. */
  at: number;
}

export interface HookAnswer {
  status: number;
  /** The body. Empty: none. */
  text: string;
  /** The type of `text`. @default "text/plain" */
  type?: "text/plain" | "application/json";
}

/**
 * How a network signs its webhooks. Every function is pure. Whatever a request contains, none of them throws, and
 * signatures are compared in constant time.
 */
export interface HookForm {
  /** True: the headers hold a signature, as every `POST` from the network does. Checked before the body is read. */
  isSigned(headers: Headers): boolean;
  /** The response to the network's verification of the webhook URL. Null: the request is no verification. `keys`: as in `isGenuine`. */
  handshake(request: HookRequest, keys: readonly string[]): HookAnswer | null;
  /**
   * True: the request comes from the network. It is signed over the received bytes, and not older than `maxAgeSeconds`.
   *
   * @param keys one of them has signed: secrets, or public keys in PEM, newest first
   */
  isGenuine(request: HookRequest, keys: readonly string[]): boolean;
  /** How old a signature may be. Null: the network does not sign when it was made. */
  readonly maxAgeSeconds: number | null;
  /** The status of the response to a wrong signature. @default 403 */
  readonly refusalStatus?: number;
}

/** Who signs a network's webhooks. The service finds the keys. */
export type HookSigning = SignedByApp;

/** Secrets of the host's app sign. The URL of the webhooks ends with the app's id. */
export interface SignedByApp {
  by: "app";
  /** The host's app for all accounts. Null: each account may have its own. */
  appOfAll: SigningApp | null;
  /** The app of an account. Null: it has none. Throws what the host's function for it throws. */
  appOf(accountId: string): Promise<SigningApp | null>;
}

/** The host's app at a network. */
export interface SigningApp {
  id: string;
  /** The secret that authenticates the app at the network. */
  secret: string;
  /** The secrets that sign its webhooks, newest first. */
  signingSecrets: readonly string[];
}

/** One event from a network. */
export interface HookEvent {
  /** The same each time the event is sent: the network's own id, or a hash of the event. */
  id: string;
  /** The network's id of the account whose inbox this concerns. */
  account: string;
  /** The input for `Hooks.read`. */
  body: Json;
}

/** The recipient of a network's webhooks: an app and its URL. */
export interface HookTarget {
  /** The service's URL for them. */
  url: string;
  appId: string;
  /** `SigningApp.secret`. */
  secret: string;
}

/** A user's request, made at the network, to delete the data of their sign-in. */
export interface Deletion {
  /** The sign-in's part of `Credentials.grant_id`, after the app's id. */
  login: string;
  /** Only connections made before this are meant, milliseconds. Null: the network does not say. */
  before: number | null;
}
