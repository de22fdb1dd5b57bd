import { z } from "zod";
import type { LoginContext, NetworkRequest } from "../../contract/request.ts";
import type { OAuthApp } from "../oauth2.ts";
import { graphAddress, withToken } from "./graph.ts";
import type { PersonToken } from "./person.ts";

/** https://developers.facebook.com/docs/graph-api/reference/debug_token (2026-09) */
const inspectedSchema = z.object({ data: z.object({ is_valid: z.literal(true), scopes: z.array(z.string()) }) });

/** What Facebook answers about tokens that are none of the app's. */
const unreadable = [400, 401, 403] as const;

/**
 * What a token may do, asked in the name of the app that it came from: a Page's token cannot ask that itself.
 *
 * @param inspected.app undefined: no app is known
 * @returns null: nobody tells
 */
export async function scopesOfToken(
  context: Pick<LoginContext, "request">,
  { version, token, app }: PersonToken & { app: OAuthApp | undefined },
): Promise<string[] | null> {
  if (app === undefined) return null;
  const url = graphAddress({ host: "graph.facebook.com", version }, ["debug_token"], { input_token: token });
  const asked: NetworkRequest = { method: "GET", url, accept: unreadable };
  const { body } = await context.request(withToken(asked, `${app.client_id}|${app.client_secret}`));
  return inspectedSchema.safeParse(body).data?.data.scopes ?? null;
}
