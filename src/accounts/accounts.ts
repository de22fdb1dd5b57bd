import { SocialError } from "../wire/errors.ts";
import { eraseAccount } from "./erase.ts";
import type { AccountPorts } from "./ports.ts";

/** The accounts of the service, each one of its host's customers. Nothing need be said to begin one. */
export interface Accounts {
  /**
   * Erases an account: its keys, webhook endpoints, profiles with their credentials (taken back at networks that let it), posts,
   * hosted files, and all that people wrote to it. What is live on networks stays there. Use nothing of the account
   * meanwhile. Repeatable, and to be repeated after an error: it goes on where it was.
   *
   * @throws SocialError `invalid_request` for an id that is no text; `conflict` while a profile is still publishing
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
