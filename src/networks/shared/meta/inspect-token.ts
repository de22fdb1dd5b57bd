import * as z from "zod";
import type { LoginContext, NetworkRequest } from "../../contract/request.ts";
import type { OAuthApp } from "../oauth2.ts";
import { graphAddress, withToken } from "./graph.ts";
import type { PersonToken } from "./person.ts";

/** https://developers.facebook.com/docs/graph-api/reference/debug_token (2026-09) */
const inspectedSchema = z.object({
  data: z.object({
    is_valid: z.literal(true),
    scopes: z.array(z.string()),
    /** Seconds since 1970. 0 and absent: never. */
    expires_at: z.number().nullish().catch(null),
    data_access_expires_at: z.number().nullish().catch(null),
  }),
});

/** Facebook's data about a token. */
export interface InspectedToken {
  /** The token's scopes. */
  scopes: string[];
  /** As in `Credentials`: when the token expires, or its data access, which ends 90 days after the user last signed in to the app. */
  reconnect_by: number | null;
}

/** Statuses for tokens that do not belong to the app. */
const unreadable = [400, 401, 403] as const;

/**
 * Reads a token's scopes and expiry on behalf of the app that it was issued to, because a Page's token cannot do that
 * itself.
 *
 * @param inspected.app undefined: the app is not known
 * @returns null: unknown
 */
export async function inspectToken(
  context: Pick<LoginContext, "request">,
  { version, token, app }: PersonToken & { app: OAuthApp | undefined },
): Promise<InspectedToken | null> {
  if (app === undefined) return null;
  const url = graphAddress({ host: "graph.facebook.com", version }, ["debug_token"], { input_token: token });
  const asked: NetworkRequest = { method: "GET", url, accept: unreadable, credential: "none" };
  const { body } = await context.request(withToken(asked, `${app.client_id}|${app.client_secret}`));
  const inspected = inspectedSchema.safeParse(body).data?.data;
  if (inspected === undefined) return null;
  const { scopes, expires_at, data_access_expires_at } = inspected;
  const ends = [expires_at, data_access_expires_at].filter((seconds) => seconds != null && seconds > 0);
  return { scopes, reconnect_by: ends.length === 0 ? null : Math.min(...ends.map(Number)) * 1000 };
}
