import { describe, expect, it } from "vitest";
import { tokenCredentials } from "../../../src/networks/shared/token-credentials.ts";

const lasting = { access_token: "a", refresh_token: "r" };

describe("the end of a connection", () => {
  it.each([
    [
      "is the access token's if there is no refresh token",
      { access_token: "a" },
      { expires_at: 5 },
      { reconnect_by: 5 },
    ],
    [
      "is unknown if the network does not announce it",
      { access_token: "a" },
      { expires_at: null },
      { reconnect_by: null },
    ],
    ["stays unchanged for a refresh token of unknown lifetime", lasting, { expires_at: 5 }, {}],
    ["is the refresh token's", lasting, { expires_at: 5, refresh_expires_at: 9 }, { reconnect_by: 9 }],
    ["is no earlier than the access token's", lasting, { expires_at: 9, refresh_expires_at: 5 }, { reconnect_by: 9 }],
  ])("%s", (_, secret, ends, end) => {
    expect(tokenCredentials(secret, ends)).toEqual({ secret, expires_at: ends.expires_at, ...end });
  });
});

describe("a connection's credentials", () => {
  it("are renewed in time if an unused refresh token would expire", () => {
    expect(tokenCredentials(lasting, { expires_at: 5, refresh_expires_at: 9 }, 7)).toEqual({
      secret: lasting,
      expires_at: 5,
      reconnect_by: 9,
      refresh_at: 7,
    });
  });

  it("are not renewed without a refresh token, or if no unused token expires", () => {
    const secret = { access_token: "a" };
    expect(tokenCredentials(secret, { expires_at: 5 }, 7)).toEqual({ secret, expires_at: 5, reconnect_by: 5 });
    expect(tokenCredentials(lasting, { expires_at: 5 })).toEqual({ secret: lasting, expires_at: 5 });
  });
});
