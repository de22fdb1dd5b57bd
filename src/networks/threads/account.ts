import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { graphErrorCodes } from "../shared/meta/errors.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { endpoint, getAnswer } from "./api.ts";
import type { Known } from "./known.ts";
import { quotaRequest, readQuota } from "./quota.ts";

type Reading = Pick<LoginContext, "request" | "now">;

/** https://github.com/fbsamples/threads_api (2025-12) */
const meSchema = z.object({
  id: graphId,
  username: z.string(),
  name: z.string().nullish(),
  threads_profile_picture_url: z.string().nullish(),
  is_eligible_for_geo_gating: z.boolean().nullish(),
});

export type ThreadsAccount = z.infer<typeof meSchema>;

const meFields = "id,username,name,threads_profile_picture_url,is_eligible_for_geo_gating";

/** Reads the account of a token. */
export function readMe(reading: Reading): Promise<ThreadsAccount> {
  return getAnswer(meSchema, reading, endpoint(["me"], { fields: meFields }));
}

/** What Threads reports about a token. */
export interface TokenFacts {
  /** Null: not reported. */
  scopes: string[] | null;
  /** Milliseconds. Null: not reported, or it never expires. */
  expires_at: number | null;
}

/** https://github.com/fbsamples/threads_api (2025-12) */
const debugSchema = z.object({
  data: z.object({ scopes: z.array(z.string()).nullish(), expires_at: z.number().nullish() }),
});

/**
 * Reads a token's facts with the token itself. Whether every app allows that is not documented (unconfirmed), so a
 * refusal proves nothing.
 */
export async function readTokenFacts({ request }: Reading, inspected: string): Promise<TokenFacts> {
  const url = endpoint(["debug_token"], { input_token: inspected });
  const response = await request({ method: "GET", url, accept: [400, 403, 404] });
  const { scopes, expires_at } = debugSchema.safeParse(response.body).data?.data ?? {};
  return { scopes: scopes ?? null, expires_at: expires_at ? expires_at * 1000 : null };
}

/** The scopes required to publish. https://developers.facebook.com/docs/threads/overview (2026-08) */
const needed = ["threads_basic", "threads_content_publish"];

/**
 * The account as shown on a profile, with its publishing quota.
 *
 * @param options.scopes null: unknown
 * @throws PublishingError `invalid_request` naming the scope, if the account may not publish
 */
export async function identityOf(
  reading: Reading,
  { account, scopes }: { account: ThreadsAccount; scopes: readonly string[] | null },
): Promise<Identity> {
  for (const scope of needed) if (scopes !== null && !scopes.includes(scope)) throw lacking(scope);
  const response = await reading.request(quotaRequest(account.id));
  const quota = readQuota(response);
  if (quota === null && graphErrorCodes(response.body).some((code) => code === "10" || code === "200..299"))
    throw lacking("threads_content_publish");
  const granted = [...(scopes ?? [])];
  const known: Known = {
    scopes: granted,
    may_choose_countries: account.is_eligible_for_geo_gating ?? null,
    quota: quota === null ? null : { ...quota, read_at: new Date(reading.now()).toISOString() },
  };
  return {
    external_id: account.id,
    name: account.name || account.username,
    handle: account.username,
    avatar_url: account.threads_profile_picture_url ?? null,
    url: `https://www.threads.com/@${encodeURIComponent(account.username)}`,
    scopes: granted,
    limits: {},
    host: null,
    account_facts: known,
  };
}

function lacking(scope: string): PublishingError {
  return new PublishingError(
    "invalid_request",
    `access_token: it lacks ${scope}. Sign in again and allow all permissions.`,
  );
}
