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

/** The setting `app`: one app for all accounts, or a function that finds the app of an account. */
export type GoogleAppSetting = AppSetting<GoogleApp>;

/** @param name the network's own spelling of its name */
export function findGoogleApp(setting: GoogleAppSetting, accountId: string, name: string): Promise<GoogleApp> {
  return appFor(setting, { schema: oauthAppSchema, accountId, name });
}

/** @param ends.refresh_expires_at null: Google does not say, for example for apps in production */
export function toGoogleCredentials(
  secret: JsonObject,
  ends: Pick<Tokens, "expires_at" | "refresh_expires_at">,
  now: number,
): Credentials {
  return tokenCredentials(secret, ends, now + idleRefreshMs);
}

/** Adds to a connector what needs the host's own app: sign-in, refresh and revocation. */
export function withGoogleApp<Schema extends Connector["credentials"]>(
  connector: Connector<Schema>,
  login: {
    oauth: OAuthTable & { revoke: string };
    app: GoogleAppSetting;
    /** The name of what is connected, for messages: `the channel`. */
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

/** @param setting.what the name of what must be reconnected: `the channel` */
async function refreshGoogle(
  context: NetworkContext,
  { oauth, app: setting, what }: { oauth: OAuthTable; app: GoogleAppSetting; what: string },
): Promise<Credentials> {
  // Google rarely returns a new refresh token. The old one stays valid.
  const { secret, ...ends } = await renewTokens(oauth, context, {
    client: () => findGoogleApp(setting, context.accountId, oauth.name),
    ended: `The access token has expired, and there is no refresh token: reconnect ${what}.`,
  });
  return toGoogleCredentials(secret, ends, context.now());
}

/** Revokes only tokens from the service's own sign-in. A token from a caller may be in use elsewhere. */
async function revokeGoogle(
  context: NetworkContext,
  { oauth, app: setting }: { oauth: OAuthTable & { revoke: string }; app: GoogleAppSetting },
): Promise<void> {
  const { client_id, refresh_token, access_token } = context.secret;
  if (client_id === undefined) return;
  const app = await findGoogleApp(setting, context.accountId, oauth.name);
  await revokeToken(oauth, context, { app, token: String(refresh_token ?? access_token) });
}
