import { describe, expect, it } from "vitest";
import { errors } from "../../../src/networks/discord/errors.ts";
import { refusalsBy } from "../refusals.ts";

const now = Date.UTC(2026, 10, 21);

const read = refusalsBy(errors, now);

describe("Discord's error table", () => {
  it.each([
    [400, 50006, "invalid_request", "none"],
    [400, 50109, "internal_error", "none"],
    [400, 30015, "invalid_request", "none"],
    [413, 40005, "media_error", "none"],
    [400, 50146, "media_error", "none"],
    [403, 400001, "rejected_by_network", "none"],
    [400, 40067, "invalid_request", "none"],
    [400, 220004, "unsupported", "none"],
    [400, 200000, "rejected_by_network", "none"],
    [401, 0, "reauthentication_required", "none"],
    [401, 50027, "reauthentication_required", "none"],
    [404, 10015, "reauthentication_required", "none"],
    [403, 50001, "profile_unavailable", "none"],
    [403, 50013, "rejected_by_network", "none"],
    [403, 40333, "internal_error", "none"],
    [404, 10003, "profile_unavailable", "none"],
    [404, 10008, "rejected_by_network", "none"],
    [403, 40006, "network_error", "later"],
    [429, 20028, "network_error", "later"],
    [500, 130000, "network_error", "unknown"],
    [502, 0, "network_error", "unknown"],
    [409, 99999, "network_error", "unknown"],
    [400, 99999, "rejected_by_network", "none"],
  ])("reads %d with code %d as %s, effect %s", (status, code, as, effect) => {
    expect(read(status, { code, message: "words" })).toMatchObject({ code: as, effect });
  });

  it("names the wrong fields", () => {
    const body = {
      code: 50035,
      message: "Invalid Form Body",
      errors: { embeds: { 0: { title: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH", message: "Too long." }] } } } },
    };
    expect(read(400, body)).toMatchObject({
      code: "invalid_request",
      message: "Discord rejected the message's content. (Invalid Form Body; embeds.0.title: Too long.)",
    });
  });

  it.each([
    { attachments: { 0: { description: { _errors: [{ message: "Too long." }] } } } },
    { message: { attachments: { 0: { filename: { _errors: [{ message: "Bad." }] } } } } },
    { files: { _errors: [{ message: "Bad." }] } },
  ])("reads a wrong field of a file as a media error: %j", (tree) => {
    expect(read(400, { code: 50035, message: "Invalid Form Body", errors: tree }).code).toBe("media_error");
  });

  it("goes by the code alone, not by digits somewhere in the words", () => {
    expect(read(400, { code: 99999, message: "id 50001 50027" }).code).toBe("rejected_by_network");
  });

  it.each([
    ["the body", { message: "slow", retry_after: 1.234, global: false }, {}, 1_234],
    ["the body over a header", { message: "slow", retry_after: 2 }, { "retry-after": "9" }, 2_000],
    ["the precise header", null, { "x-ratelimit-reset-after": "0.5", "retry-after": "1" }, 500],
    ["Cloudflare's header", null, { "retry-after": "30" }, 30_000],
  ])("reads the end of a rate limit from %s", (_, body, headers, waitMs) => {
    expect(read(429, body, headers)).toMatchObject({ effect: "later", remedy: "rate_limit", retryAt: now + waitMs });
  });

  it("does not invent the end of a rate limit", () => {
    expect(read(429, { message: "slow" })).toMatchObject({ effect: "later", retryAt: null });
  });

  it("does not read an HTML response as a refusal", () => {
    expect(read(403, null)).toMatchObject({ effect: "unknown" });
    expect(read(401, null)).toMatchObject({ effect: "unknown" });
  });
});
