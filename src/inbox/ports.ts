import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { SessionPorts } from "../networks/runtime/session.ts";
import type { Clock } from "../ports/clock.ts";
import type { ServiceEvents } from "../ports/events.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { ProfileEvent } from "../profiles/schema.ts";
import type { Storage } from "../storage/storage.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { FindHookSigners } from "./hook-secrets.ts";

/** Dependencies of an inbox. */
export interface InboxPorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  vault: Vault;
  events: Pick<ServiceEvents, "emit" | "isHeard">;
  outbox: Outbox<ProfileEvent>;
  session: SessionPorts;
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** Asks the network whether a profile's credentials still work. If not, marks the profile. */
  checkProfile(profile: ProfileRow): Promise<void>;
  /** The webhook URL for an app's accounts; null: no public URL of this service is known. */
  hookUrl(network: NetworkId, appId: string): string | null;
  /** Finds the possible signers of a network's requests about an app. */
  findHookSigners: FindHookSigners;
  /** Schedules work on an inbox, milliseconds. The alarm may be lost. */
  wake(at: number, inboxId: string): void;
}

/** Dependencies of the inbox API. */
export interface AnswerPorts
  extends Pick<InboxPorts, "storage" | "clock" | "ids" | "logger" | "vault" | "events" | "adapter"> {
  /** Maximum time that a caller waits for the outcome of a reply, milliseconds. */
  publishWaitMs: number;
  /** A list of conversations was empty. */
  onEmptyList(): void;
  /** Processes a profile's due work. */
  workProfile(profileId: string): Promise<void>;
  /** Makes the service's `stop` wait for work that its caller no longer waits for. */
  track(work: Promise<unknown>): void;
}
