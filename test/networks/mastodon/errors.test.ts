import { describe, expect, it } from "vitest";
import { errors, uploadOperation } from "../../../src/networks/mastodon/errors.ts";
import { refusalsBy } from "../refusals.ts";

const now = Date.UTC(2026, 10, 21, 12);

const read = refusalsBy(errors, now);

describe("Mastodon's error table", () => {
  it.each([
    [401, { error: "The access token is invalid" }],
    [401, { error: "The access token was revoked" }],
    [401, { error: "invalid_client", error_description: "Client authentication failed" }],
    [401, null],
    [401, "<html>Unauthorized</html>"],
    [401, { success: false }],
    [403, { error: "This action is outside the authorized scopes" }],
  ])("requires a reconnect after %d %j", (status, body) => {
    expect(read(status, body)).toMatchObject({ effect: "none", code: "reauthentication_required" });
  });

  it.each([
    [403, { error: "Your login is currently disabled" }, "profile_unavailable"],
    [403, { error: "Your login is missing a confirmed e-mail address" }, "profile_unavailable"],
    [403, { error: "This action is not allowed" }, "rejected_by_network"],
    [404, { error: "Record not found" }, "rejected_by_network"],
    [404, { error: "The post you are trying to reply to does not appear to exist." }, "rejected_by_network"],
    [410, null, "profile_unavailable"],
    [413, "<html>Too large</html>", "media_error"],
    [422, { error: "Validation failed: Text character limit of 500 exceeded" }, "invalid_request"],
    [422, { error: "Validation failed: Text can't be blank" }, "invalid_request"],
    [422, { error: "Validation failed: File content type is invalid, File is invalid" }, "media_error"],
    [422, { error: "Cannot attach a video to a post that already contains images" }, "invalid_request"],
    [422, { error: "Cannot attach more than 4 files" }, "invalid_request"],
    [422, { error: "Le texte ne peut être vide" }, "rejected_by_network"],
    [400, { success: false, error: { issues: [{ message: "status: too long" }] } }, "rejected_by_network"],
  ])("reads %d %j as the final refusal %s", (status, body, code) => {
    expect(read(status, body)).toMatchObject({ effect: "none", code });
  });

  it("reads an unreadable file as a final refusal only after an upload", () => {
    const body = { error: "Error processing thumbnail for uploaded media" };
    expect(read(500, body, {}, uploadOperation)).toMatchObject({ effect: "none", code: "media_error" });
    expect(read(500, body)).toMatchObject({ effect: "unknown", code: "network_error" });
  });

  it.each([
    [422, { error: "Media 1, 2 not found or already attached to another post" }],
    [400, { error: "media already attached to a status" }],
  ])("reads %d %j as a sign that an earlier request succeeded", (status, body) => {
    expect(read(status, body)).toMatchObject({ effect: "duplicate", code: "media_error" });
  });

  it("waits while files are still being converted", () => {
    const error = "Cannot attach files that have not finished processing. Try again in a moment!";
    expect(read(422, { error })).toMatchObject({ effect: "later", remedy: "not_ready", code: "media_error" });
  });

  it.each([
    [500, { error: "We're sorry, but something went wrong on our end." }],
    [500, null],
    [503, { error: "Remote data could not be fetched" }],
    [504, "<html>Gateway timeout</html>"],
    [400, null],
    [403, "<html>Blocked</html>"],
    [404, "<html>Not here</html>"],
    [409, { error: "conflict" }],
  ])("leaves the outcome open after %d %j", (status, body) => {
    expect(read(status, body)).toMatchObject({ effect: "unknown", code: "network_error" });
  });

  it("repeats after a rate limit at the ISO time in the header", () => {
    const headers = { "x-ratelimit-reset": "2026-11-21T12:05:00.123456Z" };
    expect(read(429, { error: "Trop de requêtes" }, headers)).toMatchObject({
      effect: "later",
      remedy: "rate_limit",
      retryAt: Date.parse("2026-11-21T12:05:00.123Z"),
    });
  });

  it("does not invent the end of a rate limit", () => {
    expect(read(429, null)).toMatchObject({ effect: "later", remedy: "rate_limit", retryAt: null });
  });

  it("keeps the network's own words, in both forms", () => {
    expect(read(422, { error: "Nope" }).networkMessage).toBe("Nope");
    const issues = [{ message: "status: too long" }, { message: "visibility: unknown" }];
    expect(read(422, { error: { issues } }).networkMessage).toBe("status: too long; visibility: unknown");
  });
});
