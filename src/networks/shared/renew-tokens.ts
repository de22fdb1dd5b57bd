import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { NetworkContext } from "../contract/request.ts";
import { type OAuthClient, type OAuthTable, type Tokens, tradeRefreshToken } from "./oauth2.ts";

/** A profile's renewed credentials, and when they expire. */
export interface RenewedTokens extends Pick<Tokens, "expires_at" | "refresh_expires_at"> {
  /** The app that renewed them. */
  client: OAuthClient;
  /** The credentials with the new tokens. */
  secret: JsonObject;
}

/**
 * Exchanges a profile's refresh token for new tokens. If the network returns no new refresh token, the old one stays.
 *
 * @param own.client returns the app; called only if there is a refresh token
 * @param own.ended the error message if there is no refresh token
 * @throws PublishingError `reauthentication_required` without a refresh token, or if it is no longer valid
 */
export async function renewTokens(
  table: OAuthTable,
  context: NetworkContext,
  own: { client(): Promise<OAuthClient>; ended: string },
): Promise<RenewedTokens> {
  const { secret } = context;
  const { refresh_token: refreshToken } = secret;
  if (typeof refreshToken !== "string") throw new PublishingError("reauthentication_required", own.ended);
  const client = await own.client();
  const tokens = await tradeRefreshToken(table, context, { app: client, refreshToken });
  const { access_token, refresh_token, expires_at, refresh_expires_at } = tokens;
  return {
    client,
    secret: { ...secret, access_token, refresh_token: refresh_token ?? refreshToken },
    expires_at,
    refresh_expires_at,
  };
}
