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
    /** Seconds since 1970; 0 and absent: never. */
    expires_at: z.number().nullish().catch(null),
    data_access_expires_at: z.number().nullish().catch(null),
  }),
});

/** What Facebook tells an app about a token. */
export interface InspectedToken {
  /** What the token may do. */
  scopes: string[];
  /** As in `Credentials`: when the token runs out, or what it reaches, 90 days after its person was last seen at the app's login. */
  reconnect_by: number | null;
}

/** What Facebook answers about tokens that are none of the app's. */
const unreadable = [400, 401, 403] as const;

/**
 * What a token may do and for how long, asked in the name of the app that it came from: a Page's token cannot ask that itself.
 *
 * @param inspected.app undefined: no app is known
 * @returns null: nobody tells
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
