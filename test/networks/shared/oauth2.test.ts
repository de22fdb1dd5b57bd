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

/** A context whose network answers this. */
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

describe("the page of a login", () => {
  it("holds what the standard asks for, and a challenge whose verifier is kept", () => {
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

  it("calls the app's id as the network does", () => {
    const { context } = answering({});
    const { url } = loginPage({ ...table, clientIdName: "client_key" }, context, { app, scopes: ["read"] });
    const { searchParams } = new URL(url);
    expect([searchParams.get("client_key"), searchParams.has("client_id")]).toEqual(["app 1", false]);
  });

  it("goes by the table: no challenge, other separators, more parameters", () => {
    const { context } = answering({});
    const other: OAuthTable = { ...table, pkce: false, scopeSeparator: ",", parameters: { prompt: "consent" } };
    const { url, keep } = loginPage(other, context, { app, scopes: ["read", "write"] });
    const { searchParams } = new URL(url);
    expect([keep, searchParams.get("scope"), searchParams.get("prompt")]).toEqual([{}, "read,write", "consent"]);
    expect(searchParams.has("code_challenge")).toBe(false);
  });
});

describe("a code", () => {
  it("is traded once, with the verifier and the app, and what it brings is concealed", async () => {
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

  it("can be traded by an app that shows itself in a header, escaped as the standard says", async () => {
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
  ])("refused as %s ends the login as %s", async (error, reason) => {
    const { context } = answering({ status: 400, body: { error, error_description: "secret-words" } });
    const failure = tradeCode(table, context, { app, back });
    await expect(failure).rejects.toMatchObject({ name: "LoginFailed", reason });
    await expect(failure).rejects.not.toThrow("secret-words");
  });

  it("that did not come ends the login", async () => {
    const { context, sent } = answering({});
    await expect(tradeCode(table, context, { app, back: { parameters: {}, keep: {} } })).rejects.toMatchObject({
      reason: "login_failed",
    });
    expect(sent).toEqual([]);
  });

  it.each([[{}], [{ access_token: "" }], ["<html>"]])(
    "answered by %j is a fault of the network, which says nothing of the login",
    async (body) => {
      const { context } = answering({ body });
      await expect(tradeCode(table, context, { app, back })).rejects.toMatchObject({ code: "network_error" });
    },
  );
});

describe("a refresh token", () => {
  const refreshToken = "r-1";

  it.each([
    ["a new one", { access_token: "a", refresh_token: "r-2", expires_in: 60 }, "r-2"],
    ["none: the old one stays good", { access_token: "a" }, null],
    ["an empty one, which is none", { access_token: "a", refresh_token: "" }, null],
  ])("brings %s", async (_, body, refresh_token) => {
    const { context, sent } = answering({ body });
    expect(await tradeRefreshToken(table, context, { app, refreshToken })).toMatchObject({
      access_token: "a",
      refresh_token,
    });
    expect([sent.length, sent[0]?.repeat]).toEqual([1, false]);
  });

  it("brings none that no header holds", async () => {
    const { context } = answering({ body: { access_token: "a".repeat(8_193) } });
    const traded = tradeRefreshToken(table, context, { app, refreshToken });
    await expect(traded).rejects.toMatchObject({ code: "network_error" });
  });

  it.each([
    ["dead, by the network's own word", { error: "invalid_grant" }, "reauthentication_required"],
    ["refused with the app: the login may be as good as before", { error: "invalid_client" }, "network_error"],
    ["refused in other words", { error: "temporarily_unavailable" }, "network_error"],
    ["refused without words", null, "network_error"],
  ])("is %s", async (_, body, code) => {
    const { context } = answering({ status: 400, body });
    await expect(tradeRefreshToken(table, context, { app, refreshToken })).rejects.toMatchObject({ code });
  });
});

it("a token is taken back in the app's name; a network that does not know it has nothing to do", async () => {
  const { context, sent } = answering({ status: 403, body: { error: "unauthorized_client" } });
  await revokeToken(table, context, { app, token: "a" });
  expect([sent[0]?.url, formOf(sent[0])]).toEqual([table.revoke, { ...app, token: "a" }]);
});

it("a right that is missing is named; a network that tells none is believed", () => {
  expect(() => assertScopes(table, { wanted: ["read", "write"], granted: ["read"] })).toThrow("write");
  expect(() => assertScopes(table, { wanted: ["read"], granted: null })).not.toThrow();
});
