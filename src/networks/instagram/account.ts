import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { graphErrorCodes } from "../shared/meta/errors.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { type Api, getAnswer } from "./api.ts";
import type { Flavour, Known } from "./known.ts";
import { askQuota, quotaRequest } from "./quota.ts";

/** How to read an account. */
interface Reading extends Pick<LoginContext, "request" | "now"> {
  api: Api;
}

const accountSchema = z.object({
  username: z.string(),
  name: z.string().nullish(),
  profile_picture_url: z.string().nullish(),
});

/** https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/get-started (2026-09) */
const meSchema = accountSchema.extend({ user_id: graphId, account_type: z.string().nullish() });

/** An account as its Page names it. */
export const businessAccountSchema = accountSchema.extend({ id: graphId });

export type BusinessAccount = z.infer<typeof businessAccountSchema>;

const pageSchema = z.object({ instagram_business_account: businessAccountSchema.nullish() });

/** The account linked to a Page, with its public fields. */
export const businessAccountField = "instagram_business_account{id,username,name,profile_picture_url}";

/** Reads the account of an Instagram Login token. */
export async function readOwnAccount(reading: Reading): Promise<BusinessAccount> {
  const fields = "user_id,username,name,account_type,profile_picture_url";
  const { user_id, account_type, ...account } = await getAnswer(
    meSchema,
    reading,
    reading.api.endpoint("instagram", ["me"], { fields }),
  );
  if (account_type === "PERSONAL")
    throw new PublishingError(
      "invalid_request",
      "access_token: this is a personal account; Instagram's API publishes only on professional accounts.",
    );
  return { ...account, id: user_id };
}

/** Reads the account linked to the Page of a token. */
export async function readPageAccount(reading: Reading): Promise<BusinessAccount> {
  const page = await getAnswer(
    pageSchema,
    reading,
    reading.api.endpoint("facebook", ["me"], { fields: businessAccountField }),
  );
  if (page.instagram_business_account != null) return page.instagram_business_account;
  throw new PublishingError(
    "invalid_request",
    "access_token: no professional Instagram account is linked to this Facebook Page.",
  );
}

/** Reads an account linked to a Page, by its id. */
export async function readNamedAccount(reading: Reading, id: string): Promise<BusinessAccount> {
  const fields = "id,username,name,profile_picture_url";
  return getAnswer(businessAccountSchema, reading, reading.api.endpoint("facebook", [id], { fields }));
}

/** The scope required to publish. https://developers.facebook.com/docs/instagram-platform/overview (2026-09) */
const publishScopes: Readonly<Record<Flavour, string>> = {
  instagram: "instagram_business_content_publish",
  facebook: "instagram_content_publish",
};

/**
 * The account as shown on a profile, with its publishing quota.
 *
 * @throws PublishingError `invalid_request` naming the scope, if the account may not publish
 */
export async function identityOf(
  reading: Reading,
  { flavour, account, scopes }: { flavour: Flavour; account: BusinessAccount; scopes: readonly string[] },
): Promise<Identity> {
  const { quota, body } = await askQuota(reading, quotaRequest(reading.api, flavour, account.id));
  if (quota === null && graphErrorCodes(body).some((code) => code === "10" || code === "200..299"))
    throw new PublishingError(
      "invalid_request",
      `access_token: it lacks ${publishScopes[flavour]}. Sign in again and allow all permissions.`,
    );
  const { total = null } = quota ?? {};
  const known: Known = {
    flavour,
    scopes: [...scopes],
    quota: total === null ? null : { total, read_at: new Date(reading.now()).toISOString() },
  };
  return {
    external_id: account.id,
    name: account.name || account.username,
    handle: account.username,
    avatar_url: account.profile_picture_url ?? null,
    url: `https://www.instagram.com/${encodeURIComponent(account.username)}`,
    scopes: [...scopes],
    limits: {},
    host: null,
    account_facts: known,
  };
}
