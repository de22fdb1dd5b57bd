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
export type HookSigning = SignedByApp | SignedBySubscription | SignedByPublicKey;

/** Secrets of the host's app sign. The URL of the webhooks ends with the app's id. */
export interface SignedByApp {
  by: "app";
  /** The host's app for all accounts. Null: each account may have its own. */
  appOfAll: SigningApp | null;
  /** The app of an account. Null: it has none. Throws what the host's function for it throws. */
  appOf(accountId: string): Promise<SigningApp | null>;
}

/** Each subscription has its own secret, which `Hooks.subscribe` returns. The URL of an inbox's webhooks ends with its id. */
export interface SignedBySubscription {
  by: "subscription";
}

/** The network signs with one key of its own, whoever's app it is. The URL of the webhooks ends with the app's id. */
export interface SignedByPublicKey {
  by: "public key";
  /** Where the public key is. It is read there once a day, and when a signature does not match, at most once a minute. */
  url: string;
  /** The key in the response's body, in PEM. Null: there is none. Pure. */
  keyIn(body: unknown): string | null;
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
  /** The host's app that issued the profile's credentials. Empty: unknown, which only a subscription's own secret allows. */
  appId: string;
  /**
   * Signed by the app: `SigningApp.secret`. By the subscription: its newest secret, or empty if none is stored, and then
   * a subscription with this URL has a secret that nobody knows. By a public key: empty.
   */
  secret: string;
}

/** The state of a subscription at the network. */
export interface HookSubscription {
  /** `asked`: the network has not confirmed yet, and the service soon asks again. */
  state: "confirmed" | "asked";
  /** The secret that signs the subscription's webhooks, if a new one was made. */
  secret?: string;
  /** What the app's owner must set at the network by hand. `asked` then lasts until the first webhook. */
  byHand?: HookSetup;
}

/** What the app's owner sets at a network that offers no request for it. */
export interface HookSetup {
  /** The URL for webhooks. */
  url: string;
  /** The token that the network sends when it verifies the URL. Absent: it sends none. */
  verify_token?: string;
}

/** A user's request, made at the network, to delete the data of their sign-in. */
export interface Deletion {
  /** The sign-in's part of `Credentials.grant_id`, after the app's id. */
  login: string;
  /** Only connections made before this are meant, milliseconds. Null: the network does not say. */
  before: number | null;
}
