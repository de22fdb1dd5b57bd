import { describe, expect, it } from "vitest";
import { isSuccess } from "../../../src/networks/runtime/error-map.ts";
import { errors, uploadOperation } from "../../../src/networks/tiktok/errors.ts";
import { refusalsBy } from "../refusals.ts";

const read = refusalsBy(errors);

function said(code: string, message = "words"): object {
  return { data: {}, error: { code, message, log_id: "2026112112" } };
}

describe("TikTok's error table", () => {
  it.each([
    [401, "access_token_invalid", "reauthentication_required", "later"],
    [401, "scope_not_authorized", "reauthentication_required", "none"],
    [401, "something_new", "reauthentication_required", "later"],
    [403, "spam_risk_too_many_posts", "rejected_by_network", "none"],
    [200, "spam_risk_user_banned_from_posting", "rejected_by_network", "none"],
    [200, "reached_active_user_cap", "rejected_by_network", "none"],
    [403, "unaudited_client_can_only_post_to_private_accounts", "rejected_by_network", "none"],
    [403, "url_ownership_unverified", "media_error", "none"],
    [403, "privacy_level_option_mismatch", "invalid_request", "none"],
    [400, "invalid_param", "invalid_request", "none"],
    [400, "app_version_check_failed", "rejected_by_network", "none"],
    [429, "rate_limit_exceeded", "network_error", "later"],
    [500, "internal_error", "network_error", "unknown"],
    [200, "internal_error", "network_error", "unknown"],
    [200, "something_new", "network_error", "unknown"],
    [403, "something_new", "rejected_by_network", "none"],
  ])("reads %d with %s as %s, effect %s", (status, code, as, effect) => {
    expect(read(status, said(code))).toMatchObject({ code: as, effect });
  });

  it("reads the special code from the message of a general one", () => {
    const body = said("invalid_params", "spam_risk_too_many_pending_share");
    expect(read(400, body).message).toContain("Five drafts");
  });

  it.each([403, 404, 416])("does not conclude from a piece refused with %d that it did not arrive", (status) => {
    expect(read(status, null, {}, uploadOperation)).toMatchObject({ effect: "unknown" });
    expect(read(status, said("something_new"), {}, uploadOperation)).toMatchObject({ effect: "unknown" });
  });

  it("recognizes a success by its code, not by its status", () => {
    const answer = (body: unknown) => isSuccess({ status: 200, headers: new Headers(), body }, errors);
    expect([said("ok", ""), said("invalid_params"), null].map(answer)).toEqual([true, false, true]);
  });
});
