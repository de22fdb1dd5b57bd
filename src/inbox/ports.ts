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

/** What an inbox works with. */
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
  /** Where a network is asked to send what happens on accounts of an app; null: nothing public is known to lead here. */
  hookUrl(network: NetworkId, appId: string): string | null;
  /** Who may have signed what a network sends about an app. */
  findHookSigners: FindHookSigners;
  /** Asks to be called for an inbox at a moment, milliseconds; may be forgotten. */
  wake(at: number, inboxId: string): void;
}

/** What the host's view of an inbox works with. */
export interface AnswerPorts extends Pick<InboxPorts, "storage" | "clock" | "ids" | "logger" | "events" | "adapter"> {
  /** How long an answer is waited for, milliseconds. */
  publishWaitMs: number;
  /** A list of conversations was empty. */
  onEmptyList(): void;
  /** Processes a profile's due work. */
  workProfile(profileId: string): Promise<void>;
  /** Keeps the service from stopping while work goes on that its call no longer waits for. */
  track(work: Promise<unknown>): void;
}
