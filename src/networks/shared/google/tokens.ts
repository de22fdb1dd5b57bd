import { PublishingError } from "../../../wire/errors.ts";
import type { JsonObject } from "../../../wire/json.ts";
import type { Connector } from "../../contract/adapter.ts";
import type { BrowserLogin } from "../../contract/browser-login.ts";
import type { Credentials } from "../../contract/profile.ts";
import type { NetworkContext } from "../../contract/request.ts";
import { type AppSetting, appFor } from "../app.ts";
import { loginEnd } from "../login-end.ts";
import { type OAuthTable, revokeToken, type Tokens, tradeRefreshToken } from "../oauth2.ts";
import { type GoogleApp, googleAppSchema, idleRefreshDays } from "./login.ts";

/** The setting `app`: one for all accounts, or found for each. */
export type GoogleAppSetting = AppSetting<GoogleApp>;

/** @param name as the network writes itself */
export function findGoogleApp(setting: GoogleAppSetting, accountId: string, name: string): Promise<GoogleApp> {
  return appFor(setting, { schema: googleAppSchema, accountId, name });
}

const dayMs = 86_400_000;

/** @param ends.refresh_expires_at null: Google says nothing, as of apps that are in production */
export function toGoogleCredentials(
  secret: JsonObject,
  ends: Pick<Tokens, "expires_at" | "refresh_expires_at">,
  now: number,
): Credentials {
  const idle = secret.refresh_token === undefined ? {} : { refresh_at: now + idleRefreshDays * dayMs };
  return { secret, expires_at: ends.expires_at, ...loginEnd(secret, ends), ...idle };
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

/** @param setting.what what is to be connected again, in words: `the channel` */
async function refreshGoogle(
  context: NetworkContext,
  { oauth, app: setting, what }: { oauth: OAuthTable; app: GoogleAppSetting; what: string },
): Promise<Credentials> {
  const { secret } = context;
  const refreshToken = secret.refresh_token;
  if (typeof refreshToken !== "string")
    throw new PublishingError(
      "reauthentication_required",
      `The access token has run out, and there is nothing to renew it with: connect ${what} again.`,
    );
  const app = await findGoogleApp(setting, context.accountId, oauth.name);
  const tokens = await tradeRefreshToken(oauth, context, { app, refreshToken });
  const { access_token, refresh_token } = tokens;
  // Google rarely gives a new one: the old one stays good.
  const renewed = { ...secret, access_token, refresh_token: refresh_token ?? refreshToken };
  return toGoogleCredentials(renewed, tokens, context.now());
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
