import { z } from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { JsonObject } from "../../../wire/json.ts";
import type { SignedPart } from "../../contract/adapter.ts";
import type { Credentials } from "../../contract/profile.ts";
import type { NetworkContext } from "../../contract/request.ts";
import { type AppSetting, appFor } from "../app.ts";
import { type OAuthTable, revokeToken, tradeRefreshToken } from "../oauth2.ts";
import { type GoogleApp, googleAppSchema, idleRefreshDays } from "./login.ts";

/** The setting `app`: one for all accounts, or found for each. */
export type GoogleAppSetting = AppSetting<GoogleApp>;

/** They go into headers and forms. */
export const googleToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "A token has no spaces.")
  .max(4_096);

export function withBearer<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** @param name as the network writes itself */
export function findGoogleApp(setting: GoogleAppSetting, accountId: string, name: string): Promise<GoogleApp> {
  return appFor(setting, { schema: googleAppSchema, accountId, name });
}

const dayMs = 86_400_000;

export function toGoogleCredentials(secret: JsonObject, expires_at: number | null, now: number): Credentials {
  const idle = secret.refresh_token === undefined ? {} : { refresh_at: now + idleRefreshDays * dayMs };
  return { secret, expires_at, ...idle };
}

/** @param setting.what what is to be connected again, in words: `the channel` */
export async function refreshGoogle(
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
  const { access_token, refresh_token, expires_at } = await tradeRefreshToken(oauth, context, { app, refreshToken });
  // Google rarely gives a new one: the old one stays good.
  const renewed = { ...secret, access_token, refresh_token: refresh_token ?? refreshToken };
  return toGoogleCredentials(renewed, expires_at, context.now());
}

/** Of a login of ours alone: a token that was handed in may be in use elsewhere. */
export async function revokeGoogle(
  context: NetworkContext,
  { oauth, app: setting }: { oauth: OAuthTable & { revoke: string }; app: GoogleAppSetting },
): Promise<void> {
  const { client_id, refresh_token, access_token } = context.secret;
  if (client_id === undefined) return;
  const app = await findGoogleApp(setting, context.accountId, oauth.name);
  await revokeToken(oauth, context, { app, token: String(refresh_token ?? access_token) });
}
