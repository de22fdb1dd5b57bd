import type { Pace } from "../async/pace.ts";
import type { NetworkAdapter } from "../networks/adapter.ts";
import type { NetworkId } from "../networks/spec.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Profile } from "../profiles/schema.ts";
import type { Storage } from "../storage/storage.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { DueWorker } from "../work/due-worker.ts";
import type { InspectMedia } from "./media.ts";

/** May this account publish on this profile? */
export type Entitlements = (question: { account_id: string; profile: Profile }) => boolean | Promise<boolean>;

/** What posts work with. */
export interface PostPorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  outbox: Outbox;
  worker: DueWorker;
  inspectMedia: InspectMedia;
  /** Between the pieces of long work: lets others have their turn. */
  pace: Pace;
  entitlements: Entitlements;
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** Is told of work that goes on after the call that began it has answered. */
  track(work: Promise<unknown>): void;
  /** Asks to be called for a profile at a moment, milliseconds; may be forgotten. */
  wake(at: number, profileId: string): void;
  /** How long `create` and `retry` wait for the outcome, milliseconds. */
  publishWaitMs: number;
  /** How long a scheduled post waits for files that cannot be read, milliseconds. */
  maxRetryMs: number;
  /** A scheduled post found later than this is not published, milliseconds. */
  maxLatenessMs: number;
}
