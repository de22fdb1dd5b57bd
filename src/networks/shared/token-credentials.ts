import type { JsonObject } from "../../wire/json.ts";
import type { Credentials } from "../contract/profile.ts";

/** When each token of a connection expires, milliseconds. Null: unknown. */
export interface LoginEnds {
  expires_at: number | null;
  refresh_expires_at?: number | null;
}

/**
 * Credentials that consist of an access token and perhaps a refresh token.
 *
 * @param refreshAt when to use the refresh token although nothing needs it, so that it does not expire unused,
 * milliseconds.
 * Absent: it does not expire that way
 */
export function tokenCredentials(secret: JsonObject, ends: LoginEnds, refreshAt?: number): Credentials {
  const isIdle = refreshAt !== undefined && secret.refresh_token !== undefined;
  return {
    secret,
    expires_at: ends.expires_at,
    ...loginEnd(secret, ends),
    ...(isIdle && { refresh_at: refreshAt }),
  };
}

/** The connection ends with the last valid token. Empty: there is a refresh token, and its end is unknown. */
function loginEnd(
  { refresh_token }: JsonObject,
  { expires_at, refresh_expires_at = null }: LoginEnds,
): Pick<Credentials, "reconnect_by"> {
  if (refresh_token === undefined) return { reconnect_by: expires_at };
  return refresh_expires_at === null ? {} : { reconnect_by: Math.max(refresh_expires_at, expires_at ?? 0) };
}
