import { describe, expect, it } from "vitest";
import { tokenCredentials } from "../../../src/networks/shared/token-credentials.ts";

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
    expect(tokenCredentials(secret, ends)).toEqual({ secret, expires_at: ends.expires_at, ...end });
  });
});

describe("the credentials of a login", () => {
  it("are renewed in time where a refresh token would die of idleness", () => {
    expect(tokenCredentials(lasting, { expires_at: 5, refresh_expires_at: 9 }, 7)).toEqual({
      secret: lasting,
      expires_at: 5,
      reconnect_by: 9,
      refresh_at: 7,
    });
  });

  it("are not, where it does not exist to renew them with, or nothing dies of idleness", () => {
    const secret = { access_token: "a" };
    expect(tokenCredentials(secret, { expires_at: 5 }, 7)).toEqual({ secret, expires_at: 5, reconnect_by: 5 });
    expect(tokenCredentials(lasting, { expires_at: 5 })).toEqual({ secret: lasting, expires_at: 5 });
  });
});
