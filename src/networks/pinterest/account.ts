import * as z from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { endpoint, getAnswer, pinterestId } from "./api.ts";
import type { Known } from "./known.ts";

/** https://github.com/pinterest/api-description, `GET /user_account` (2025-12) */
const accountSchema = z.object({
  id: pinterestId,
  username: z.string(),
  business_name: z.string().nullish(),
  profile_image: z.string().nullish(),
});

/** Reads the account of a token. @param scopes the granted scopes; null: unknown */
export async function readIdentity(
  context: Pick<LoginContext, "request">,
  scopes: readonly string[] | null,
): Promise<Identity> {
  const account = await getAnswer(accountSchema, context, endpoint(["user_account"]));
  const known: Known = { scopes: scopes && [...scopes] };
  return {
    external_id: account.id,
    name: account.business_name || account.username,
    handle: account.username,
    avatar_url: account.profile_image || null,
    // (unconfirmed)
    url: `https://www.pinterest.com/${encodeURIComponent(account.username)}/`,
    scopes: [...(scopes ?? [])],
    limits: {},
    host: null,
    account_facts: known,
  };
}
