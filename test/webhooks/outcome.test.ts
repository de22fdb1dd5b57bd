import { describe, expect, it } from "vitest";
import { isoTime } from "../../src/ports/clock.ts";
import { afterAttempt, type EndedAttempt, endpointAfter, pausesMs } from "../../src/webhooks/outcome.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { Attempt } from "../../src/webhooks/send.ts";

const endedAt = Date.parse("2026-11-21T12:00:00.000Z");
const at = isoTime(endedAt);
const minute = 60_000;
const hour = 60 * minute;

const arrived: Attempt = { response: { status: 204, body: "", retryAfter: null }, error: null, durationMs: 1 };
const refused: Attempt = {
  response: { status: 503, body: "later", retryAfter: null },
  error: "The receiver returned status 503.",
  durationMs: 1,
};
const lost: Attempt = { response: null, error: "The connection to the receiver broke off.", durationMs: 1 };

const waiting: DeliveryRow = {
  id: "dlv_1",
  account_id: "default",
  webhook_id: "wh_1",
  event: "post.published",
  status: "pending",
  attempts: 0,
  due_at: endedAt,
  created_at: at,
  delivered_at: null,
  private: { body: "{}" },
  response_status: null,
  response_body: null,
  error: null,
};

/** The end of the attempt with that number. */
function ended(attempt: Attempt, number = 1, random = 0): EndedAttempt {
  return { delivery: { ...waiting, attempts: number - 1 }, attempt, endedAt, random };
}

const asking = (retryAfter: string): Attempt => ({ ...refused, response: { status: 503, body: "", retryAfter } });

describe("a delivery after an attempt", () => {
  it("is delivered when it has arrived", () => {
    expect(afterAttempt(ended(arrived, 3))).toEqual({
      status: "delivered",
      attempts: 3,
      due_at: null,
      delivered_at: at,
      response_status: 204,
      response_body: "",
      error: null,
    });
  });

  it("is pending when it was refused, and due a minute later", () => {
    expect(afterAttempt(ended(refused))).toEqual({
      status: "pending",
      attempts: 1,
      due_at: endedAt + minute,
      delivered_at: null,
      response_status: 503,
      response_body: "later",
      error: "The receiver returned status 503.",
    });
  });

  it("has failed after the seventh, without a response where none came", () => {
    expect(afterAttempt(ended(lost, 7))).toEqual({
      status: "failed",
      attempts: 7,
      due_at: null,
      delivered_at: null,
      response_status: null,
      response_body: null,
      error: lost.error,
    });
  });

  it.each([
    [1, minute, 63_000],
    [2, 5 * minute, 315_000],
    [3, 30 * minute, 1_890_000],
    [4, 2 * hour, 7_560_000],
    [5, 6 * hour, 22_680_000],
    [6, 24 * hour, 90_720_000],
  ])("waits after attempt %i for the contract's time, plus a twentieth at most", (number, shortest, longest) => {
    expect(afterAttempt(ended(lost, number, 0)).due_at).toBe(endedAt + shortest);
    expect(afterAttempt(ended(lost, number, 0.5)).due_at).toBe(endedAt + (shortest + longest) / 2);
    expect(afterAttempt(ended(lost, number, 1)).due_at).toBe(endedAt + longest);
    expect(pausesMs[number]).toBe(longest);
  });

  it.each([
    ["59", minute],
    ["61", minute + 1_000],
    ["86400", 24 * hour],
    ["86401", 24 * hour],
  ])("waits as long as the receiver asks, a minute at least and a day at most: %s s", (retryAfter, wait) => {
    expect(afterAttempt(ended(asking(retryAfter))).due_at).toBe(endedAt + wait);
  });
});

const endpoint = {
  ...({ status: "active", disabled_reason: null, consecutive_failures: 3, last_succeeded_at: null } as const),
  last_failed_at: null,
  revision: 7,
  updated_at: "2026-11-20T12:00:00.000Z",
};

describe("an endpoint after an attempt", () => {
  it("starts from zero when it has arrived", () => {
    expect(endpointAfter(endpoint, ended(arrived))).toEqual({
      ...endpoint,
      consecutive_failures: 0,
      last_succeeded_at: at,
    });
  });

  it("records when an attempt failed, and counts the last one only", () => {
    expect(endpointAfter(endpoint, ended(lost, 6))).toEqual({ ...endpoint, last_failed_at: at });
    expect(endpointAfter(endpoint, ended(lost, 7))).toEqual({
      ...endpoint,
      consecutive_failures: 4,
      last_failed_at: at,
    });
  });

  it("is disabled with a reason at the twentieth failure, as its next revision", () => {
    const before = { ...endpoint, consecutive_failures: 19 };
    expect(endpointAfter(before, ended(refused, 7))).toEqual({
      ...before,
      status: "disabled",
      consecutive_failures: 20,
      last_failed_at: at,
      revision: 8,
      updated_at: at,
      disabled_reason: "20 deliveries in a row failed. The last one: The receiver returned status 503.",
    });
  });

  it("stays active at the nineteenth", () => {
    const before = { ...endpoint, consecutive_failures: 18 };
    expect(endpointAfter(before, ended(refused, 7))).toMatchObject({ status: "active", consecutive_failures: 19 });
  });

  it("keeps its reason and revision when it is disabled already", () => {
    const before = { ...endpoint, status: "disabled", disabled_reason: "Ours.", consecutive_failures: 20 } as const;
    expect(endpointAfter(before, ended(refused, 7))).toEqual({
      ...before,
      consecutive_failures: 21,
      last_failed_at: at,
    });
  });

  it.each([arrived, lost])("stays unchanged when that was a test", (attempt) => {
    const test = ended(attempt, 7);
    expect(endpointAfter(endpoint, { ...test, delivery: { ...test.delivery, event: "webhook.test" } })).toBe(endpoint);
  });
});
