import type { JsonObject } from "../../wire/json.ts";
import type { Credentials } from "../contract/profile.ts";

/**
 * When a login ends that stands on an access token and, where one came, a refresh token: with the last of them that is
 * good.
 *
 * @param ends when each runs out, milliseconds; null: nobody tells
 * @returns nothing where a refresh token came whose end is not known
 */
export function loginEnd(
  { refresh_token }: JsonObject,
  ends: { expires_at: number | null; refresh_expires_at?: number | null },
): Pick<Credentials, "reconnect_by"> {
  const { expires_at, refresh_expires_at = null } = ends;
  if (refresh_token === undefined) return { reconnect_by: expires_at };
  return refresh_expires_at === null ? {} : { reconnect_by: Math.max(refresh_expires_at, expires_at ?? 0) };
}

/**
 * The credentials of such a login.
 *
 * @param refreshAt when a refresh token is used that nothing else needed, before it dies of idleness, milliseconds.
 * Absent: it does not
 */
export function tokenCredentials(
  secret: JsonObject,
  { expires_at, refresh_expires_at = null }: Parameters<typeof loginEnd>[1],
  refreshAt?: number,
): Credentials {
  const isIdle = refreshAt !== undefined && secret.refresh_token !== undefined;
  return {
    ...{ secret, expires_at, ...loginEnd(secret, { expires_at, refresh_expires_at }) },
    ...(isIdle && { refresh_at: refreshAt }),
  };
}
