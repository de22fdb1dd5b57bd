import type { InTurn } from "../async/in-turn.ts";
import type { Freeze } from "../hosting/derive.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { PlanningPorts } from "../planning/ports.ts";
import type { Clock } from "../ports/clock.ts";
import type { ServiceEvents } from "../ports/events.ts";
import type { Logger } from "../ports/logger.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { ProfileEvent } from "../profiles/schema.ts";
import type { SendingPorts } from "../sending/ports.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { Lease } from "../work/lease.ts";
import type { PostEvent } from "./schema.ts";

/** What publishing works with. */
export interface PublishingPorts extends SendingPorts {
  outbox: Outbox<PostEvent | ProfileEvent>;
  /** What is told of answers in conversations. */
  events: Pick<ServiceEvents, "emit">;
  /** The outcomes of one post are written one after the other, by its id. */
  inTurn: InTurn;
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** Null: there is no media store. */
  freeze: Freeze | null;
  /** Asks the network about a profile that the caller holds, and stores what it says. @throws SocialError `publish_failed` when it cannot be asked now */
  checkHeld(profile: ProfileRow, lease: Lease): Promise<void>;
  /** As in `InboxPorts`. */
  hookUrl(network: NetworkId, appId: string): string | null;
  /** Asks to be called for a profile at a moment, milliseconds; may be forgotten. */
  wake(at: number, profileId: string): void;
}

/** What starting a post works with. */
export interface StartPorts extends PlanningPorts {
  clock: Clock;
  logger: Logger;
  outbox: Outbox<PostEvent>;
  /** How long a scheduled post waits for files that cannot be read, milliseconds. */
  maxRetryMs: number;
  /** A scheduled post found later than this is not published, milliseconds. */
  maxLatenessMs: number;
}
