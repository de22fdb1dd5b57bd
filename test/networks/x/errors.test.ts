import { describe, expect, it } from "vitest";
import { errors } from "../../../src/networks/x/errors.ts";
import { refusalsBy } from "../refusals.ts";

const now = Date.UTC(2026, 10, 21, 12);

const read = refusalsBy(errors, now);

function problem(detail: string, type = "about:blank") {
  return { title: "Refused", detail, type };
}

const problems = "https://api.twitter.com/2/problems";

describe("X's error table", () => {
  it("reads a duplicate as evidence, not as a refusal, because it names no post", () => {
    const detail = "You are not allowed to create a Tweet with duplicate content.";
    expect(read(403, problem(detail))).toMatchObject({ effect: "duplicate", code: "rejected_by_network" });
  });

  it.each(["media.media_ids", "$.media.media_ids"])("has files staged again if X refuses %s", (field) => {
    const body = {
      errors: [{ parameters: { [field]: ["1"] }, message: "Your media IDs are invalid." }],
      title: "Invalid Request",
      type: `${problems}/invalid-request`,
    };
    expect(read(400, body)).toMatchObject({ effect: "later", remedy: "stage_again", code: "media_error" });
  });

  it.each([
    [401, problem("Unauthorized")],
    [401, null],
    [401, "<html>"],
  ])("has the credentials renewed after %d %j", (status, body) => {
    expect(read(status, body)).toMatchObject({ effect: "later", remedy: "refresh" });
  });

  it.each([
    [402, { title: "CreditsDepleted", detail: "No credits", type: `${problems}/credits` }, "internal_error"],
    [403, problem("Unsupported", `${problems}/unsupported-authentication`), "reauthentication_required"],
    [403, problem("Suspended", `${problems}/user-suspended`), "profile_unavailable"],
    [403, problem("Not enrolled", "https://api.x.com/2/problems/client-forbidden"), "internal_error"],
    [403, problem("This user is not allowed to post a video longer than 20 minutes"), "media_error"],
    [403, problem("A maximum of one cashtag is allowed"), "invalid_request"],
    [400, problem("Has a maximum of 4 items", `${problems}/invalid-request`), "invalid_request"],
    [400, problem("The Tweet contains an invalid URL"), "invalid_request"],
    [400, { errors: [{ message: "$.txet: is not defined" }], type: `${problems}/invalid-request` }, "invalid_request"],
    [403, problem("Your account is not permitted to access this feature"), "unsupported"],
    [403, problem("You are not permitted to perform this action"), "rejected_by_network"],
    [404, problem("Could not find it", `${problems}/resource-not-found`), "rejected_by_network"],
    [429, problem("Capped", `${problems}/usage-capped`), "internal_error"],
    [403, problem("Something that nobody has seen"), "rejected_by_network"],
    [403, { code: 453, message: "Another form" }, "rejected_by_network"],
  ])("reads %d %j as the final refusal %s", (status, body, code) => {
    expect(read(status, body)).toMatchObject({ effect: "none", code });
  });

  it.each([
    [500, problem("Internal error", `${problems}/internal-error`)],
    [503, { title: "Service Unavailable", detail: "Over capacity", type: "about:blank" }],
    [502, "<html>Bad gateway</html>"],
    [403, "<html>Forbidden</html>"],
    [400, {}],
  ])("leaves the outcome open after %d %j", (status, body) => {
    expect(read(status, body)).toMatchObject({ effect: "unknown" });
  });

  const seconds = now / 1000;

  it.each([
    ["the 15-minute limit", { "x-rate-limit-remaining": "0", "x-rate-limit-reset": String(seconds + 60) }, 61_000],
    [
      "the 24-hour limit",
      {
        "x-rate-limit-remaining": "42",
        "x-rate-limit-reset": String(seconds + 60),
        "x-app-limit-24hour-remaining": "0",
        "x-app-limit-24hour-reset": String(seconds + 3_600),
      },
      3_601_000,
    ],
  ])("waits for the end of %s", (_, headers, waitMs) => {
    for (const body of [
      problem("Too Many", `${problems}/rate-limit-exceeded`),
      { errors: [{ code: 88, message: "Rate" }] },
    ])
      expect(read(429, body, headers)).toMatchObject({ remedy: "rate_limit", retryAt: now + waitMs });
  });

  it("reports no end for a limit without one", () => {
    expect(read(429, problem("Too Many"))).toMatchObject({ remedy: "rate_limit", retryAt: null });
  });
});
