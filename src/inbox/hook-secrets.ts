import type { Hooks } from "../networks/contract/inbox.ts";
import type { Storage, Where } from "../storage/storage.ts";

/** What is known of an app by which requests are verified. */
export interface HookSecrets {
  /** Of the app, the newest first; none: it is not known here. */
  all: readonly string[];
  /** Each account has an app of its own: whoever has the secret may sign what no network ever said. */
  areOfAccounts: boolean;
  /** Those that an account itself has: where each has an app of its own, one may name another's with a secret that it made up. */
  ofAccount(accountId: string): Promise<readonly string[]>;
}

/** Accounts that are asked for their app, at most. */
const accountsAsked = 100;
/** Ids that are looked up of those that a request names, at most. */
const inboxesAsked = 1_000;

/**
 * @param app.about reads the network's ids of whose inboxes the request tells, which nobody has verified yet; asked only
 * where each account has an app of its own. @default none: it does not say
 */
export async function readHookSecrets(
  storage: Storage,
  hooks: Hooks,
  { network, appId, about = () => [] }: { network: string; appId: string; about?: () => readonly string[] },
): Promise<HookSecrets> {
  let isByAccount = false;
  const where = { network, app_id: appId };
  const all = await hooks.secrets(appId, async () => {
    isByAccount = true;
    // However many accounts name the app, those of other inboxes must not stand in the way.
    const ids = about().slice(0, inboxesAsked);
    const concerned = ids.length === 0 ? [] : await accountsOf(storage, { ...where, external_id: { in: ids } });
    return concerned.length > 0 ? concerned : accountsOf(storage, where);
  });
  const ofAccount = async (id: string): Promise<readonly string[]> =>
    isByAccount ? hooks.secrets(appId, async () => [id]) : all;
  return { all, areOfAccounts: isByAccount, ofAccount };
}

/** Who connected something through the app. Two of them may have named the same one. */
async function accountsOf(storage: Storage, where: Where): Promise<string[]> {
  const { rows } = await storage.find("inboxes", { where, limit: accountsAsked, isCounted: false });
  return [...new Set(rows.map(({ account_id }) => String(account_id)))];
}
