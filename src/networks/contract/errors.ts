import type * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";

/**
 * How to read a network's errors. Rows are checked from the top; the first that matches decides. If none matches, a 4xx
 * whose body parses is `rejected_by_network`, and anything else is unknown.
 *
 * Some statuses leave open whether the request was carried out: 3xx, 408, 409, 423, 425, 499 and 5xx. For those, a row
 * matches only if it names the status or its effect is `unknown`: servers return known codes with the 500 of a request
 * that published.
 */
export interface ErrorTable {
  /** Parses the network's error body. */
  body: z.ZodType<ErrorBody>;
  /** Ordered from the most specific to the most general. */
  rows: readonly ErrorRow[];
  /** True: this body is an error although the status is a success. Absent: the network sends no such bodies. */
  refusesWithSuccess?(body: unknown): boolean;
  /** When a rate limit ends, milliseconds since 1970. Null: the response does not say. */
  rateLimitEnd(response: { headers: Headers; body: unknown }, now: number): number | null;
}

/** An error body in the adapter's terms. */
export interface ErrorBody {
  /**
   * The network's machine codes. If a code has a subcode, both are listed (`190/463` and `190`), and the row for the
   * first stands above the row for the second.
   */
  codes: readonly string[];
  /** The network's message for humans. */
  message: string;
}

/** One kind of error from a network, and what it means. All conditions of the row must hold. */
export type ErrorRow = {
  /** The HTTP status of the response. Absent: any status that is certain about the outcome. A 5xx is never a reason to reconnect a profile. */
  status?: number;
  /** One of the network's machine codes. */
  code?: string;
  /** The start of the network's message. Use this and `contains` only when no code identifies the error. */
  startsWith?: string;
  /** A text within the network's message. */
  contains?: string;
  /** The purpose of the request (`NetworkRequest.operation`). */
  operation?: string;
  /** Our code. */
  as: PublishingCode;
  /** The message for the user: what happened and what to do. The network's own message is appended. */
  message: string;
  /** URL and month. */
  source: string;
} & Effect;

/**
 * The effect of the request, according to the response:
 * - `none`: it did nothing, and a retry will not help
 * - `later`: it did nothing yet. `refresh`: renew the credential · `rate_limit`: wait for the limit's end ·
 *   `not_ready`: wait a little · `stage_again`: a staged value is gone, make a new one · `sign_again`: sign the request
 *   again, with the data that the adapter got from the response in `onResponse`
 * - `duplicate`: the network says that it already has this post
 * - `unknown`: it may have been done
 */
export type Effect =
  | { effect: "none" | "duplicate" | "unknown" }
  | { effect: "later"; remedy: "refresh" | "not_ready" | "stage_again" | "sign_again" }
  | {
      effect: "later";
      remedy: "rate_limit";
      /** Whose limit it is: the profile's alone, or the limit of the host's app, which all its profiles share. @default "profile" */
      scope?: "profile" | "app";
    };
