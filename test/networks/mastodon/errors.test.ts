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
  ])("asks to connect again after %d %j", (status, body) => {
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
  ])("gives up on %d %j as %s", (status, body, code) => {
    expect(read(status, body)).toMatchObject({ effect: "none", code });
  });

  it("gives up on a file that the server cannot read, and believes that of an upload alone", () => {
    const body = { error: "Error processing thumbnail for uploaded media" };
    expect(read(500, body, {}, uploadOperation)).toMatchObject({ effect: "none", code: "media_error" });
    expect(read(500, body)).toMatchObject({ effect: "unknown", code: "network_error" });
  });

  it.each([
    [422, { error: "Media 1, 2 not found or already attached to another post" }],
    [400, { error: "media already attached to a status" }],
  ])("takes %d %j for a sign that an earlier request went through", (status, body) => {
    expect(read(status, body)).toMatchObject({ effect: "duplicate", code: "media_error" });
  });

  it("waits when files are still being converted", () => {
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
  ])("does not decide on %d %j", (status, body) => {
    expect(read(status, body)).toMatchObject({ effect: "unknown", code: "network_error" });
  });

  it("repeats after a rate limit, when the ISO time in the header says", () => {
    const headers = { "x-ratelimit-reset": "2026-11-21T12:05:00.123456Z" };
    expect(read(429, { error: "Trop de requêtes" }, headers)).toMatchObject({
      effect: "later",
      remedy: "rate_limit",
      retryAt: Date.parse("2026-11-21T12:05:00.123Z"),
    });
  });

  it("does not make up the end of a rate limit that the server does not tell", () => {
    expect(read(429, null)).toMatchObject({ effect: "later", remedy: "rate_limit", retryAt: null });
  });

  it("hands on the network's own words, of either shape", () => {
    expect(read(422, { error: "Nope" }).networkMessage).toBe("Nope");
    const issues = [{ message: "status: too long" }, { message: "visibility: unknown" }];
    expect(read(422, { error: { issues } }).networkMessage).toBe("status: too long; visibility: unknown");
  });
});
