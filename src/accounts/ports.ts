import type { Hosting } from "../hosting/hosting.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Storage } from "../storage/storage.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** What accounts are erased with. */
export interface AccountPorts {
  storage: Storage;
  hosting: Pick<Hosting, "eraseAll">;
  profiles(accountId: string): Pick<Profiles, "disconnect">;
  webhooks(accountId: string): Pick<Webhooks, "delete">;
}
