import type { PublishingCode } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { Published } from "./plan.ts";

/** What a 2xx says of the parts that its request was to make public. */
export type Acceptance =
  | { live: Published }
  /**
   * Taken, but not public yet. What the network asks for to tell how far it is,
   * never a secret: `locate` gets it until it finds the post or its end.
   */
  | { job: Json }
  /** A success by its status, a no by its words. */
  | { refused: PublishingFailure };

/** Why something is not going to be public, for certain. */
export interface PublishingFailure {
  /** Our code for it. */
  code: PublishingCode;
  /** What happened and what to do. */
  message: string;
}
