import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { SandboxAnswer } from "../../../src/sandbox/exchange.ts";
import {
  createLoginPages,
  type Decision,
  type LoginPages,
  type LoginRules,
} from "../../../src/sandbox/parts/login-pages.ts";
import { type ManualClock, manualClock } from "../../../src/testing/clock.ts";

const app = {
  client_id: "app-1",
  client_secret: "secret-1",
  redirect_uris: ["https://host.example/back?from=network"],
};
const otherApp = { client_id: "app-2", client_secret: "secret-2", redirect_uris: ["https://other.example/back"] };
const redirect_uri = "https://host.example/back?from=network";
const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");
const alice: Decision = { account: "alice" };

let clock: ManualClock;
let pages: LoginPages;

function open(rules: Partial<LoginRules> = {}): void {
  clock = manualClock();
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  pages = createLoginPages(
    {
      apps: [app, otherApp],
      scopes: ["read", "write"],
      pkce: "required",
      codeSeconds: 30,
      accessSeconds: 7_200,
      refresh: "single_use",
      ...rules,
    },
    { clock, random },
  );
}

beforeEach(() => open());

/** The URL that the authorize page sends the user's browser to; a null removes a parameter. */
function authorize(given: Record<string, string | null> = {}, decision: Decision = alice): SandboxAnswer {
  const url = new URL("https://network.example/authorize");
  const parameters = {
    response_type: "code",
    client_id: app.client_id,
    redirect_uri,
    scope: "read write",
    state: "state-1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...given,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return pages.authorize({ url }, decision);
}

function answered({ status, headers }: SandboxAnswer): Record<string, string> {
  expect(status).toBe(302);
  const location = new URL(headers?.location ?? "");
  expect(location.origin + location.pathname).toBe("https://host.example/back");
  return Object.fromEntries(location.searchParams);
}

function codeFor(decision: Decision = alice, given: Record<string, string | null> = {}): string {
  return answered(authorize(given, decision)).code ?? expect.unreachable("no code came back");
}

function ask(form: Record<string, string>, headers: Record<string, string> = {}): Promise<SandboxAnswer> {
  return pages.token({
    method: "POST",
    url: new URL("https://network.example/token"),
    headers: new Headers({ "content-type": "application/x-www-form-urlencoded", ...headers }),
    bytes: new TextEncoder().encode(new URLSearchParams(form).toString()),
  });
}

const client = { client_id: app.client_id, client_secret: app.client_secret };

function trade(code: string, given: Record<string, string> = {}): Promise<SandboxAnswer> {
  return ask({ ...client, grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier, ...given });
}

function renew(refresh_token: string): Promise<SandboxAnswer> {
  return ask({ ...client, grant_type: "refresh_token", refresh_token });
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

async function tokensOf(answer: Promise<SandboxAnswer>): Promise<Tokens> {
  const { status, json } = await answer;
  expect(status).toBe(200);
  return json as Tokens;
}

describe("the authorize page", () => {
  it("sends the user back with a code and the state, to the app's registered URL", () => {
    expect(answered(authorize())).toEqual({ from: "network", code: expect.stringMatching(/\S/), state: "state-1" });
  });

  it("sends no state if it received none", () => {
    expect(answered(authorize({ state: null }))).not.toHaveProperty("state");
  });

  it("sends the user back with access_denied and the state if the user denies", () => {
    expect(answered(authorize({}, "deny"))).toEqual({ from: "network", error: "access_denied", state: "state-1" });
  });

  it.each([
    ["an unknown app", { client_id: "app-3" }],
    ["another app's URL", { redirect_uri: "https://other.example/back" }],
    ["a URL with additional characters", { redirect_uri: `${redirect_uri}&more=1` }],
    ["no URL", { redirect_uri: null }],
  ])("redirects to no URL for %s", (_, given) => {
    const { status, headers } = authorize(given);
    expect([status, headers?.location]).toEqual([400, undefined]);
  });

  it.each([
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["an unknown scope", { scope: "read admin" }, "invalid_scope"],
    ["no scope", { scope: null }, "invalid_scope"],
    ["no challenge", { code_challenge: null }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
  ])("answers %s with an error and the state", (_, given, error) => {
    expect(answered(authorize(given))).toEqual({ from: "network", error, state: "state-1" });
  });
});

describe("an authorization code of the sandbox", () => {
  it("is exchanged for tokens of the user with the ticked scopes", async () => {
    const answer = await trade(codeFor({ account: "alice", unticked: ["write"] }));
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/\S/),
      refresh_token: expect.stringMatching(/\S/),
      token_type: "bearer",
      expires_in: 7_200,
      scope: "read",
    });
    const { access_token } = answer.json as Tokens;
    expect(pages.grantOf(access_token)).toEqual({ account: "alice", client_id: "app-1", scopes: ["read"] });
    await clock.advance(7_200_000);
    expect(pages.grantOf(access_token)).toBeNull();
  });

  it("is also accepted with the app's secret in a header", async () => {
    const form = { grant_type: "authorization_code", code: codeFor(), redirect_uri, code_verifier: verifier };
    expect((await ask(form, { authorization: `Basic ${btoa("app-1:secret-1")}` })).status).toBe(200);
  });

  it("is accepted once; a second use revokes its tokens", async () => {
    const code = codeFor();
    const { access_token, refresh_token } = await tokensOf(trade(code));
    expect(await trade(code)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    expect(pages.grantOf(access_token)).toBeNull();
    expect((await renew(refresh_token)).json).toEqual({ error: "invalid_grant" });
  });

  it("is accepted until it expires", async () => {
    const [inTime, late] = [codeFor(), codeFor()];
    await clock.advance(29_999);
    expect((await trade(inTime)).status).toBe(200);
    await clock.advance(1);
    expect((await trade(late)).json).toEqual({ error: "invalid_grant" });
  });

  it.each([
    ["another URL", { redirect_uri: "https://host.example/back" }],
    ["another verifier", { code_verifier: "w".repeat(43) }],
    ["no verifier", { code_verifier: "" }],
    ["the challenge as verifier", { code_verifier: challenge }],
    ["an unknown code", { code: "code-none" }],
    ["another app", { client_id: "app-2", client_secret: "secret-2" }],
  ])("is rejected with %s", async (_, given) => {
    expect(await trade(codeFor(), given)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });

  it.each([
    ["a wrong secret", { client_secret: "secret-2" }, 401, "invalid_client"],
    ["another grant", { grant_type: "password" }, 400, "unsupported_grant_type"],
  ])("is rejected with %s", async (_, given, status, error) => {
    expect(await trade(codeFor(), given)).toMatchObject({ status, json: { error } });
  });

  it("needs no challenge and no verifier on a network without PKCE", async () => {
    open({ pkce: "ignored" });
    const code = codeFor(alice, { code_challenge: null, code_challenge_method: null });
    expect((await trade(code, { code_verifier: "" })).status).toBe(200);
  });
});

describe("a refresh token of the sandbox", () => {
  it("for single use returns another one, and becomes invalid", async () => {
    const first = await tokensOf(trade(codeFor()));
    const second = await tokensOf(renew(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(pages.grantOf(second.access_token)?.account).toBe("alice");
    expect(await renew(first.refresh_token)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    expect((await renew(second.refresh_token)).status).toBe(200);
  });

  it("for repeated use stays valid", async () => {
    open({ refresh: "kept" });
    const { refresh_token } = await tokensOf(trade(codeFor()));
    for (let round = 0; round < 2; round++) {
      expect((await tokensOf(renew(refresh_token))).refresh_token).toBe(refresh_token);
    }
  });

  it("is not issued by a network without refresh tokens", async () => {
    open({ refresh: "none" });
    expect(await tokensOf(trade(codeFor()))).not.toHaveProperty("refresh_token");
  });

  it("works only for its own app", async () => {
    const { refresh_token } = await tokensOf(trade(codeFor()));
    const other = { client_id: "app-2", client_secret: "secret-2", grant_type: "refresh_token", refresh_token };
    expect((await ask(other)).json).toEqual({ error: "invalid_grant" });
    expect((await renew(refresh_token)).status).toBe(200);
  });
});

it("a revocation removes all that a user has granted, and nothing of other users", async () => {
  const first = await tokensOf(trade(codeFor()));
  const second = await tokensOf(trade(codeFor({ account: "bob" })));
  pages.revoke("alice");
  expect(pages.grantOf(first.access_token)).toBeNull();
  expect((await renew(first.refresh_token)).json).toEqual({ error: "invalid_grant" });
  expect(pages.grantOf(second.access_token)?.account).toBe("bob");
});
