import { describe, expect, it } from "vitest";
import { errors } from "../../../src/networks/google_business/errors.ts";
import { refusalsBy } from "../refusals.ts";

const read = refusalsBy(errors);

function said(code: number, status: string, details: readonly object[] = []): object {
  return { error: { code, message: "words", status, details } };
}

const detailsOf = (...errorDetails: readonly object[]) => [{ "@type": "ValidationError", errorDetails }];

describe("the error table of Google Business", () => {
  it.each([
    [400, "INVALID_ARGUMENT", [], "invalid_request", "none"],
    [400, "INVALID_ARGUMENT", detailsOf({ code: 1000, message: "Fetching image failed." }), "media_error", "none"],
    [400, "INVALID_ARGUMENT", detailsOf({ code: 3, field: "media[0]", message: "Bad." }), "media_error", "none"],
    [400, "FAILED_PRECONDITION", [], "rejected_by_network", "none"],
    [401, "UNAUTHENTICATED", [], "reauthentication_required", "later"],
    [403, "PERMISSION_DENIED", [], "profile_unavailable", "none"],
    [403, "PERMISSION_DENIED", [{ reason: "SERVICE_DISABLED" }], "internal_error", "none"],
    [403, "PERMISSION_DENIED", [{ reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }], "reauthentication_required", "none"],
    [404, "NOT_FOUND", [], "profile_unavailable", "none"],
    [409, "ABORTED", [], "network_error", "unknown"],
    [429, "RESOURCE_EXHAUSTED", [], "network_error", "later"],
    [500, "INTERNAL", [], "network_error", "unknown"],
    [503, "UNAVAILABLE", [], "network_error", "unknown"],
  ])("reads %d with %s and %j as %s, effect %s", (status, name, details, code, effect) => {
    expect(read(status, said(status, name, details))).toMatchObject({ code, effect });
  });

  it("takes the reason from the details", () => {
    const details = detailsOf({ code: 1000, message: "event is required." }, { code: 1, message: "Bad date." });
    expect(read(400, said(400, "INVALID_ARGUMENT", details)).message).toContain("event is required.; Bad date.");
  });

  it("does not read an HTML page as a deleted location", () => {
    expect(read(404, "<title>Error 404 (Not Found)!!1</title>")).toMatchObject({ effect: "unknown" });
  });
});
