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
