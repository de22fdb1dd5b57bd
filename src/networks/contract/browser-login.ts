import type * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { LoginContext } from "./request.ts";

/** How accounts are connected by a login in their owner's browser, on the network's own pages. */
export interface BrowserLogin {
  /** What `connections.start({ login })` takes: what must be known before there is a page. Strict; each field described. */
  input: z.ZodObject;
  /**
   * The host of the server that somebody logs in on, where people choose their own: `social.example`. It becomes part of
   * the address that browsers come back to, so that one server's code is never accepted as another's. Absent: all log in at one
   * place, or each way back names its server (`iss`), which `finish` checks.
   *
   * @throws PublishingError as `begin`
   */
  server?(input: JsonObject): string;
  /**
   * Where the browser is sent.
   *
   * @throws PublishingError `invalid_request`: a message that begins with a field's name and a colon is shown at that field
   */
  begin(context: BrowserLoginContext, input: JsonObject): Promise<LoginPage>;
  /**
   * The accounts behind the login, once the browser is back. Called once: what it
   * trades is used up by it.
   *
   * @throws LoginFailed when the login brought nothing that can be connected
   */
  finish(context: BrowserLoginContext, back: LoginReturn): Promise<AccountChoice[]>;
  /**
   * What the network reads about the host's app before it shows the page, by names such as `keys.json`: each is served
   * beside the address that browsers come back to, to everybody. Nothing secret is in them. Absent: nothing is read.
   */
  documents?(place: Pick<BrowserLoginContext, "redirectUri">): Promise<Readonly<Record<string, JsonObject>>>;
  /**
   * What the network calls it when a login ends on its pages: that the person refused, or that the app may not ask for
   * what it asks. Absent: OAuth's own words say so.
   */
  errors?: Readonly<Record<string, "access_denied" | "app_refused">>;
}

/** What a browser login works with. */
export interface BrowserLoginContext extends LoginContext {
  /** The account of the service that somebody logs in for. */
  accountId: string;
  /** Where the network sends the browser back to; to be registered there to the letter. */
  redirectUri: string;
  /** Tells this login from all others; the network hands it back. */
  state: string;
  /** As many as asked for, from the host's source. */
  randomBytes(length: number): Uint8Array;
  /** From here on no error repeats the tokens and secrets in this answer; they are known by their names. */
  conceal(answer: unknown): void;
  /** Apps that the adapter registers by itself, shared by all accounts. */
  apps: RegisteredApps;
}

/** Where registrations of apps are kept, encrypted. */
export interface RegisteredApps {
  /** The one kept under `key`, or else what `register` returns. */
  get(key: string, register: () => Promise<JsonObject>): Promise<JsonObject>;
  /** The network does not know it any more: the next `get` registers anew. */
  forget(key: string): Promise<void>;
}

/** Where a login begins. */
export interface LoginPage {
  /** The network's page. */
  url: string;
  /** What `finish` needs again. Encrypted at rest. */
  keep: JsonObject;
}

/** A browser that is back from the network. */
export interface LoginReturn {
  /** What the network has put into the address, but for its errors. */
  parameters: Readonly<Record<string, string>>;
  /** What `begin` kept. */
  keep: JsonObject;
}

/** An account that the login reaches. */
export interface AccountChoice {
  /** Its `external_id`. */
  id: string;
  /** What it is called where people see it. */
  name: string;
  /** What people call it on the network; null: it has no such name. */
  handle: string | null;
  /** Its picture; null: none. */
  avatar_url: string | null;
  /** What `Connector.login` connects it with. Encrypted at rest. */
  credentials: JsonObject;
}

/** Why a login ended without an account. */
export type LoginFailure =
  | /** The person has not allowed all that is needed. */ "missing_scope"
  /** There is nothing behind the login that could be connected. */
  | "no_account"
  /** The network does not know the host's app, or not its secret. */
  | "app_refused"
  /** The network did not take what it had sent the browser back with. */
  | "login_failed";

/** A login brought nothing. The message says what to do. */
export class LoginFailed extends Error {
  override readonly name = "LoginFailed";
  readonly reason: LoginFailure;

  constructor(reason: LoginFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
