import type * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";

/**
 * How a network's refusals read. Rows are tried from the top; the first that
 * fits decides. A 4xx that no row fits and whose body parses is
 * `rejected_by_network`; anything else that no row fits is unknown.
 *
 * Some statuses leave open whether the request was carried out: 3xx, 408, 409,
 * 423, 425, 499 and 5xx. There a row fits only if it names the status, or says
 * `unknown`: servers put known codes into the 500 of a request that published.
 */
export interface ErrorTable {
  /** Reads the network's error body. */
  body: z.ZodType<ErrorBody>;
  /** From the most special to the most general. */
  rows: readonly ErrorRow[];
  /** Is this a refusal, although its status is a success? Absent: no network's words say so. */
  refusesWithSuccess?(body: unknown): boolean;
  /** When a rate limit ends, milliseconds since 1970; null when the answer does not say. */
  rateLimitEnd(response: { headers: Headers; body: unknown }, now: number): number | null;
}

/** What the body of a refusal says, in our words. */
export interface ErrorBody {
  /**
   * The network's machine codes for it. Where it has a code within a code, both
   * are given (`190/463` and `190`), and the row for the first stands above the
   * other's.
   */
  codes: readonly string[];
  /** What it says, for humans. */
  message: string;
}

/** A refusal of the network, and what it means. All conditions that it names must hold. */
export type ErrorRow = {
  /** The HTTP status of the answer. Absent: any that says yes or no by itself. A 5xx is never a reason to reconnect a profile. */
  status?: number;
  /** One of the network's machine codes. */
  code?: string;
  /** The start of the network's message, and a text within it: only where no code says it. */
  startsWith?: string;
  /** A text within the network's message. */
  contains?: string;
  /** What the request was for, as it names it itself (`NetworkRequest.operation`). */
  operation?: string;
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
 *   `not_ready`: wait a little · `stage_again`: a staged value is gone, make it anew · `sign_again`: sign it anew, by
 *   what the adapter has `onResponse` in the answer
 * - `duplicate`: the network says it has this post already
 * - `unknown`: it may have been done
 */
export type Effect =
  | { effect: "none" | "duplicate" | "unknown" }
  | { effect: "later"; remedy: "refresh" | "not_ready" | "stage_again" | "sign_again" }
  | {
      effect: "later";
      remedy: "rate_limit";
      /** Whose limit it is: the profile's alone, or that of the host's app, which all its profiles share. @default "profile" */
      scope?: "profile" | "app";
    };
