import { describe, expect, it } from "vitest";
import { LoginFailed } from "../../../src/networks/contract/browser-login.ts";
import { threads } from "../../../src/networks/threads/index.ts";
import { sandboxApp } from "../../../src/sandbox/threads/logins.ts";
import { scopesAsked, visit } from "../browser.ts";
import { failure, logIn, renew } from "../desk.ts";
import { connectedBench, threadsBench } from "./bench.ts";

const dayMs = 24 * 3_600_000;

describe("a Threads token", () => {
  it("connects its account, with its scopes and its publishing limits", async () => {
    const bench = threadsBench({ quota: { posts: 100 } });
    const { profile } = await bench.connect({ access_token: bench.token, client_id: "app-1" });
    expect(profile).toMatchObject({
      external_id: bench.accountId,
      handle: "alice",
      url: "https://www.threads.com/@alice",
      account_facts: {
        scopes: expect.arrayContaining(["threads_content_publish"]),
        may_choose_countries: false,
        quota: { posts: { used: 0, total: 100 }, replies: { used: 0, total: 1_000 } },
      },
    });
    const { quota } = bench.adapter.publish ?? {};
    expect(quota?.(profile)).toMatchObject({ posts: 100, used: 0, as_of: expect.stringMatching(/^20\d\d-/) });
  });

  it("has an expiry, and is renewed a month before it, without the app's secret", async () => {
    const bench = threadsBench();
    const ends = bench.clock.now() + 60 * dayMs;
    const { credentials } = await logIn(bench, { access_token: bench.token });
    expect(credentials.expires_at).toBe(Math.floor(ends / 1000) * 1000);
    expect(credentials.refresh_at).toBe(Math.floor(ends / 1000) * 1000 - 30 * dayMs);
    const desk = { bench, connected: await bench.connect({ access_token: bench.token }) };
    await expect(renew(desk)).rejects.toThrow();
    await bench.clock.advance(25 * 3_600_000);
    const renewed = await renew(desk);
    expect(renewed?.secret.access_token).not.toBe(bench.token);
    expect(renewed?.expires_at).toBe(bench.clock.now() + 60 * dayMs);
    expect(bench.seen.at(-1)?.url.searchParams.get("grant_type")).toBe("th_refresh_token");
  });

  it("of unknown age and scopes is renewed after a day", async () => {
    const bench = threadsBench();
    bench.network.hideTokens();
    const { identity, credentials } = await logIn(bench, { access_token: bench.token });
    expect(credentials).toMatchObject({ expires_at: null, refresh_at: bench.clock.now() + 25 * 3_600_000 });
    expect(identity.scopes).toEqual([]);
  });

  it("is invalid only if Threads' own words say so", async () => {
    const desk = await connectedBench();
    const { bench } = desk;
    bench.network.faults.add({ kind: "refuse", answer: { status: 500, text: "" }, times: 3 });
    await expect(renew(desk)).rejects.toMatchObject({ refusal: { code: "network_error" } });
    bench.network.revoke(bench.token);
    await expect(renew(desk)).rejects.toMatchObject({ refusal: { code: "reauthentication_required" } });
    bench.network.restore(bench.token);
    await bench.clock.advance(25 * 3_600_000);
    await expect(renew(desk)).resolves.toMatchObject({ secret: expect.any(Object) });
  });

  it.each([
    ["lists its scopes", false],
    ["is refused by the route", true],
  ])("that lacks the publishing scope, and %s, is rejected with the scope's name", async (_, isHidden) => {
    const bench = threadsBench({ scopes: ["threads_basic"] });
    if (isHidden) bench.network.hideTokens();
    await expect(bench.connect({ access_token: bench.token })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("threads_content_publish"),
    });
  });
});

const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

describe("a browser sign-in at Threads", () => {
  it("returns one account, with a token for 60 days", async () => {
    const bench = threadsBench({}, { app });
    const { back, concealed, finish } = await visit(bench, "Allow as Alice");
    const { code, ...more } = Object.fromEntries(back.searchParams);
    // Some browsers and proxies append the URL's fragment to the code.
    expect(back.hash).toBe("#_");
    const [choice] = await finish({ ...more, code: `${code}${back.hash}` });
    expect(choice).toMatchObject({ id: bench.accountId, handle: "alice", credentials: { client_id: app.client_id } });
    const { profile } = await bench.connect(choice?.credentials ?? {});
    expect(profile.account_facts).toMatchObject({ scopes: expect.arrayContaining(["threads_manage_replies"]) });
    const secrets = JSON.stringify(concealed);
    expect(secrets).toContain(String(choice?.credentials.access_token));
    expect(secrets).toContain(app.client_secret);
  });

  it("that gets no long-lived token fails: a token of one hour is not kept", async () => {
    const bench = threadsBench({}, { app });
    const answer = { status: 500, text: "" };
    bench.network.faults.add({ kind: "refuse", operation: "GET /access_token", answer, times: 9 });
    const { finish } = await visit(bench, "Allow as Alice");
    await expect(finish()).rejects.toThrow();
  });

  it("that leaves a scope out is rejected with its name", async () => {
    const bench = threadsBench({}, { app });
    const { finish } = await visit(bench, "Allow as Alice, but not threads_content_publish");
    const error = await failure(finish());
    expect(error).toBeInstanceOf(LoginFailed);
    expect(error).toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining("threads_content_publish"),
    });
  });

  it.each([
    ["the secret is another app's", { client_secret: "wrong" }],
    ["the id is the Meta app's", { client_id: "1130245678901234" }],
  ])("explains the mistake if %s", async (_, wrong) => {
    const bench = threadsBench({}, { app: { ...app, ...wrong } });
    if ("client_id" in wrong)
      bench.network.addApp({ ...sandboxApp, ...wrong, client_secret: "the Meta app's own secret" });
    const { finish } = await visit(bench, "Allow as Alice");
    await expect(finish()).rejects.toMatchObject({ reason: "app_refused" });
  });

  it("requests the scopes that the host wants, and those for single options", async () => {
    const scopes = ["publish", "inbox"] as const;
    const asked = await scopesAsked(threadsBench({}, { app, scopes, furtherScopes: ["threads_location_tagging"] }));
    expect(asked).toEqual([
      ...["threads_basic", "threads_content_publish", "threads_manage_replies"],
      ...["threads_read_replies", "threads_manage_mentions", "threads_location_tagging"],
    ]);
    expect(threads().connect.browser).toBeUndefined();
  });
});
