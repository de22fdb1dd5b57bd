import { describe, expect, it } from "vitest";
import type { Caller } from "../../src/http/caller.ts";
import { createHandler, type HandlerOptions } from "../../src/http/handler.ts";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/http/routes.ts";
import { type Scope, scopes } from "../../src/keys/schema.ts";
import { createToken } from "../../src/keys/token.ts";
import { randomIds } from "../../src/ports/ids.ts";
import { connectBluesky } from "../support/connect.ts";
import { recordingLogger } from "../support/logger.ts";
import { createTestService } from "../support/service.ts";
import { comparable, createRest, origin, type SendOptions, toRequest } from "./rest.ts";

const listed = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

function pathOf({ path }: Route): string {
  return path.replace(/\{\w+\}/, "none_1");
}

function bodyOf({ body }: Route): SendOptions {
  return body === null ? {} : { json: body.example };
}

describe("an API key", () => {
  it.each(listed)("is required for %s", async (_name, route) => {
    const { send } = await createRest();
    const { status, body } = await send(route.method, pathOf(route), { ...bodyOf(route), key: null });
    expect([status, body.error?.code]).toEqual([401, "unauthorized"]);
  });

  it("that is missing, malformed, unknown, revoked or sent in another way gets the same bytes everywhere", async () => {
    const { send, social, key } = await createRest();
    const ended = await social.keys.create();
    await social.keys.revoke(ended.id);
    const wrong: Record<string, string>[] = [
      {},
      ...[
        "",
        "Bearer",
        "Bearer ",
        "Bearer service_live_",
        `Bearer ${key.slice(0, -1)}`,
        `Bearer ${key}x`,
        `Bearer ${key} x`,
        `Bearer ${key.toUpperCase()}`,
        `Bearer ${createToken(randomIds)}`,
        `Bearer ${ended.key}`,
        `Basic ${key}`,
        `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
        `Token ${key}`,
        key,
        `Bearer ${key}, Bearer ${key}`,
        `Bearer ${"a".repeat(100_000)}`,
        `Bearer service_live_${"-".repeat(100_000)}`,
      ].map((authorization) => ({ authorization })),
      { "x-api-key": key },
      { cookie: `authorization=Bearer ${key}` },
    ];
    const answers = new Set<string>();
    for (const headers of wrong) {
      for (const [method, path] of [
        ["GET", "/v1/posts"],
        ["POST", "/v1/posts/none_1/retry"],
      ] as const) {
        answers.add(JSON.stringify(comparable(await send(method, path, { key: null, headers }))));
      }
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('"status":401');
    expect([...answers][0]).toContain('["www-authenticate","Bearer"]');
  });

  it("is not mentioned in errors where the host authenticates, whatever a request carries", async () => {
    const { send, key } = await createRest({ handler: { authenticate: () => null } });
    const brought: Record<string, string>[] = [{}, { authorization: `Bearer ${key}` }, { cookie: "login=1" }];
    const answers = new Set<string>();
    for (const headers of brought) {
      answers.add(JSON.stringify(comparable(await send("GET", "/v1/posts", { key: null, headers }))));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('"status":401');
    expect([...answers][0]).not.toMatch(/key|bearer/i);
  });

  it.each(["bearer", "BEARER", "Bearer  "])("is accepted after %s", async (scheme) => {
    const { send, key } = await createRest();
    expect((await send("GET", "/v1/posts", { headers: { authorization: `${scheme} ${key}` } })).status).toBe(200);
  });

  it("is not accepted in the query", async () => {
    const { send, key } = await createRest();
    expect((await send("GET", `/v1/posts?key=${key}`, { key: null })).status).toBe(401);
  });

  it("revoked by another process stops working immediately", async () => {
    const { send, social, storage } = await createRest();
    const { key, id } = await social.keys.create();
    expect((await send("GET", "/v1/posts", { key })).status).toBe(200);
    await createTestService({ storage }).social.keys.revoke(id);
    expect((await send("GET", "/v1/posts", { key })).status).toBe(401);
  });

  it("gives access to its own account's data", async () => {
    const rest = await createRest();
    const theirs = (await rest.social.keys.create({ account_id: "acct_42" })).key;
    const profile = await connectBluesky(rest);
    const seen = async (key: string) => (await rest.send("GET", "/v1/profiles", { key })).body.data;
    expect(await seen(rest.key)).toEqual([profile]);
    expect(await seen(theirs)).toEqual([]);
    const { status } = await rest.send("POST", "/v1/posts", {
      key: theirs,
      json: { profile_ids: [profile.id], text: "x" },
    });
    expect(status).toBe(400);
    expect(rest.sandbox.bluesky.posts()).toEqual([]);
  });
});

describe("a scope", () => {
  it.each(listed)("is required for %s, and it alone is enough", async (_name, route) => {
    const { send, social } = await createRest();
    const others = scopes.filter((scope) => scope !== route.scope);
    const without = (await social.keys.create({ scopes: others })).key;
    const refused = await send(route.method, pathOf(route), { ...bodyOf(route), key: without });
    expect([refused.status, refused.body.error?.code]).toEqual([403, "forbidden"]);
    expect(refused.body.error?.message).toContain(`"${route.scope}"`);
    const only = (await social.keys.create({ scopes: [route.scope] })).key;
    expect((await send(route.method, pathOf(route), { ...bodyOf(route), key: only })).status).not.toBe(403);
  });

  it("that is missing keeps the request's body unread and without effect", async () => {
    const rest = await createRest();
    const profile = await connectBluesky(rest);
    const { key } = await rest.social.keys.create({ scopes: ["read", "profiles"] });
    const json = { profile_ids: [profile.id], text: "x" };
    expect((await rest.send("POST", "/v1/posts", { key, json })).status).toBe(403);
    expect((await rest.send("POST", "/v1/posts", { key, raw: "{" })).status).toBe(403);
    expect(rest.sandbox.bluesky.posts()).toEqual([]);
  });

  it("publish is required for the calls that publish, and for no others", () => {
    const publishing = routes.filter(({ bucket }) => bucket === "publish");
    expect(publishing.map(({ operation, scope }) => `${operation}: ${scope}`).sort()).toEqual([
      "createPost: publish",
      "reply: inbox",
      "retryPost: publish",
    ]);
    const changing = routes.filter(({ method, operation }) => method !== "GET" && operation !== "validatePost");
    expect(changing.filter(({ scope }) => scope === "read")).toEqual([]);
  });
});

describe("custom authentication", () => {
  const all: readonly Scope[] = scopes;

  /** Accepts any caller with the cookie `user=<account>`. */
  function byCookie(request: Request): Caller | null {
    const account = /user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
    return account === undefined ? null : { account_id: account, key_id: `user_${account}`, scopes: all };
  }

  async function createHosted(handler: HandlerOptions = {}) {
    const trustedOrigins = ["https://admin.example.com"];
    const rest = await createRest({ handler: { authenticate: byCookie, ...handler }, trustedOrigins });
    const { id } = await connectBluesky({ ...rest, social: rest.social.forAccount("alice") });
    return {
      ...rest,
      post: (headers: Record<string, string>) =>
        rest.send("POST", "/v1/posts", { key: null, headers, json: { profile_ids: [id], text: "Hello" } }),
    };
  }

  it("replaces API keys", async () => {
    const { send, key } = await createHosted();
    const mine = await send("GET", "/v1/profiles", { key: null, headers: { cookie: "user=alice" } });
    expect(mine.body.data).toHaveLength(1);
    const theirs = await send("GET", "/v1/profiles", { key: null, headers: { cookie: "user=bob" } });
    expect(theirs.body.data).toEqual([]);
    expect((await send("GET", "/v1/profiles", { key })).status).toBe(401);
  });

  it("may be asynchronous, and says what the caller may do", async () => {
    const authenticate = async () => ({ account_id: "alice", key_id: "k", scopes: ["read"] as const });
    const { send } = await createRest({ handler: { authenticate } });
    expect((await send("GET", "/v1/posts", { key: null })).status).toBe(200);
    expect((await send("POST", "/v1/posts/none_1/retry", { key: null })).status).toBe(403);
  });

  it.each([
    ["this site", { origin }],
    ["this site, as a browser shows it without Origin", { "sec-fetch-site": "same-origin" }],
    ["this site behind a proxy that terminates TLS", { origin: origin.replace("https", "http") }],
    ["a trusted origin", { origin: "https://admin.example.com" }],
  ])("with a cookie accepts changes from a page of %s", async (_whose, headers) => {
    const { post } = await createHosted();
    expect((await post({ cookie: "user=alice", ...headers })).status).toBe(201);
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { origin: "https://evil.example" }],
    ["a subdomain", { origin: "https://x.app.example.com" }],
    ["a site whose name begins with the same letters", { origin: "https://app.example.com.evil.example" }],
    ["another port", { origin: `${origin}:8443` }],
    ["a sandboxed frame", { origin: "null" }],
    ["an unknown origin", {}],
    ["another origin of the same site", { "sec-fetch-site": "same-site" }],
    [
      "another site, with a password that the browser remembers",
      { origin: "https://evil.example", authorization: "Basic eDp5" },
    ],
    ["another site, with two origins", { origin: `${origin}, https://evil.example` }],
  ])("with a cookie rejects changes from a page of %s", async (_whose, headers) => {
    const { post, sandbox } = await createHosted();
    const { status, body } = await post({ cookie: "user=alice", ...headers });
    expect([status, body.error?.code]).toEqual([403, "forbidden"]);
    expect(body.error?.message).toContain("Origin");
    expect(sandbox.bluesky.posts()).toEqual([]);
  });

  it("with a cookie from another site may still read", async () => {
    const { send } = await createHosted();
    const headers = { cookie: "user=alice", origin: "https://evil.example" };
    expect((await send("GET", "/v1/posts", { key: null, headers })).status).toBe(200);
  });

  const evil = { origin: "https://evil.example" };

  it.each<[string, Record<string, string>, number]>([
    ["a password that the browser remembers", { authorization: "Basic eDp5", ...evil }, 403],
    ["a password, without Origin", { authorization: "Basic eDp5" }, 403],
    ["Windows domain authentication", { authorization: "Negotiate abc", ...evil }, 403],
    ["a certificate, or a trusted IP address", evil, 403],
    ["a certificate, without Origin", {}, 403],
    ["a certificate, from this site", { origin }, 404],
    ["a token that no browser sends automatically", { authorization: "Bearer abc", ...evil }, 404],
  ])("by %s is checked against its Origin", async (_way, headers, expected) => {
    const authenticate = (): Caller => ({ account_id: "alice", key_id: "k", scopes: all });
    const { send } = await createRest({ handler: { authenticate } });
    expect((await send("POST", "/v1/posts/none_1/retry", { key: null, headers })).status).toBe(expected);
    expect((await send("GET", "/v1/posts", { key: null, headers })).status).toBe(200);
  });

  it("that no browser sends automatically needs no Origin, when the host says so", async () => {
    const authenticate = (): Caller => ({ account_id: "alice", key_id: "k", scopes: all, ambient: false });
    const { send } = await createRest({ handler: { authenticate } });
    const headers = { "x-api-key": "k", ...evil };
    expect((await send("POST", "/v1/posts/none_1/retry", { key: null, headers })).status).toBe(404);
    expect((await send("POST", "/v1/posts/none_1/retry", { key: null })).status).toBe(404);
  });

  it("has no effect where API keys are used: a stray cookie changes nothing", async () => {
    const { send, key } = await createRest();
    const headers = { cookie: "theme=dark", origin: "https://evil.example" };
    expect((await send("POST", "/v1/posts/none_1/retry", { headers, key })).status).toBe(404);
    expect((await send("POST", "/v1/posts/none_1/retry", { headers, key: null })).status).toBe(401);
  });

  it("that throws is an internal error, reported without its message", async () => {
    const authenticate = () => Promise.reject(new Error("session store at 10.0.0.7 is down"));
    const { send } = await createRest({ handler: { authenticate } });
    const { status, text } = await send("GET", "/v1/posts", { key: null });
    expect(status).toBe(500);
    expect(text).not.toContain("10.0.0.7");
  });

  it.each([
    ["an account under another name", { accountId: "alice", key_id: "k", scopes: ["read"] }, "account_id"],
    ["a scope that does not exist", { account_id: "alice", key_id: "k", scopes: ["root"] }, "scopes"],
    ["no account", { account_id: "", key_id: "k", scopes: ["read"] }, "account_id"],
    ["nothing at all", undefined, "the whole"],
  ])("that returns %s admits no caller: the log says what is wrong", async (_, returned, field) => {
    const logger = recordingLogger();
    const { send } = await createRest({ logger, handler: { authenticate: () => returned as never } });
    const { status, text } = await send("GET", "/v1/posts", { key: null });
    expect(status).toBe(500);
    expect(text).not.toContain("authenticate");
    expect(logger.lines).toEqual([expect.stringContaining(`authenticate returned an invalid value: ${field}.`)]);
  });
});

describe("entitlements", () => {
  it("reject with 402 and the profile's network, and nothing is sent", async () => {
    const asked: string[] = [];
    const rest = await createRest({
      entitlements: ({ account_id, profile }) => {
        asked.push(`${account_id} ${profile.id}`);
        return false;
      },
    });
    const { id } = await connectBluesky(rest);
    const { status, body } = await rest.send("POST", "/v1/posts", { json: { profile_ids: [id], text: "x" } });
    expect([status, body.error?.code]).toEqual([402, "payment_required"]);
    expect(body.error?.details).toMatchObject([{ field: "profile_ids", network: "bluesky", code: "payment_required" }]);
    expect(asked).toEqual([`default ${id}`]);
    expect(rest.sandbox.bluesky.posts()).toEqual([]);
  });
});

it("one service may have several handlers, each with its own authentication", async () => {
  const { social, key } = await createRest();
  const authenticate = (): Caller => ({ account_id: "alice", key_id: "k", scopes: ["read"] });
  const withKeys = createHandler(social);
  const withLogin = createHandler(social, { authenticate, basePath: "/app" });
  expect((await withKeys(toRequest("GET", "/v1/posts", { key }))).status).toBe(200);
  expect((await withLogin(toRequest("GET", "/app/v1/posts", {}))).status).toBe(200);
  expect((await withKeys(toRequest("GET", "/v1/posts", {}))).status).toBe(401);
});
