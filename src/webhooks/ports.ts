import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { Storage } from "../storage/storage.ts";

/** The ports of webhooks. */
export interface WebhookPorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  vault: Vault;
  /** The `fetch` for receivers. */
  untrustedHttp: typeof fetch;
  /** Why deliveries to a URL are refused, for humans; null: they are not. */
  refusalOf(url: string): Promise<string | null>;
  /** Requests a call for an endpoint at a time, milliseconds. The request may be lost. */
  wake(at: number, endpointId: string): void;
}
