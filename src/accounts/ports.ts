import type { Hosting } from "../hosting/hosting.ts";
import type { FindHookSigners } from "../inbox/hook-secrets.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Logger } from "../ports/logger.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Storage } from "../storage/storage.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** The ports for erasing accounts. */
export interface AccountPorts {
  storage: Storage;
  hosting: Pick<Hosting, "eraseAll">;
  profiles(accountId: string): Pick<Profiles, "disconnect">;
  webhooks(accountId: string): Pick<Webhooks, "delete">;
}

/** The ports for data deletion requests. */
export interface DeletionPorts extends Pick<AccountPorts, "storage" | "profiles"> {
  logger: Logger;
  findHookSigners: FindHookSigners;
  adapter(network: string): NetworkAdapter | undefined;
}
