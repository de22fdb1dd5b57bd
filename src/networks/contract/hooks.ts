import type { Json } from "../../wire/json.ts";
import type { Fact, InboxContext } from "./inbox.ts";

/** How a network tells by itself what happens on an account: it sends requests to `{baseUrl}/hooks/{network}/{app id}`. */
export interface Hooks {
  /**
   * The secrets by which requests about the host's app of this id are known, the newest first; none: the host has no
   * such app.
   *
   * @param accountIds accounts of the service that may have such an app
   */
  secrets(appId: string, accountIds: readonly string[]): Promise<readonly string[]>;
  /** What to answer to a question whether somebody listens here; null: the request is none. Pure. */
  handshake(request: HookRequest, secrets: readonly string[]): HookAnswer | null;
  /** Does the request come from the network, with one of the secrets? Over the bytes as they came. Pure. */
  isGenuine(request: HookRequest, secrets: readonly string[]): boolean;
  /** What a genuine request tells. Pure. @throws PublishingError `invalid_request` where it cannot be read */
  events(request: HookRequest): readonly HookEvent[];
  /** What one of its events says of the account's inbox; it may ask the network. @throws PublishingError */
  read(context: InboxContext, body: Json): Promise<readonly Fact[]>;
  /** Asks the network to send what happens on the account. Repeating it is harmless. @throws PublishingError */
  subscribe(context: InboxContext, to: HookTarget): Promise<void>;
}

/** A request that came to where hooks are received. */
export interface HookRequest {
  method: "GET" | "POST";
  parameters: URLSearchParams;
  headers: Headers;
  /** As they came. */
  bytes: Uint8Array;
}

export interface HookAnswer {
  status: number;
  /** Plain text. */
  text: string;
}

/** One thing that a network tells. */
export interface HookEvent {
  /** The same each time it is sent: the network's own id, or a hash of it. */
  id: string;
  /** Whose inbox it is about: the account's id on the network. */
  account: string;
  /** For `Hooks.read`. */
  body: Json;
}

/** Where a network is asked to send. */
export interface HookTarget {
  /** Of this service. */
  url: string;
  appId: string;
  secret: string;
}
