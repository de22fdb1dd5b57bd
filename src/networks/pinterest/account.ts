import * as z from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { endpoint, pinterestId, readAnswer } from "./api.ts";
import type { Known } from "./known.ts";

/** https://github.com/pinterest/api-description, `GET /user_account` (2025-12) */
const accountSchema = z.object({
  id: pinterestId,
  username: z.string(),
  business_name: z.string().nullish(),
  profile_image: z.string().nullish(),
});

export type Account = z.infer<typeof accountSchema>;

/** Whose login it is. */
export async function readAccount(
  context: Pick<LoginContext, "request">,
  given: Pick<NetworkRequest, "headers"> = {},
): Promise<Account> {
  return readAnswer(accountSchema, await context.request({ method: "GET", url: endpoint(["user_account"]), ...given }));
}

export function nameOf({ username, business_name }: Account): string {
  return business_name || username;
}

/** @param scopes what the login was allowed; null: Pinterest did not tell */
export function identityOf(account: Account, scopes: readonly string[] | null): Identity {
  const known: Known = { scopes: scopes === null ? null : [...scopes] };
  return {
    external_id: account.id,
    name: nameOf(account),
    handle: account.username,
    avatar_url: account.profile_image || null,
    // (unconfirmed)
    url: `https://www.pinterest.com/${encodeURIComponent(account.username)}/`,
    scopes: [...(scopes ?? [])],
    limits: {},
    host: null,
    known,
  };
}
