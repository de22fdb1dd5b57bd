import type { JsonObject } from "../../../wire/json.ts";
import type { Connector } from "../../contract/adapter.ts";
import type { BrowserLogin } from "../../contract/browser-login.ts";
import type { Credentials } from "../../contract/profile.ts";
import type { NetworkContext } from "../../contract/request.ts";
import { type AppSetting, appFor } from "../app.ts";
import { type OAuthTable, oauthAppSchema, revokeToken, type Tokens } from "../oauth2.ts";
import { renewTokens } from "../renew-tokens.ts";
import { tokenCredentials } from "../token-credentials.ts";
import { type GoogleApp, idleRefreshMs } from "./login.ts";

/** The setting `app`: one for all accounts, or found for each. */
export type GoogleAppSetting = AppSetting<GoogleApp>;

/** @param name as the network writes itself */
export function findGoogleApp(setting: GoogleAppSetting, accountId: string, name: string): Promise<GoogleApp> {
  return appFor(setting, { schema: oauthAppSchema, accountId, name });
}

/** @param ends.refresh_expires_at null: Google says nothing, as of apps that are in production */
export function toGoogleCredentials(
  secret: JsonObject,
  ends: Pick<Tokens, "expires_at" | "refresh_expires_at">,
  now: number,
): Credentials {
  return tokenCredentials(secret, ends, now + idleRefreshMs);
}

/** A connector with what only logins by the host's own app have. */
export function withGoogleApp<Schema extends Connector["credentials"]>(
  connector: Connector<Schema>,
  login: {
    oauth: OAuthTable & { revoke: string };
    app: GoogleAppSetting;
    /** What is connected, in words: `the channel`. */
    what: string;
    browser: BrowserLogin;
  },
): Connector<Schema> {
  return {
    ...connector,
    browser: login.browser,
    refresh: (context) => refreshGoogle(context, login),
    revoke: (context) => revokeGoogle(context, login),
  };
}

/** @param setting.what what is to be reconnected, in words: `the channel` */
async function refreshGoogle(
  context: NetworkContext,
  { oauth, app: setting, what }: { oauth: OAuthTable; app: GoogleAppSetting; what: string },
): Promise<Credentials> {
  // Google rarely gives a new refresh token: the old one stays good.
  const { secret, ...ends } = await renewTokens(oauth, context, {
    client: () => findGoogleApp(setting, context.accountId, oauth.name),
    ended: `The access token has expired, and there is no refresh token: reconnect ${what}.`,
  });
  return toGoogleCredentials(secret, ends, context.now());
}

/** Of a login of ours alone: a token that was handed in may be in use elsewhere. */
async function revokeGoogle(
  context: NetworkContext,
  { oauth, app: setting }: { oauth: OAuthTable & { revoke: string }; app: GoogleAppSetting },
): Promise<void> {
  const { client_id, refresh_token, access_token } = context.secret;
  if (client_id === undefined) return;
  const app = await findGoogleApp(setting, context.accountId, oauth.name);
  await revokeToken(oauth, context, { app, token: String(refresh_token ?? access_token) });
}
