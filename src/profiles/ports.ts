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

/** What profiles work with. */
export interface ProfilePorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  vault: Vault;
  outbox: Outbox<ProfileEvent>;
  logger: Logger;
  session: SessionPorts;
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** What to tell whoever names a network that the service does not have; null: it has it. */
  networkRefusal(given: unknown): string | null;
  /** Why no network can fetch the files that the service keeps, and what to do; null: nothing is known that stands in the way. */
  pullProblem(url: null): Promise<string | null>;
  /** What is written with a profile that is connected, reconnected, or disconnected, besides the profile itself. */
  alongside(profile: ProfileRow, now: number): Promise<Operation[]>;
  /** Has the inbox of a profile looked at soon; may be forgotten, for it is due all the same. `now`: the store's time, milliseconds. */
  wakeInbox(profileId: string, now: number): void;
  /** Processes a profile's due work. */
  workProfile(profileId: string): Promise<void>;
}
