import { describe, expect, it } from "vitest";
import { errors } from "../../../src/networks/bluesky/errors.ts";
import { readRefusal } from "../../../src/networks/runtime/error-map.ts";

const now = Date.UTC(2025, 10, 21);

interface Answer {
  status: number;
  error: string;
  message?: string;
}

function read({ status, error, message = "words" }: Answer, headers: Record<string, string> = {}) {
  return readRefusal({ status, headers: new Headers(headers), body: { error, message } }, errors, { now });
}

describe("Bluesky's error table", () => {
  it.each([
    { status: 400, error: "ExpiredToken", effect: "later", remedy: "refresh", code: "reauthentication_required" },
    { status: 401, error: "ExpiredToken", effect: "later", remedy: "refresh", code: "reauthentication_required" },
    { status: 400, error: "InvalidToken", effect: "later", remedy: "refresh", code: "reauthentication_required" },
    { status: 401, error: "AuthMissing", effect: "later", remedy: "refresh", code: "reauthentication_required" },
    { status: 400, error: "BlobNotFound", effect: "later", remedy: "stage_again", code: "media_error" },
    { status: 429, error: "RateLimitExceeded", effect: "later", remedy: "rate_limit", code: "network_error" },
    { status: 400, error: "ServiceOverloaded", effect: "later", remedy: "not_ready", code: "network_error" },
  ])("reads $status $error as a request to repeat", ({ effect, remedy, code, ...answer }) => {
    expect(read(answer)).toMatchObject({ effect, remedy, code });
  });

  it.each([
    { status: 401, error: "AccountTakedown", code: "profile_unavailable" },
    { status: 403, error: "AccountNotFound", code: "profile_unavailable" },
    { status: 401, error: "AuthFactorTokenRequired", code: "reauthentication_required" },
    { status: 400, error: "InvalidToken", message: "Bad token scope", code: "reauthentication_required" },
    { status: 400, error: "InvalidRequest", message: "Invalid app.bsky.feed.post record", code: "invalid_request" },
    { status: 400, error: "InvalidRequest", message: "blob too big (maximum 1000000, got 2)", code: "media_error" },
    { status: 400, error: "InvalidMimeType", code: "media_error" },
    { status: 413, error: "PayloadTooLarge", code: "media_error" },
    { status: 400, error: "DailyLimitExceeded", code: "rejected_by_network" },
    { status: 418, error: "SomethingNew", code: "rejected_by_network" },
  ])("reads $status $error $message as the final refusal $code", ({ code, ...answer }) => {
    expect(read(answer)).toMatchObject({ effect: "none", code });
  });

  it.each([
    { status: 500, error: "InternalServerError", code: "network_error" },
    { status: 503, error: "ServiceOverloaded", code: "network_error" },
    { status: 502, error: "UpstreamFailure", code: "network_error" },
    { status: 504, error: "UpstreamTimeout", code: "timeout" },
    { status: 409, error: "SomethingNew", code: "network_error" },
  ])("leaves the outcome open after $status $error", ({ code, ...answer }) => {
    expect(read(answer)).toMatchObject({ effect: "unknown", code });
  });

  it("reads the end of a rate limit in seconds since 1970", () => {
    const answer = { status: 429, error: "RateLimitExceeded" };
    expect(read(answer, { "ratelimit-reset": "1763725800" })).toMatchObject({ retryAt: 1_763_725_801_000 });
    expect(read(answer, { "ratelimit-reset": "soon" })).toMatchObject({ retryAt: null });
    expect(read(answer)).toMatchObject({ retryAt: null });
  });

  it("adds the network's words to the message", () => {
    expect(read({ status: 413, error: "PayloadTooLarge", message: "over 5 MB" }).message).toContain("(over 5 MB)");
  });
});
