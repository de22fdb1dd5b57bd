import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { BrowserLoginContext } from "../../../src/networks/contract/browser-login.ts";
import type { NetworkRequest, NetworkResponse } from "../../../src/networks/contract/request.ts";
import {
  assertScopes,
  loginPage,
  type OAuthTable,
  revokeToken,
  tradeCode,
  tradeRefreshToken,
} from "../../../src/networks/shared/oauth2.ts";

const table: OAuthTable & { revoke: string } = {
  name: "Example",
  authorize: "https://network.example/authorize?brand=1",
  token: "https://network.example/token",
  revoke: "https://network.example/revoke",
  clientAuth: "form",
  pkce: true,
};
const app = { client_id: "app 1", client_secret: "s:cret" };

/** A context whose network responds with this. */
function answering(answer: { status?: number; body?: unknown }) {
  const sent: NetworkRequest[] = [];
  const concealed: unknown[] = [];
  const context = {
    accountId: "acct_42",
    redirectUri: "https://app.example/connect/example/callback",
    state: "state-1",
    randomBytes: (length: number) => new Uint8Array(length).fill(7),
    conceal: (given: unknown) => void concealed.push(given),
    now: () => 1_000_000,
    async request(request: NetworkRequest): Promise<NetworkResponse> {
      sent.push(request);
      return { status: answer.status ?? 200, headers: new Headers(), body: answer.body ?? null };
    },
  } as unknown as BrowserLoginContext;
  return { context, sent, concealed };
}

function formOf(request: NetworkRequest | undefined): Readonly<Record<string, string>> {
  return request?.body !== undefined && "form" in request.body ? request.body.form : {};
}

const back = { parameters: { code: "code-1" }, keep: { verifier: "v".repeat(43) } };

describe("an OAuth 2.0 sign-in page", () => {
  it("has the standard's parameters, and a challenge whose verifier is kept", () => {
    const { context } = answering({});
    const { url, keep } = loginPage(table, context, { app, scopes: ["read", "write"] });
    const verifier = String(keep.verifier);
    expect(verifier).toMatch(/^[\w-]{43}$/);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      brand: "1",
      response_type: "code",
      client_id: "app 1",
      redirect_uri: context.redirectUri,
      scope: "read write",
      state: "state-1",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    expect(url).not.toContain("s:cret");
  });

  it("gets the app's id under the network's parameter name", () => {
    const { context } = answering({});
    const { url } = loginPage({ ...table, clientIdName: "client_key" }, context, { app, scopes: ["read"] });
    const { searchParams } = new URL(url);
    expect([searchParams.get("client_key"), searchParams.has("client_id")]).toEqual(["app 1", false]);
  });

  it("follows the network's settings: no challenge, other separators, more parameters", () => {
    const { context } = answering({});
    const other: OAuthTable = { ...table, pkce: false, scopeSeparator: ",", parameters: { prompt: "consent" } };
    const { url, keep } = loginPage(other, context, { app, scopes: ["read", "write"] });
    const { searchParams } = new URL(url);
    expect([keep, searchParams.get("scope"), searchParams.get("prompt")]).toEqual([{}, "read,write", "consent"]);
    expect(searchParams.has("code_challenge")).toBe(false);
  });
});

describe("an authorization code", () => {
  it("is exchanged once, with the verifier and the app, and the received tokens are kept secret", async () => {
    const body = { access_token: "a", refresh_token: "r", expires_in: 7200, scope: "read,write" };
    const { context, sent, concealed } = answering({ body });
    const tokens = await tradeCode(table, context, { app, back });
    expect(tokens).toMatchObject({
      access_token: "a",
      refresh_token: "r",
      expires_at: 8_200_000,
      scopes: ["read", "write"],
    });
    expect([sent.length, sent[0]?.repeat, sent[0]?.credential]).toEqual([1, false, "none"]);
    expect(formOf(sent[0])).toMatchObject({
      grant_type: "authorization_code",
      code: "code-1",
      code_verifier: "v".repeat(43),
      ...app,
    });
    expect(concealed).toEqual([body]);
  });

  it("can be exchanged by an app that authenticates in a header, escaped as the standard demands", async () => {
    const { context, sent } = answering({ body: { access_token: "a" } });
    await tradeCode({ ...table, clientAuth: "basic" }, context, { app, back });
    const [, pair = ""] = (sent[0]?.headers?.authorization ?? "").split(" ");
    expect(atob(pair)).toBe("app%201:s%3Acret");
    expect(formOf(sent[0]).client_secret).toBeUndefined();
  });

  it.each([
    ["invalid_grant", "login_failed"],
    ["invalid_client", "app_refused"],
    ["unauthorized_client", "app_refused"],
    ["something_new", "login_failed"],
  ])("refused as %s ends the sign-in as %s", async (error, reason) => {
    const { context } = answering({ status: 400, body: { error, error_description: "secret-words" } });
    const failure = tradeCode(table, context, { app, back });
    await expect(failure).rejects.toMatchObject({ name: "LoginFailed", reason });
    await expect(failure).rejects.not.toThrow("secret-words");
  });

  it("that is missing ends the sign-in", async () => {
    const { context, sent } = answering({});
    await expect(tradeCode(table, context, { app, back: { parameters: {}, keep: {} } })).rejects.toMatchObject({
      reason: "login_failed",
    });
    expect(sent).toEqual([]);
  });

  it.each([[{}], [{ access_token: "" }], ["<html>"]])(
    "answered with %j is a network fault, not the end of the sign-in",
    async (body) => {
      const { context } = answering({ body });
      await expect(tradeCode(table, context, { app, back })).rejects.toMatchObject({ code: "network_error" });
    },
  );
});

describe("a refresh token's response", () => {
  const refreshToken = "r-1";

  it.each([
    ["a new refresh token", { access_token: "a", refresh_token: "r-2", expires_in: 60 }, "r-2"],
    ["no refresh token: the old one stays valid", { access_token: "a" }, null],
    ["an empty refresh token, which counts as none", { access_token: "a", refresh_token: "" }, null],
  ])("may hold %s", async (_, body, refresh_token) => {
    const { context, sent } = answering({ body });
    expect(await tradeRefreshToken(table, context, { app, refreshToken })).toMatchObject({
      access_token: "a",
      refresh_token,
    });
    expect([sent.length, sent[0]?.repeat]).toEqual([1, false]);
  });

  it("is rejected if its refresh token does not fit into a header", async () => {
    const { context } = answering({ body: { access_token: "a".repeat(8_193) } });
    const traded = tradeRefreshToken(table, context, { app, refreshToken });
    await expect(traded).rejects.toMatchObject({ code: "network_error" });
  });

  it.each([
    ["the end of the connection if the network says so", { error: "invalid_grant" }, "reauthentication_required"],
    [
      "a network error if the app is refused: the token may still be valid",
      { error: "invalid_client" },
      "network_error",
    ],
    ["a network error for another error code", { error: "temporarily_unavailable" }, "network_error"],
    ["a network error without an error code", null, "network_error"],
  ])("is read as %s", async (_, body, code) => {
    const { context } = answering({ status: 400, body });
    await expect(tradeRefreshToken(table, context, { app, refreshToken })).rejects.toMatchObject({ code });
  });
});

it("a token is revoked with the app's credentials; a network that does not know it has nothing to do", async () => {
  const { context, sent } = answering({ status: 403, body: { error: "unauthorized_client" } });
  await revokeToken(table, context, { app, token: "a" });
  expect([sent[0]?.url, formOf(sent[0])]).toEqual([table.revoke, { ...app, token: "a" }]);
});

it("a missing scope is named; a network that lists no scopes is trusted", () => {
  expect(() => assertScopes(table, { wanted: ["read", "write"], granted: ["read"] })).toThrow("write");
  expect(() => assertScopes(table, { wanted: ["read"], granted: null })).not.toThrow();
});
