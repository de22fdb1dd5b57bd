import type * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { LoginContext } from "./request.ts";

/** How to connect accounts through a sign-in in the owner's browser, on the network's own pages. */
export interface BrowserLogin {
  /** The fields of `connections.start({ login })`, needed before the sign-in page has a URL. Strict; each field described. */
  input: z.ZodObject;
  /**
   * The host of the server that the user signs in on, for networks where users choose one: `social.example`. It becomes
   * part of the redirect URL, so that a code of one server is never accepted as another's. Absent: all users sign in at
   * one place, or each redirect names its server (`iss`), which `finish` checks.
   *
   * @throws PublishingError like `begin`
   */
  server?(input: JsonObject): string;
  /**
   * Returns the page to which the browser is sent.
   *
   * @throws PublishingError `invalid_request`. If the message begins with a field's name and a colon, it is shown at
   * that field
   */
  begin(context: BrowserLoginContext, input: JsonObject): Promise<LoginPage>;
  /**
   * Returns the accounts of the sign-in, after the browser is back. Called once, because it uses up the code.
   *
   * @throws LoginFailed when the sign-in has nothing that can be connected
   */
  finish(context: BrowserLoginContext, back: LoginReturn): Promise<AccountChoice[]>;
  /**
   * Public documents about the host's app that the network reads before it shows the page, by names such as
   * `keys.json`. They are served next to the redirect URL and hold no secrets. Absent: the network reads none.
   */
  documents?(place: Pick<BrowserLoginContext, "redirectUri">): Promise<Readonly<Record<string, JsonObject>>>;
  /**
   * The network's error codes when a sign-in ends on its pages: the user refused, or the app requested what it may not.
   * Absent: only OAuth's own codes.
   */
  errors?: Readonly<Record<string, "access_denied" | "app_refused">>;
}

/** The context of a browser sign-in. */
export interface BrowserLoginContext extends LoginContext {
  /** The account of the service that the user signs in for. */
  accountId: string;
  /** The redirect URL. It must be registered at the network, character for character. */
  redirectUri: string;
  /** Identifies this sign-in. The network returns it. */
  state: string;
  /** Random bytes from the host's source. */
  randomBytes(length: number): Uint8Array;
  /** From now on no error message repeats the tokens and secrets of this response, which are found by their field names. */
  conceal(answer: unknown): void;
  /** Apps that the adapter registers automatically, shared by all accounts. */
  apps: RegisteredApps;
}

/** Stores registrations of apps, encrypted. */
export interface RegisteredApps {
  /** Returns the registration stored under `key`; without one, stores and returns the result of `register`. */
  get(key: string, register: () => Promise<JsonObject>): Promise<JsonObject>;
  /** Call this when the network no longer knows the app: the next `get` registers a new one. */
  forget(key: string): Promise<void>;
}

/** The start of a sign-in. */
export interface LoginPage {
  /** The URL of the network's page. */
  url: string;
  /** Data that `finish` needs. Encrypted at rest. */
  keep: JsonObject;
}

/** The browser's return from the network. */
export interface LoginReturn {
  /** The query parameters from the network, without its errors. */
  parameters: Readonly<Record<string, string>>;
  /** The data that `begin` returned in `keep`. */
  keep: JsonObject;
}

/** An account that can be connected after the sign-in. */
export interface AccountChoice {
  /** Its `external_id`. */
  id: string;
  /** The display name. */
  name: string;
  /** The account's handle on the network. Null: it has none. */
  handle: string | null;
  /** The URL of the avatar. Null: none. */
  avatar_url: string | null;
  /** The credentials for `Connector.login`. Encrypted at rest. */
  credentials: JsonObject;
}

/** Why a sign-in ended without an account. */
export type LoginFailure =
  | /** The user did not grant all required scopes. */ "missing_scope"
  /** The sign-in has no account that can be connected. */
  | "no_account"
  /** The network does not know the host's app, or not its secret. */
  | "app_refused"
  /** The network rejected the code that it had sent with the browser. */
  | "login_failed";

/** A sign-in yielded no account. The message says what to do. */
export class LoginFailed extends Error {
  override readonly name = "LoginFailed";
  readonly reason: LoginFailure;

  constructor(reason: LoginFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
