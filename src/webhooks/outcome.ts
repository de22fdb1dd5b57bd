import { retryAfterEnd } from "../outbound/retry-after.ts";
import { isoTime } from "../ports/clock.ts";
import type { DeliveryRow, EndpointRow } from "./rows.ts";
import type { Attempt } from "./send.ts";

/** Waits after each failed attempt but the last, milliseconds. */
const waitsMs = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000];
/** Maximum wait that a receiver may request, milliseconds. */
const maxWaitMs = 86_400_000;
/** Waits are extended by up to this share, so that deliveries that failed together are not retried together. */
const maxJitter = 0.05;
/**
 * The longest pause after zero, one, two … attempts, unless the receiver requests more; the last value: after all
 * further ones.
 */
export const pausesMs: readonly number[] = [0, ...waitsMs.map((ms) => Math.ceil(ms * (1 + maxJitter))), 0];
/** Number of consecutive failed deliveries that disables an endpoint. */
const maxFailures = 20;

/** A finished attempt. */
export interface EndedAttempt {
  delivery: DeliveryRow;
  attempt: Attempt;
  /** The store's time, milliseconds. */
  endedAt: number;
  /** Random value from 0 to 1. */
  random: number;
}

type DeliveryChange = Omit<DeliveryRow, "id" | "account_id" | "webhook_id" | "event" | "created_at" | "private">;

/** The delivery's state after an attempt. */
export function afterAttempt({ delivery, attempt, endedAt, random }: EndedAttempt): DeliveryChange {
  const { response, error } = attempt;
  const attempts = delivery.attempts + 1;
  const seen = {
    attempts,
    response_status: response?.status ?? null,
    response_body: response?.body ?? null,
    error,
  };
  if (error === null) return { ...seen, status: "delivered", due_at: null, delivered_at: isoTime(endedAt) };
  const waitMs = waitsMs[attempts - 1];
  if (waitMs === undefined) return { ...seen, status: "failed", due_at: null, delivered_at: null };
  const askedMs = (retryAfterEnd(response?.retryAfter ?? null, endedAt) ?? endedAt) - endedAt;
  const pauseMs = Math.max(waitMs, Math.min(askedMs, maxWaitMs));
  const due_at = endedAt + Math.ceil(pauseMs * (1 + random * maxJitter));
  return { ...seen, status: "pending", due_at, delivered_at: null };
}

type EndpointChange = Pick<
  EndpointRow,
  | "status"
  | "disabled_reason"
  | "consecutive_failures"
  | "last_succeeded_at"
  | "last_failed_at"
  | "revision"
  | "updated_at"
>;

/** The endpoint's state after an attempt; tests do not count. */
export function endpointAfter(endpoint: EndpointChange, ended: EndedAttempt): EndpointChange {
  const { delivery, attempt, endedAt } = ended;
  if (delivery.event === "webhook.test") return endpoint;
  const at = isoTime(endedAt);
  if (attempt.error === null) return { ...endpoint, consecutive_failures: 0, last_succeeded_at: at };
  const isOver = afterAttempt(ended).status === "failed";
  const consecutive_failures = endpoint.consecutive_failures + (isOver ? 1 : 0);
  const failed = { ...endpoint, consecutive_failures, last_failed_at: at };
  if (consecutive_failures < maxFailures || endpoint.status === "disabled") return failed;
  return {
    ...failed,
    status: "disabled",
    disabled_reason: `${maxFailures} deliveries in a row failed. The last one: ${attempt.error}`,
    revision: endpoint.revision + 1,
    updated_at: at,
  };
}
