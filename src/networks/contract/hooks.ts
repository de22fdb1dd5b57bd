import type { Json } from "../../wire/json.ts";

/** A request that came to where hooks are received. */
export interface HookRequest {
  method: "GET" | "POST";
  parameters: URLSearchParams;
  headers: Headers;
  /** As they came. */
  bytes: Uint8Array;
  /** When it came, by the store's clock, milliseconds. */
  at: number;
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

/** That the data of somebody's login are to be deleted, as they asked the network. */
export interface Deletion {
  /** What `Credentials.grant_id` names the login by, behind the app's id. */
  login: string;
  /** What was connected before this is meant, milliseconds; null: the network does not say. */
  before: number | null;
}
