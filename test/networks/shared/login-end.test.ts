import { describe, expect, it } from "vitest";
import { loginEnd } from "../../../src/networks/shared/login-end.ts";

const lasting = { access_token: "a", refresh_token: "r" };

describe("the end of a login", () => {
  it.each([
    ["is that of an access token that nothing renews", { access_token: "a" }, { expires_at: 5 }, { reconnect_by: 5 }],
    ["is not known where nobody tells", { access_token: "a" }, { expires_at: null }, { reconnect_by: null }],
    ["stays as it was known with a refresh token of unknown life", lasting, { expires_at: 5 }, {}],
    ["is that of the refresh token", lasting, { expires_at: 5, refresh_expires_at: 9 }, { reconnect_by: 9 }],
    [
      "is no earlier than that of the access token",
      lasting,
      { expires_at: 9, refresh_expires_at: 5 },
      { reconnect_by: 9 },
    ],
  ])("%s", (_, secret, ends, end) => {
    expect(loginEnd(secret, ends)).toEqual(end);
  });
});
