import { z } from "zod";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { withToken } from "../shared/meta/bearer.ts";
import { graphErrorCodes } from "../shared/meta/errors.ts";
import { type BusinessAccount, businessAccountField, businessAccountSchema } from "./account.ts";
import { type Api, readAnswer } from "./api.ts";
import { readPages } from "./pages.ts";

const pageSchema = z.object({
  name: z.string().nullish(),
  /** Absent where the person's role on the Page is too small. */
  access_token: z.string().nullish(),
  instagram_business_account: businessAccountSchema.nullish(),
});

/** An account behind one of a person's Pages. */
export interface ReachedAccount {
  account: BusinessAccount;
  /** The Page's. It does not run out. */
  token: string;
}

/**
 * The accounts behind the Pages of the person whose token it is; null: it is no
 * person's. https://developers.facebook.com/docs/graph-api/reference/user/accounts (2026-09)
 */
export async function accountsOf(
  context: Pick<LoginContext, "request">,
  { api, token }: { api: Api; token: string },
): Promise<ReachedAccount[] | null> {
  const url = api.endpoint("facebook", ["me", "accounts"], pageParameters);
  const first = await context.request(withToken<NetworkRequest>({ method: "GET", url, accept: [400] }, token));
  if (first.status === 400 && graphErrorCodes(first.body).includes("100")) return null;
  if (first.status === 200) readAnswer(listSchema, first);
  return reachedAt(context, url, token);
}

const listSchema = z.object({ data: z.array(z.unknown()) });

const pageParameters = { fields: `id,name,access_token,${businessAccountField}`, limit: "100" };

/** Each once, whatever number of Pages leads to it. */
async function reachedAt(
  context: Pick<LoginContext, "request">,
  url: string,
  token: string,
): Promise<ReachedAccount[]> {
  const request: LoginContext["request"] = (asked) => context.request(withToken(asked, token));
  const { items } = await readPages({ request }, { url, schema: pageSchema });
  const reached = items.flatMap(({ access_token, instagram_business_account: account }) =>
    account == null || access_token == null ? [] : [{ account, token: access_token }],
  );
  return [...new Map(reached.map((each) => [each.account.id, each])).values()];
}

const businessSchema = z.object({ id: z.string() });

/**
 * Those behind Pages that the person's business portfolios own or work for;
 * none where the login may not read them.
 * https://developers.facebook.com/docs/graph-api/reference/user/businesses (2026-09)
 */
export async function accountsOfBusinesses(
  context: Pick<LoginContext, "request">,
  { api, token }: { api: Api; token: string },
): Promise<ReachedAccount[]> {
  const request: LoginContext["request"] = (asked) => context.request(withToken(asked, token));
  const url = api.endpoint("facebook", ["me", "businesses"], { fields: "id", limit: "100" });
  const { items } = await readPages({ request }, { url, schema: businessSchema });
  const reached: ReachedAccount[] = [];
  for (const { id } of items)
    for (const edge of ["owned_pages", "client_pages"])
      reached.push(...(await reachedAt(context, api.endpoint("facebook", [id, edge], pageParameters), token)));
  return reached;
}
