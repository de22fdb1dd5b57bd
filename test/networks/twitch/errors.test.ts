import { describe, expect, it } from "vitest";
import { readRefusal } from "../../../src/networks/runtime/error-map.ts";
import { errors } from "../../../src/networks/twitch/errors.ts";

const now = Date.UTC(2026, 10, 21, 12);

function read(operation: string | undefined, status: number, message: string, headers: Record<string, string> = {}) {
  const body = { error: "Refused", status, message };
  return readRefusal({ status, headers: new Headers(headers), body }, errors, { now, operation });
}

describe("Twitch's error table", () => {
  it.each([
    ["line", 422, "The message is too large", "invalid_request"],
    ["line", 403, "The sender is banned", "rejected_by_network"],
    ["line", 400, "The reply parent message was not found", "rejected_by_network"],
    ["whisper", 401, "The sender must have a verified phone number", "rejected_by_network"],
    ["whisper", 400, "The recipient does not accept whispers", "rejected_by_network"],
    ["whisper", 403, "Suspended", "rejected_by_network"],
    ["whisper", 404, "The recipient was not found", "rejected_by_network"],
    ["subscription", 403, "subscription missing proper authorization", "reauthentication_required"],
    [undefined, 401, "Client ID and OAuth token do not match", "internal_error"],
    [undefined, 404, "Not Found", "rejected_by_network"],
  ])("reads a failed %s with %d %s as the final refusal %s", (operation, status, message, code) => {
    expect(read(operation, status, message)).toMatchObject({ effect: "none", code });
  });

  it.each([undefined, "line", "whisper", "subscription"])(
    "has the credentials renewed after a 401 to %s",
    (operation) => {
      expect(read(operation, 401, "Invalid OAuth token")).toMatchObject({ effect: "later", remedy: "refresh" });
    },
  );

  it.each([undefined, "line", "whisper"])("waits for the end of the rate limit that %s has reached", (operation) => {
    const headers = { "ratelimit-reset": String(now / 1000 + 40) };
    expect(read(operation, 429, "Too Many Requests", headers)).toMatchObject({
      effect: "later",
      remedy: "rate_limit",
      retryAt: now + 41_000,
    });
  });

  it.each([500, 503])("leaves the outcome of a line open after a %d", (status) => {
    expect(read("line", status, "Internal Server Error")).toMatchObject({ effect: "unknown" });
  });
});
