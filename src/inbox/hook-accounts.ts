import { behind } from "../storage/each-row.ts";
import type { Storage, Where } from "../storage/storage.ts";

/** Inboxes per query: one account may have many. */
const rowsAtOnce = 50;

/**
 * Lists the accounts of inboxes, each once, in the order of their ids.
 *
 * @param where selects the inboxes
 * @param walk.after the accounts after this one; empty: from the first
 * @param walk.max maximum number of accounts
 */
export async function accountsOfInboxes(
  storage: Storage,
  where: Where,
  { after, max }: { after: string; max: number },
): Promise<string[]> {
  const accounts: string[] = [];
  while (accounts.length < max) {
    const last = accounts.at(-1) ?? after;
    const { rows } = await storage.find("inboxes", {
      where: { ...where, ...(last === "" ? {} : { account_id: behind(last) }) },
      order: { column: "account_id", direction: "asc" },
      limit: rowsAtOnce,
      isCounted: false,
    });
    if (rows.length === 0) break;
    accounts.push(...new Set(rows.map(({ account_id }) => String(account_id))));
  }
  return accounts.slice(0, max);
}
