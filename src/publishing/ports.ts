import type { InTurn } from "../async/in-turn.ts";
import type { SnapshotFiles } from "../hosting/derive.ts";
import type { PlanningPorts } from "../planning/ports.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { ProfileEvent } from "../profiles/schema.ts";
import type { SendingPorts } from "../sending/ports.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { PostEvent } from "./schema.ts";

/** The ports that publishing targets needs. */
export interface PublishingPorts extends SendingPorts {
  outbox: Outbox<PostEvent | ProfileEvent>;
  /** Writes the outcomes of one post (by its id) one after another. */
  inTurn: InTurn;
  /** Null: the service has no media store. */
  freeze: SnapshotFiles | null;
}

/** The ports that starting a post needs. */
export interface StartPorts extends PlanningPorts {
  clock: Clock;
  logger: Logger;
  outbox: Outbox<PostEvent>;
  /** How long a scheduled post waits for files that cannot be read, milliseconds. */
  maxRetryMs: number;
  /** A scheduled post found later than this is not published, milliseconds. */
  maxLatenessMs: number;
}
