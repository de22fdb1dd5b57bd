import type { z } from "zod";
import type { PublishingCode } from "../../wire/errors.ts";

/**
 * How a network's refusals read. Rows are tried from the top; the first that
 * fits decides. A 4xx that no row fits and whose body parses is
 * `rejected_by_network`; anything else that no row fits is unknown.
 */
export interface ErrorTable {
  /** Reads the network's error body into its machine code and its words. */
  body: z.ZodType<{ code: string | null; message: string }>;
  rows: readonly ErrorRow[];
  /** When a rate limit ends, milliseconds since 1970; null when the answer does not say. */
  rateLimitEnd(response: { headers: Headers; body: unknown }, now: number): number | null;
}

export type ErrorRow = {
  status?: number;
  /** The network's machine code. */
  code?: string;
  /** The start of the network's message, only for networks without machine codes. */
  words?: string;
  /** Our code. */
  as: PublishingCode;
  /** What to tell the user: what happened and what to do. The network's own words are added. */
  message: string;
  /** Address and month. */
  source: string;
} & Effect;

/**
 * What the answer says about the request:
 * - `none`: it did nothing, and repeating it will not help
 * - `later`: it did nothing yet. `refresh`: renew the credential · `rate_limit`: wait for the limit's end ·
 *   `not_ready`: wait a little · `stage_again`: a staged value is gone, make it anew
 * - `duplicate`: the network says it has this post already
 * - `unknown`: it may have been done
 */
export type Effect =
  | { effect: "none" | "duplicate" | "unknown" }
  | {
      effect: "later";
      remedy: "refresh" | "rate_limit" | "not_ready" | "stage_again";
    };
