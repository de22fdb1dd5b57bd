import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { SessionPorts } from "../networks/runtime/session.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { ProfileRow } from "./rows.ts";
import type { ProfileEvent } from "./schema.ts";

/** The ports of profiles. */
export interface ProfilePorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  outbox: Outbox<ProfileEvent>;
  logger: Logger;
  session: SessionPorts;
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** Why a network cannot be used, for the caller; null: the service has it. */
  networkRefusal(given: unknown): string | null;
  /** Why no network can fetch the stored files, and the remedy; null: no problem is known. */
  pullProblem(url: null): Promise<string | null>;
  /** Further operations to write when a profile is connected, reconnected, or disconnected. */
  alongside(profile: ProfileRow, now: number): Promise<Operation[]>;
  /**
   * Requests a poll of a profile's inbox soon. The request may be lost, since the inbox is due anyway. `now`: the
   * store's time, milliseconds.
   */
  wakeInbox(profileId: string, now: number): void;
  /** Processes a profile's due work. */
  workProfile(profileId: string): Promise<void>;
}
