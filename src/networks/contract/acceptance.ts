import type { PublishingCode } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { Published } from "./plan.ts";

/** The outcome that a 2xx response states for the parts of its request. */
export type Acceptance =
  | { live: Published }
  /**
   * Accepted, but not public yet. The data that identifies the job at the network, never a secret. `lookFor` gets it
   * until it finds the post, or finds that it failed.
   */
  | { job: Json }
  /** The status says success, but the body says that the network rejected the post. */
  | { refused: PublishingFailure };

/** Why something will certainly not become public. */
export interface PublishingFailure {
  /** Our code for the failure. */
  code: PublishingCode;
  /** What happened and what to do. */
  message: string;
}
