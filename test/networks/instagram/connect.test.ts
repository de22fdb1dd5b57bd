import { describe, expect, it } from "vitest";
import { LoginFailed } from "../../../src/networks/contract/browser-login.ts";
import { instagram } from "../../../src/networks/instagram/index.ts";
import { sandboxApps } from "../../../src/sandbox/instagram/logins.ts";
import { pageOf, scopesAsked, visit } from "../browser.ts";
import { failure, logIn, renew } from "../desk.ts";
import { connectedBench, instagramBench } from "./bench.ts";

const dayMs = 24 * 3_600_000;

describe("a token of Instagram Login", () => {
  it("connects the account under the id in Instagram's URLs, with its publishing limits", async () => {
    const bench = instagramBench({ quota_total: 50 });
    const { profile } = await bench.connect({ access_token: bench.token, client_id: "app-1" });
    expect(profile).toMatchObject({
      external_id: bench.accountId,
      handle: "alice",
      url: "https://www.instagram.com/alice",
      account_facts: { flavour: "instagram", quota: { total: 50, read_at: expect.stringMatching(/^20\d\d-/) } },
    });
    expect(bench.seen.map(({ url }) => url.hostname)).toEqual(["graph.instagram.com", "graph.instagram.com"]);
  });

  it("renews itself, from its second day on, without the app's secret", async () => {
    const bench = instagramBench();
    const { credentials } = await logIn(bench, { access_token: bench.token });
    expect(credentials).toMatchObject({ expires_at: null, refresh_at: bench.clock.now() + 25 * 3_600_000 });
    const desk = { bench, connected: await bench.connect({ access_token: bench.token }) };
    await expect(renew(desk)).rejects.toThrow();
    await bench.clock.advance(25 * 3_600_000);
    const renewed = await renew(desk);
    expect(renewed?.secret.access_token).not.toBe(bench.token);
    expect(renewed?.expires_at).toBe(bench.clock.now() + 60 * dayMs);
    expect(renewed?.refresh_at).toBe(bench.clock.now() + 30 * dayMs);
  });

  it("is invalid only if Instagram's own words say so", async () => {
    const desk = await connectedBench();
    const { bench } = desk;
    bench.network.faults.add({ kind: "refuse", answer: { status: 500, text: "" }, times: 3 });
    await expect(renew(desk)).rejects.toMatchObject({ refusal: { code: "network_error" } });
    bench.network.revoke(bench.token);
    await expect(renew(desk)).rejects.toMatchObject({ refusal: { code: "reauthentication_required" } });
  });

  it.each([
    ["lacks the scope to publish", { scopes: ["instagram_business_basic"] }, /instagram_business_content_publish/],
    ["belongs to a personal account", { account_type: "PERSONAL" as const }, /personal account/],
  ])("that %s is rejected with the reason", async (_, given, message) => {
    const bench = instagramBench(given);
    await expect(bench.connect({ access_token: bench.token })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message),
    });
  });
});

describe("a token of Facebook Login", () => {
  it("of a Page connects the account behind it, and does not expire", async () => {
    const bench = instagramBench({ login: "facebook" });
    const { identity, credentials } = await logIn(bench, { access_token: bench.token });
    expect(identity).toMatchObject({ external_id: bench.accountId, account_facts: { flavour: "facebook" } });
    expect(credentials).toEqual({ secret: { access_token: bench.token }, expires_at: null, reconnect_by: null });
    expect(new Set(bench.seen.map(({ url }) => url.hostname))).toEqual(new Set(["graph.facebook.com"]));
  });

  it("of a Page is connected with the app's facts about it", async () => {
    const scopes = ["instagram_basic", "instagram_content_publish"];
    const bench = instagramBench({ login: "facebook", scopes }, { app });
    expect(await bench.connect({ access_token: bench.token })).toMatchObject({
      profile: { account_facts: { scopes } },
    });
  });
});

const app = {
  instagram: { client_id: sandboxApps.instagram.client_id, client_secret: sandboxApps.instagram.client_secret },
  facebook: { client_id: sandboxApps.facebook.client_id, client_secret: sandboxApps.facebook.client_secret },
};

describe("a browser sign-in for Instagram", () => {
  it("at Instagram returns one account, with a token for 60 days", async () => {
    const bench = instagramBench({}, { app });
    const { back, concealed, finish } = await visit(bench, "Allow as Alice");
    const { code, ...more } = Object.fromEntries(back.searchParams);
    // Some browsers and proxies append the URL's fragment to the code.
    expect(back.hash).toBe("#_");
    const [choice] = await finish({ ...more, code: `${code}${back.hash}` });
    expect(choice).toMatchObject({ id: bench.accountId, handle: "alice", credentials: { login: "instagram" } });
    const { profile } = await bench.connect(choice?.credentials ?? {});
    expect(profile.account_facts).toMatchObject({
      scopes: expect.arrayContaining(["instagram_business_content_publish"]),
    });
    const secrets = JSON.stringify(concealed);
    expect(secrets).toContain(String(choice?.credentials.access_token));
    expect(secrets).toContain(app.instagram.client_secret);
  });

  it("at Facebook offers the account of each Page once, also those of the user's business", async () => {
    const bench = instagramBench({}, { app });
    const [one, two, three] = ["ann", "bob", "carol"].map(
      (username) => bench.network.addAccount({ username, login: "facebook" }).external_id,
    ) as [string, string, string];
    bench.network.addPerson({ name: "Somebody", accounts: [one, two], owned: [two], clients: [three] });
    const { finish } = await visit(bench, "Allow as Somebody", { login: "facebook" });
    const choices = await finish();
    expect(choices.map(({ handle }) => handle)).toEqual(["ann", "bob", "carol"]);
    const { profile } = await bench.connect(choices[1]?.credentials ?? {});
    expect(profile).toMatchObject({ external_id: two, account_facts: { flavour: "facebook" } });
  });

  it("at Facebook requests the scopes for product tags, but not at Instagram", async () => {
    const further = ["instagram_shopping_tag_products", "catalog_management"] as const;
    const bench = instagramBench({}, { app, scopes: ["publish", "inbox"], furtherScopes: further });
    const asked = (login: string) => scopesAsked(bench, { login });
    expect((await asked("facebook")).slice(-3)).toEqual(["pages_manage_metadata", ...further]);
    expect(await asked("instagram")).toEqual([
      ...["instagram_business_basic", "instagram_business_content_publish"],
      ...["instagram_business_manage_comments", "instagram_business_manage_messages"],
    ]);
  });

  it.each([
    ["instagram", "Allow as Alice, but not instagram_business_content_publish", /instagram_business_content_publish/],
    ["facebook", "Allow as Somebody, but not instagram_content_publish", /instagram_content_publish/],
  ])("at %s that leaves a scope out is rejected with its name", async (name, label, message) => {
    const bench = instagramBench({}, { app });
    bench.network.addPerson({ name: "Somebody", accounts: [bench.accountId] });
    const { finish } = await visit(bench, label, { login: name });
    const error = await failure(finish());
    expect(error).toBeInstanceOf(LoginFailed);
    expect(error).toMatchObject({ reason: "missing_scope", message: expect.stringMatching(message) });
  });

  it.each(["instagram", "facebook"] as const)("at %s reports a wrong app secret", async (name) => {
    const wrong = { ...app, [name]: { ...app[name], client_secret: "wrong" } };
    const bench = instagramBench({}, { app: wrong });
    bench.network.addPerson({ name: "Somebody", accounts: [bench.accountId] });
    const label = name === "instagram" ? "Allow as Alice" : "Allow as Somebody";
    const { finish } = await visit(bench, label, { login: name });
    await expect(finish()).rejects.toMatchObject({ reason: "app_refused" });
  });

  it("at Facebook that reaches no account explains what to do", async () => {
    const bench = instagramBench({}, { app });
    bench.network.addPerson({ name: "Somebody", accounts: [] });
    const { finish } = await visit(bench, "Allow as Somebody", { login: "facebook" });
    await expect(finish()).rejects.toMatchObject({ reason: "no_account" });
  });

  it("needs an app for the requested kind of sign-in", async () => {
    expect(instagram().connect.browser).toBeUndefined();
    const bench = instagramBench({}, { app: { instagram: app.instagram } });
    await expect(pageOf(bench, { login: "facebook" })).rejects.toMatchObject({ code: "unsupported" });
  });
});
