import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { NetworkContext } from "../contract/request.ts";
import { type OAuthClient, type OAuthTable, type Tokens, tradeRefreshToken } from "./oauth2.ts";

/** What a profile has from now on, and when it ends. */
export interface RenewedTokens extends Pick<Tokens, "expires_at" | "refresh_expires_at"> {
  /** Who has renewed. */
  client: OAuthClient;
  /** The credentials with the new tokens in them. */
  secret: JsonObject;
}

/**
 * Trades the refresh token among a profile's credentials for new tokens. Where no other refresh token comes, the one that
 * was used is all there is.
 *
 * @param own.client who renews; asked only where there is something to renew with
 * @param own.ended what to say where there is no refresh token
 * @throws PublishingError `reauthentication_required` where there is none, or it is dead
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
