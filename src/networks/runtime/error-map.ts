import { retryAfterEnd } from "../../outbound/retry-after.ts";
import { cleanLine } from "../../wire/clean-text.ts";
import type { PublishingCode } from "../../wire/errors.ts";
import { foreignText } from "../../wire/remedy.ts";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** An error response from a network, classified. */
export type Refusal = {
  code: PublishingCode;
  message: string;
  /** The network's own message. */
  networkMessage: string;
  /** The HTTP status. Null: no response arrived. */
  status: number | null;
} & (
  | /** Certain: nothing was done, and nothing will be. */ { effect: "none" | "duplicate" }
  /** Certain: nothing was done yet. */
  | {
      effect: "later";
      remedy: "refresh" | "rate_limit" | "not_ready" | "stage_again" | "sign_again";
      /** When the rate limit ends, milliseconds since 1970. Null: the response does not say. */
      retryAt: number | null;
      /** Whose rate limit it is. */
      scope: "profile" | "app";
    }
  | { effect: "unknown" }
);

/**
 * Classifies a response by its network's error table. Rows decide. Without a matching row, only a 4xx other than 429
 * whose body parses as the network's error counts as rejected. If the status leaves open whether something was done
 * (`isUndecided`), only a row that names this status does: known codes are not enough.
 */
export function readRefusal(
  response: NetworkResponse,
  table: ErrorTable,
  { now, operation }: { now: number; operation?: string | undefined },
): Refusal {
  const parsed = table.body.safeParse(response.body);
  const body = parsed.success ? parsed.data : null;
  const networkMessage = messageIn(body);
  const row = table.rows.find((each) => fits(each, { status: response.status, body, operation }));
  if (row === undefined) return unlisted(response.status, body);
  const message = networkMessage === "" ? row.message : `${row.message} (${networkMessage})`;
  const { status } = response;
  if (row.effect !== "later") return { effect: row.effect, code: row.as, message, networkMessage, status };
  return {
    effect: "later",
    remedy: row.remedy,
    scope: (row.remedy === "rate_limit" ? row.scope : undefined) ?? "profile",
    retryAt: row.remedy === "rate_limit" ? rateLimitEnd(response, table, now) : null,
    code: row.as,
    message,
    networkMessage,
    status,
  };
}

/** The longest documented limit is a day. A longer one counts as a mistake. https://docs.bsky.app/docs/advanced-guides/rate-limits (2026-08) */
const longestRateLimitMs = 24 * 3_600_000;

/** Proxies in front of a network's servers send `Retry-After`. */
function rateLimitEnd(response: NetworkResponse, table: ErrorTable, now: number): number | null {
  const told = table.rateLimitEnd(response, now);
  // An adapter that parses a date as a number returns NaN, and the wait would never end.
  const isTold = told !== null && !Number.isNaN(told);
  const end = isTold ? told : retryAfterEnd(response.headers.get("retry-after"), now);
  return end === null ? null : Math.ceil(Math.min(end, now + longestRateLimitMs));
}

interface Said {
  status: number;
  body: ErrorBody | null;
  operation: string | undefined;
}

function fits(row: ErrorRow, { status, body, operation }: Said): boolean {
  if (!coversStatus(row, status)) return false;
  if (row.operation !== undefined && row.operation !== operation) return false;
  if (row.code !== undefined && !body?.codes.includes(row.code)) return false;
  if (row.startsWith !== undefined && !body?.message.startsWith(row.startsWith)) return false;
  return row.contains === undefined || body?.message.includes(row.contains) === true;
}

function coversStatus(row: ErrorRow, status: number): boolean {
  if (row.status !== undefined) return row.status === status;
  return row.effect === "unknown" || !isUndecided(status);
}

/** True: the status and the body both mean success. */
export function isSuccess({ status, body }: NetworkResponse, table: ErrorTable): boolean {
  return status >= 200 && status < 300 && table.refusesWithSuccess?.(body) !== true;
}

/** Statuses of proxies and of unfinished work. */
const undecidedStatuses: ReadonlySet<number> = new Set([408, 409, 423, 425, 499]);

/**
 * True: the request may have taken effect, whatever the body says. Meta's servers returned 500 with the code of a
 * missing permission, or of a temporary failure, to requests that had published.
 * https://github.com/tirthpatell/threads-go/pull/30 (2026-05), https://github.com/arsduo/koala/issues/699 (2025-08)
 */
export function isUndecided(status: number): boolean {
  return (status >= 300 && status < 400) || status >= 500 || undecidedStatuses.has(status);
}

/** Maximum length of a network's message that is kept, characters. */
const longestMessage = 500;

function messageIn(body: ErrorBody | null): string {
  return foreignText(cleanLine(body?.message ?? "", longestMessage));
}

function unlisted(status: number, body: ErrorBody | null): Refusal {
  const networkMessage = messageIn(body);
  if (status >= 400 && status !== 429 && !isUndecided(status) && body !== null) {
    const message = `The network rejected it with status ${status}: ${networkMessage}`;
    return { effect: "none", code: "rejected_by_network", message, networkMessage, status };
  }
  const said = networkMessage === "" ? "" : ` (${networkMessage})`;
  const message = `The network returned status ${status}, which does not show whether the request was processed.${said}`;
  return { effect: "unknown", code: "network_error", message, networkMessage, status };
}
