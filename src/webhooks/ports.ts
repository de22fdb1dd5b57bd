import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { Storage } from "../storage/storage.ts";

/** What webhooks work with. */
export interface WebhookPorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  vault: Vault;
  /** Reaches receivers. */
  untrustedHttp: typeof fetch;
  /** Why nothing may be delivered to an address, for humans; null: it may. */
  refusalOf(url: string): Promise<string | null>;
  /** Asks to be called for an endpoint at a moment, milliseconds; may be forgotten. */
  wake(at: number, endpointId: string): void;
}
