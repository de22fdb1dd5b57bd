import type { InTurn } from "../async/in-turn.ts";
import type { Pace } from "../async/pace.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/limits.ts";
import type { SessionPorts } from "../networks/runtime/session.ts";
import type { Outbound } from "../outbound/http.ts";
import type { PlanningPorts } from "../planning/ports.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { ProfileEvent } from "../profiles/schema.ts";
import type { Storage } from "../storage/storage.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { PostEvent } from "./schema.ts";
import type { SentHere } from "./sent-here.ts";

/** What publishing works with. */
export interface PublishingPorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  outbound: Outbound;
  session: SessionPorts;
  vault: Vault;
  outbox: Outbox<PostEvent | ProfileEvent>;
  /** Between the pieces of long work: lets others have their turn. */
  pace: Pace;
  sentHere: SentHere;
  /** The outcomes of one post are written one after the other, by its id. */
  inTurn: InTurn;
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** Reads a caller's media file. */
  readMedia(url: string, options: { maxBytes: number }): Promise<Uint8Array>;
  /** Asks to be called for a profile at a moment, milliseconds; may be forgotten. */
  wake(at: number, profileId: string): void;
  /** How long a target that cannot go out yet is tried, milliseconds. */
  maxRetryMs: number;
  /** What is certainly not live is not sent again later than this after its request, milliseconds. */
  maxLatenessMs: number;
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
