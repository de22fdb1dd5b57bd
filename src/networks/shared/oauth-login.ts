import { isoTime } from "../../ports/clock.ts";
import { documentedObject } from "../../wire/documented-object.ts";
import {
  type AccountChoice,
  type BrowserLogin,
  type BrowserLoginContext,
  LoginFailed,
} from "../contract/browser-login.ts";
import type { Identity } from "../contract/profile.ts";
import { assertScopes, loginPage, type OAuthClient, type OAuthTable, type Tokens, tradeCode } from "./oauth2.ts";

/** What is a network's own in a login on its pages. */
export interface OAuthLogin<Client extends OAuthClient> {
  table: OAuthTable;
  /** The host's app, for an account of the service. */
  clientOf(accountId: string): Promise<Client>;
  /** Scopes without which nothing can be connected. */
  wanted: readonly string[];
  /** Scopes that are asked for besides. @default none */
  further?: readonly string[];
  /** What the person has allowed; null: the network does not say. @default as it stands beside the token */
  grantedBy?(tokens: Tokens): readonly string[] | null;
  /** `BrowserLogin.errors`. */
  errors?: BrowserLogin["errors"];
  /** The accounts that the login reaches. @throws LoginFailed */
  accounts(context: BrowserLoginContext, login: Login<Client>): Promise<AccountChoice[]>;
}

/** A login that has come about. */
export interface Login<Client extends OAuthClient> {
  client: Client;
  tokens: Tokens;
  /** What was allowed; where the network does not say, all that was asked for. */
  granted: readonly string[];
}

/** A login in which a code is traded for tokens that say what they allow. */
export function oauthLogin<Client extends OAuthClient>(own: OAuthLogin<Client>): BrowserLogin {
  const { table, clientOf, wanted, further = [], errors } = own;
  const asked = [...wanted, ...further];
  return {
    input: documentedObject({}),
    ...(errors === undefined ? {} : { errors }),

    async begin(context) {
      return loginPage(table, context, { app: await clientOf(context.accountId), scopes: asked });
    },

    async finish(context, back) {
      const client = await clientOf(context.accountId);
      const tokens = await tradeCode(table, context, { app: client, back });
      const said = own.grantedBy === undefined ? tokens.scopes : own.grantedBy(tokens);
      assertScopes(table, { wanted, granted: said });
      return own.accounts(context, { client, tokens, granted: said ?? asked });
    },
  };
}

/** An account as it is shown where one is chosen, and what it is connected with. */
export function choiceOf(
  { external_id: id, name, handle, avatar_url }: Identity,
  credentials: AccountChoice["credentials"],
): AccountChoice {
  return { id, name, handle, avatar_url, credentials };
}

/** What credentials take from tokens as they came. */
export function tokenFields({ access_token, refresh_token, expires_at }: Tokens): {
  access_token: string;
  refresh_token?: string;
  expires_at?: string;
} {
  return {
    access_token,
    ...(refresh_token === null ? {} : { refresh_token }),
    ...(expires_at === null ? {} : { expires_at: isoTime(expires_at) }),
  };
}

/** What credentials take besides, where a network says when its refresh tokens run out. */
export function refreshEndField({ refresh_expires_at }: Tokens): { refresh_expires_at?: string } {
  return refresh_expires_at === null ? {} : { refresh_expires_at: isoTime(refresh_expires_at) };
}

/** @throws LoginFailed where the login would end within hours */
export function assertRefreshToken({ refresh_token }: Tokens, name: string): string {
  if (refresh_token !== null) return refresh_token;
  throw new LoginFailed("login_failed", `${name} issued no long-lived token: log in again and allow all permissions.`);
}
