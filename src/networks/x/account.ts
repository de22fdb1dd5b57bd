import * as z from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest, NetworkResponse } from "../contract/request.ts";
import { endpoint, readAnswer, xId } from "./api.ts";
import type { Known } from "./known.ts";
import { limitsOfPlan } from "./limits.ts";

/** https://docs.x.com/x-api/fundamentals/data-dictionary (2026-08) */
const meSchema = z.object({
  data: z.object({
    id: xId,
    name: z.string(),
    username: z.string().regex(/^\w{1,15}$/),
    profile_image_url: z.string().nullish(),
    subscription_type: z.string().nullish(),
  }),
});

type Me = z.infer<typeof meSchema>["data"];

/** Requests the account of a token. */
export function requestMe(
  context: Pick<LoginContext, "request">,
  given: Pick<NetworkRequest, "accept"> = {},
): Promise<NetworkResponse> {
  const fields = { "user.fields": "id,name,username,profile_image_url,subscription_type" };
  return context.request({ method: "GET", url: endpoint(["users", "me"], fields), ...given });
}

export function readMe(response: NetworkResponse): Me {
  return readAnswer(meSchema, response).data;
}

/** @param scopes the granted scopes; null: unknown */
export function identityOf(me: Me, scopes: readonly string[] | null): Identity {
  const plan = me.subscription_type ?? null;
  const known: Known = { subscription_type: plan, scopes: scopes && [...scopes] };
  return {
    external_id: me.id,
    name: me.name,
    handle: me.username,
    avatar_url: pictureOf(me),
    url: `https://x.com/${me.username}`,
    scopes: [...(scopes ?? [])],
    limits: limitsOfPlan(plan),
    host: null,
    account_facts: known,
  };
}

/** Without `_normal`, the image as uploaded (unconfirmed); with it, 48 pixels wide. */
function pictureOf({ profile_image_url }: Pick<Me, "profile_image_url">): string | null {
  return profile_image_url?.replace(/_normal(\.\w+)$/, "$1") ?? null;
}
