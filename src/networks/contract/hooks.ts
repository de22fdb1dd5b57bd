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
  /** Plain text. */
  text: string;
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
  secret: string;
}

/** A user's request, made at the network, to delete the data of their sign-in. */
export interface Deletion {
  /** The sign-in's part of `Credentials.grant_id`, after the app's id. */
  login: string;
  /** Only connections made before this are meant, milliseconds. Null: the network does not say. */
  before: number | null;
}
