import type { JsonObject } from "../../wire/json.ts";
import type { Credentials } from "../contract/profile.ts";

/** When each token of a login runs out, milliseconds; null: nobody tells. */
export interface LoginEnds {
  expires_at: number | null;
  refresh_expires_at?: number | null;
}

/**
 * The credentials of a login that stands on an access token and, where one came, a refresh token.
 *
 * @param refreshAt when a refresh token is used that nothing else needed, before it dies of idleness, milliseconds.
 * Absent: it does not
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

/** With the last of the tokens that is good. Nothing where a refresh token came whose end is not known. */
function loginEnd(
  { refresh_token }: JsonObject,
  { expires_at, refresh_expires_at = null }: LoginEnds,
): Pick<Credentials, "reconnect_by"> {
  if (refresh_token === undefined) return { reconnect_by: expires_at };
  return refresh_expires_at === null ? {} : { reconnect_by: Math.max(refresh_expires_at, expires_at ?? 0) };
}
