import { SocialError } from "../wire/errors.ts";
import { eraseAccount } from "./erase.ts";
import type { AccountPorts } from "./ports.ts";

/** The service's accounts, one for each of the host's customers. An account needs no registration. */
export interface Accounts {
  /**
   * Erases an account: its keys, webhook endpoints, profiles with their credentials (revoked at networks that allow
   * it), posts, hosted files, and all messages to it. Published posts stay on the networks. Do not use the account
   * meanwhile. Can be repeated, and must be after an error: it continues where it stopped.
   *
   * @throws SocialError `invalid_request` for an id that is not a string; `conflict` while a profile is still
   * publishing
   */
  delete(id: string): Promise<void>;
}

export function createAccounts(ports: AccountPorts): Accounts {
  return {
    async delete(id) {
      if (typeof id === "string" && id !== "") return eraseAccount(ports, id);
      throw new SocialError(
        "invalid_request",
        'accounts.delete: the account must be a non-empty string, such as "acct_42".',
      );
    },
  };
}
