import * as z from "zod";
import type { LoginContext } from "../contract/request.ts";
import { type PageReading, type PersonToken, pagesOfBusinesses, pagesOfPerson } from "../shared/meta/person.ts";
import { type BusinessAccount, businessAccountField, businessAccountSchema } from "./account.ts";

const pageSchema = z.object({
  name: z.string().nullish(),
  /** Absent where the person's role on the Page is too small. */
  access_token: z.string().nullish(),
  instagram_business_account: businessAccountSchema.nullish(),
});

const reading: PageReading<typeof pageSchema> = {
  fields: `id,name,access_token,${businessAccountField}`,
  schema: pageSchema,
};

/** An account behind one of a person's Pages. */
export interface ReachedAccount {
  account: BusinessAccount;
  /** The Page's. It does not run out. */
  token: string;
}

/** The accounts behind the Pages of the person whose token it is; null: it is no person's. */
export async function accountsOf(
  context: Pick<LoginContext, "request">,
  person: PersonToken,
): Promise<ReachedAccount[] | null> {
  const pages = await pagesOfPerson(context, person, reading);
  return pages === null ? null : reachedBy(pages);
}

/** Those behind Pages that the person's business portfolios own or work for. */
export async function accountsOfBusinesses(
  context: Pick<LoginContext, "request">,
  person: PersonToken,
): Promise<ReachedAccount[]> {
  return reachedBy(await pagesOfBusinesses(context, person, reading));
}

/** Each once, whatever number of Pages leads to it. */
function reachedBy(pages: readonly z.infer<typeof pageSchema>[]): ReachedAccount[] {
  const reached = pages.flatMap(({ access_token, instagram_business_account: account }) =>
    account == null || access_token == null ? [] : [{ account, token: access_token }],
  );
  return [...new Map(reached.map((each) => [each.account.id, each])).values()];
}
