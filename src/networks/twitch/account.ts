import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { SignedPart } from "../contract/adapter.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { endpoint, getAnswer, readAnswer, twitchId } from "./api.ts";
import type { Known } from "./known.ts";
import { loginHost } from "./oauth.ts";

/** https://dev.twitch.tv/docs/api/reference#get-users (2026-02) */
const userSchema = z.object({
  id: twitchId,
  login: z.string().regex(/^\w{1,25}$/),
  display_name: z.string(),
  profile_image_url: z.string().nullish(),
});

export const usersSchema = z.object({ data: z.array(userSchema) });

export type User = z.infer<typeof userSchema>;

/** Whose login it is. */
export async function readMe(context: Pick<LoginContext, "request">): Promise<User> {
  const [me] = (await getAnswer(usersSchema, context, endpoint("users"))).data;
  if (me === undefined) throw new PublishingError("network_error", "Twitch did not report the access token's owner.");
  return me;
}

/** https://dev.twitch.tv/docs/authentication/validate-tokens (2026-09) */
const validSchema = z.object({
  client_id: z.string(),
  user_id: twitchId,
  scopes: z.array(z.string()).nullable(),
  expires_in: z.number(),
});

/** What an access token that lives is for. */
export type Valid = z.infer<typeof validSchema>;

const validate: NetworkRequest = { method: "GET", url: `https://${loginHost}/oauth2/validate` };

/**
 * Whoever keeps a login must ask each hour whether it still holds, so that it ends where its owner ended it.
 * https://dev.twitch.tv/docs/authentication/validate-tokens (2026-09)
 */
export async function validateLogin(context: Pick<LoginContext, "request">): Promise<Valid> {
  return readAnswer(validSchema, await context.request(validate));
}

/** Null: Twitch rejects the token. */
export async function validateToken(context: Pick<LoginContext, "request">, token: string): Promise<Valid | null> {
  const headers = { authorization: `OAuth ${token}` };
  const response = await context.request({ ...validate, headers, accept: [401] });
  return response.status === 401 ? null : readAnswer(validSchema, response);
}

export function identityOf(me: User, scopes: readonly string[]): Identity {
  const known: Known = { scopes: [...scopes] };
  return {
    external_id: me.id,
    name: me.display_name,
    handle: me.login,
    avatar_url: me.profile_image_url ?? null,
    url: channelUrl(me.login),
    scopes: [...scopes],
    limits: {},
    host: null,
    account_facts: known,
  };
}

export function channelUrl(login: string): string {
  return `https://www.twitch.tv/${encodeURIComponent(login)}`;
}

/** Twitch's login has a word of its own before the token. https://dev.twitch.tv/docs/authentication/validate-tokens (2026-09) */
export function signed<Request extends SignedPart>(request: Request, { access_token, client_id }: JsonObject): Request {
  const scheme = new URL(request.url).host === loginHost ? "OAuth" : "Bearer";
  const own = { authorization: `${scheme} ${access_token}`, "client-id": String(client_id) };
  return { ...request, headers: { ...request.headers, ...own } };
}

/** What a login works with once there is a token. */
export function asLogin({ request }: LoginContext, login: JsonObject): Pick<LoginContext, "request"> {
  return { request: (asked) => request(signed(asked, login)) };
}
