import { describe, expect, it } from "vitest";
import { nextMidnightInCalifornia } from "../../../src/networks/shared/google/errors.ts";
import { errors } from "../../../src/networks/youtube/errors.ts";
import { refusalsBy } from "../refusals.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

const read = refusalsBy(errors, now);

function said(code: number, reason: string, message = "words", status?: string): object {
  return { error: { code, message, errors: [{ domain: "youtube", reason, message }], ...(status && { status }) } };
}

describe("YouTube's error table", () => {
  it.each([
    [401, "authError", "reauthentication_required", "later"],
    [401, "required", "reauthentication_required", "later"],
    [401, "youtubeSignupRequired", "profile_unavailable", "none"],
    [403, "forbidden", "rejected_by_network", "none"],
    [403, "insufficientPermissions", "reauthentication_required", "none"],
    [403, "quotaExceeded", "network_error", "later"],
    [403, "accessNotConfigured", "internal_error", "none"],
    [403, "authenticatedUserAccountClosed", "profile_unavailable", "none"],
    [400, "uploadLimitExceeded", "rejected_by_network", "none"],
    [400, "invalidTags", "invalid_request", "none"],
    [400, "mediaBodyRequired", "media_error", "none"],
    [400, "processingFailure", "invalid_request", "unknown"],
    [404, "videoNotFound", "rejected_by_network", "none"],
    [404, "notFound", "network_error", "later"],
    [410, "gone", "network_error", "later"],
    [500, "backendError", "network_error", "unknown"],
    [503, "internalError", "network_error", "unknown"],
    [400, "somethingNew", "rejected_by_network", "none"],
  ])("reads %d with %s as %s, effect %s", (status, reason, code, effect) => {
    expect(read(status, said(status, reason))).toMatchObject({ code, effect });
  });

  const daily = "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service";

  it("distinguishes the daily limit, which is the app's, from a temporary one", () => {
    expect(read(429, said(429, "rateLimitExceeded", daily))).toMatchObject({
      remedy: "rate_limit",
      scope: "app",
      retryAt: Date.parse("2026-11-22T08:00:00Z"),
    });
    expect(read(403, said(403, "quotaExceeded"))).toMatchObject({ scope: "app", retryAt: expect.any(Number) });
    expect(read(429, said(429, "rateLimitExceeded", "Slow down"))).toMatchObject({ scope: "profile", retryAt: null });
    expect(read(429, said(429, "rateLimitExceeded", "Slow"), { "retry-after": "7" })).toMatchObject({
      retryAt: now + 7_000,
    });
  });

  it("removes the tags from the words", () => {
    expect(read(403, said(403, "quotaExceeded", 'your <a href="/x">quota</a>.')).message).toContain("(your quota.)");
  });

  it("reads OAuth errors as well", () => {
    expect(read(400, { error: "invalid_grant", error_description: "Bad Request" })).toMatchObject({ effect: "none" });
  });
});

describe("the next midnight in California", () => {
  it.each([
    ["in winter", "2026-11-21T12:00:00Z", "2026-11-22T08:00:00Z"],
    ["in summer", "2026-07-01T12:00:00Z", "2026-07-02T07:00:00Z"],
    ["right after one", "2026-11-22T08:00:00Z", "2026-11-23T08:00:00Z"],
    ["on the longest day", "2026-11-01T07:30:00Z", "2026-11-02T08:00:00Z"],
    ["on the shortest day", "2026-03-08T08:30:00Z", "2026-03-09T07:00:00Z"],
  ])("is found %s", (_, from, to) => {
    expect(new Date(nextMidnightInCalifornia(Date.parse(from))).toISOString()).toBe(to.replace("Z", ".000Z"));
  });
});
