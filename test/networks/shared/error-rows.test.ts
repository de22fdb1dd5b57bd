import { describe, expect, it } from "vitest";
import {
  loginEnded,
  notReady,
  rateLimited,
  refused,
  stagedGone,
  undecided,
} from "../../../src/networks/shared/error-rows.ts";

const source = "https://docs.example/errors (2026-11)";

describe("rows of an error table", () => {
  it("stand for one code, or for each of several", () => {
    const row = { as: "invalid_request", message: "No.", source, effect: "none" };
    expect(refused("a", "invalid_request", "No.", source)).toEqual([{ ...row, code: "a" }]);
    expect(refused(["a", "b"], "invalid_request", "No.", source)).toEqual([
      { ...row, code: "a" },
      { ...row, code: "b" },
    ]);
  });

  it("keep each condition beside the code, and need none", () => {
    const rows = refused({ status: 400, contains: "x", code: ["a", "b"] }, "media_error", "No.", source);
    expect(rows).toMatchObject([
      { status: 400, contains: "x", code: "a" },
      { status: 400, contains: "x", code: "b" },
    ]);
    const [bare] = refused({ status: 413 }, "media_error", "No.", source);
    expect(bare).not.toHaveProperty("code");
  });

  it("carry the consequence", () => {
    const where = { status: 400 };
    expect(loginEnded(where, "No.", source)).toMatchObject([
      { as: "reauthentication_required", effect: "later", remedy: "refresh" },
    ]);
    expect(rateLimited(where, "No.", source)).toMatchObject([
      { as: "network_error", effect: "later", remedy: "rate_limit", scope: "profile" },
    ]);
    expect(rateLimited(where, "No.", source, "app")).toMatchObject([{ scope: "app" }]);
    expect(notReady(where, "media_error", "No.", source)).toMatchObject([
      { as: "media_error", effect: "later", remedy: "not_ready" },
    ]);
    expect(stagedGone(where, "media_error", "No.", source)).toMatchObject([
      { as: "media_error", effect: "later", remedy: "stage_again" },
    ]);
    expect(undecided(where, "No.", source)).toMatchObject([{ as: "network_error", effect: "unknown" }]);
  });
});
