import * as z from "zod";
import type { LoginContext } from "../contract/request.ts";
import { type PageReading, type PersonToken, pagesOfBusinesses, pagesOfPerson } from "../shared/meta/person.ts";
import { type BusinessAccount, businessAccountField, businessAccountSchema } from "./account.ts";

const pageSchema = z.object({
  name: z.string().nullish(),
  /** Absent if the user's role on the Page does not suffice. */
  access_token: z.string().nullish(),
  instagram_business_account: businessAccountSchema.nullish(),
});

const reading: PageReading<typeof pageSchema> = {
  fields: `id,name,access_token,${businessAccountField}`,
  schema: pageSchema,
};

/** An account linked to one of the user's Pages. */
export interface ReachedAccount {
  account: BusinessAccount;
  /** The Page's access token, which does not expire. */
  token: string;
}

/** The accounts linked to the Pages of a token's user. Null: the token is not a user's. */
export async function accountsOf(
  context: Pick<LoginContext, "request">,
  person: PersonToken,
): Promise<ReachedAccount[] | null> {
  const pages = await pagesOfPerson(context, person, reading);
  return pages === null ? null : reachedBy(pages);
}

/** The accounts linked to Pages that the user's business portfolios own or manage. */
export async function accountsOfBusinesses(
  context: Pick<LoginContext, "request">,
  person: PersonToken,
): Promise<ReachedAccount[]> {
  return reachedBy(await pagesOfBusinesses(context, person, reading));
}

/** The accounts, each once, even if several Pages lead to it. */
function reachedBy(pages: readonly z.infer<typeof pageSchema>[]): ReachedAccount[] {
  const reached = pages.flatMap(({ access_token, instagram_business_account: account }) =>
    account == null || access_token == null ? [] : [{ account, token: access_token }],
  );
  return [...new Map(reached.map((each) => [each.account.id, each])).values()];
}
