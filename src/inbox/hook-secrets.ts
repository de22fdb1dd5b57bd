import type { Hooks } from "../networks/contract/inbox.ts";
import type { Storage } from "../storage/storage.ts";

/** What is known of an app by which requests are verified. */
export interface HookSecrets {
  /** Of the app, the newest first; none: it is not known here. */
  all: readonly string[];
  /** Those that an account itself has: where each has an app of its own, one may name another's with a secret that it made up. */
  ofAccount(accountId: string): Promise<readonly string[]>;
}

/** Accounts that are asked for their app where a request does not tell whose inbox it is about. */
const accountsAsked = 100;

export async function readHookSecrets(
  storage: Storage,
  hooks: Hooks,
  { network, appId }: { network: string; appId: string },
): Promise<HookSecrets> {
  let isByAccount = false;
  const all = await hooks.secrets(appId, () => {
    isByAccount = true;
    return accountsOf(storage, { network, app_id: appId });
  });
  return { all, ofAccount: async (id) => (isByAccount ? hooks.secrets(appId, async () => [id]) : all) };
}

/** Who connected something through the app. Two of them may have named the same one. */
async function accountsOf(storage: Storage, where: { network: string; app_id: string }): Promise<string[]> {
  const { rows } = await storage.find("inboxes", { where, limit: accountsAsked, isCounted: false });
  return [...new Set(rows.map(({ account_id }) => String(account_id)))];
}
