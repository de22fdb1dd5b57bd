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

/** The parts of an OAuth sign-in that differ between networks. */
export interface OAuthLogin<Client extends OAuthClient> {
  table: OAuthTable;
  /** The host's app for an account of the service. */
  clientOf(accountId: string): Promise<Client>;
  /** Required scopes: without them nothing can be connected. */
  wanted: readonly string[];
  /** Optional scopes that are also requested. @default none */
  further?: readonly string[];
  /** The granted scopes. Null: the network does not say. @default those of the token response */
  grantedBy?(tokens: Tokens): readonly string[] | null;
  /** `BrowserLogin.errors`. */
  errors?: BrowserLogin["errors"];
  /** The accounts of the sign-in. @throws LoginFailed */
  accounts(context: BrowserLoginContext, login: Login<Client>): Promise<AccountChoice[]>;
}

/** A completed sign-in. */
export interface Login<Client extends OAuthClient> {
  client: Client;
  tokens: Tokens;
  /** The granted scopes. If the network does not say, the requested ones. */
  granted: readonly string[];
}

/** A sign-in that exchanges a code for tokens, and checks their scopes. */
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

/** An account as a choice for the user, with its credentials. */
export function choiceOf(
  { external_id: id, name, handle, avatar_url }: Identity,
  credentials: AccountChoice["credentials"],
): AccountChoice {
  return { id, name, handle, avatar_url, credentials };
}

/** The fields of credentials that come from a token response. */
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

/** The additional field for networks that say when refresh tokens expire. */
export function refreshEndField({ refresh_expires_at }: Tokens): { refresh_expires_at?: string } {
  return refresh_expires_at === null ? {} : { refresh_expires_at: isoTime(refresh_expires_at) };
}

/** @throws LoginFailed without a refresh token, because the connection would end within hours */
export function assertRefreshToken({ refresh_token }: Tokens, name: string): string {
  if (refresh_token !== null) return refresh_token;
  throw new LoginFailed("login_failed", `${name} issued no long-lived token: sign in again and allow all permissions.`);
}
