import { retryAfterEnd } from "../../outbound/retry-after.ts";
import { cleanLine } from "../../wire/clean-text.ts";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import type { NetworkResponse } from "../contract/request.ts";

/** What a network's answer that is not a success says. */
export type Refusal = {
  code: PublishingCode;
  message: string;
  /** The network's own. */
  words: string;
  /** Of its answer; null: none came. */
  status: number | null;
} & (
  | /** Certain: nothing was done, and it will not be. */ { effect: "none" | "duplicate" }
  /** Certain: nothing was done yet. */
  | {
      effect: "later";
      remedy: "refresh" | "rate_limit" | "not_ready" | "stage_again";
      /** When the rate limit ends, milliseconds since 1970, where the answer says so. */
      retryAt: number | null;
    }
  | { effect: "unknown" }
);

/**
 * Reads an answer by its network's error table. Rows decide; besides them only
 * a 4xx whose body parses as the network's error is a refusal, and not 408,
 * 409, 423, 425, 429 and 499, which do not tell whether something was done.
 */
export function readRefusal(response: NetworkResponse, table: ErrorTable, now: number): Refusal {
  const parsed = table.body.safeParse(response.body);
  const body = parsed.success ? parsed.data : null;
  const words = wordsOf(body);
  const row = table.rows.find((each) => fits(each, response.status, body));
  if (row === undefined) return unlisted(response.status, body);
  const message = words === "" ? row.message : `${row.message} (${words})`;
  const { status } = response;
  if (row.effect !== "later") return { effect: row.effect, code: row.as, message, words, status };
  return {
    effect: "later",
    remedy: row.remedy,
    retryAt: row.remedy === "rate_limit" ? rateLimitEnd(response, table, now) : null,
    code: row.as,
    message,
    words,
    status,
  };
}

/** The longest that a network documents is a day; what seems to last longer is a mistake. https://docs.bsky.app/docs/advanced-guides/rate-limits (2026-08) */
const longestRateLimitMs = 24 * 3_600_000;

/** What stands before a network's servers says it by `Retry-After`. */
function rateLimitEnd(response: NetworkResponse, table: ErrorTable, now: number): number | null {
  const end = table.rateLimitEnd(response, now) ?? retryAfterEnd(response.headers.get("retry-after"), now);
  return end === null ? null : Math.ceil(Math.min(end, now + longestRateLimitMs));
}

function fits(row: ErrorRow, status: number, body: { code: string | null; message: string } | null): boolean {
  if (row.status !== undefined && row.status !== status) return false;
  if (row.code !== undefined && row.code !== body?.code) return false;
  if (row.words !== undefined && !body?.message.startsWith(row.words)) return false;
  return true;
}

/** Statuses of proxies and of unfinished work: the request may have been acted on. */
const undecidedStatuses: ReadonlySet<number> = new Set([408, 409, 423, 425, 429, 499]);

/** The longest explanation of a network's that is kept, characters. */
const longestWords = 500;

function wordsOf(body: { message: string } | null): string {
  return cleanLine(body?.message ?? "", longestWords);
}

function unlisted(status: number, body: { message: string } | null): Refusal {
  const words = wordsOf(body);
  if (status >= 400 && status < 500 && body !== null && !undecidedStatuses.has(status)) {
    const message = `The network refused it with status ${status}: ${words}`;
    return { effect: "none", code: "rejected_by_network", message, words, status };
  }
  const message = `The network answered with status ${status}, which does not say whether it was done.`;
  return { effect: "unknown", code: "network_error", message, words, status };
}
