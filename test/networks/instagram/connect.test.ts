import { describe, expect, it } from "vitest";
import type { BrowserLoginContext, LoginPage } from "../../../src/networks/contract/browser-login.ts";
import { LoginFailed } from "../../../src/networks/contract/browser-login.ts";
import { instagram } from "../../../src/networks/instagram/index.ts";
import { sandboxApps } from "../../../src/sandbox/instagram/logins.ts";
import { instagramSandbox } from "../../../src/sandbox/instagram/network.ts";
import { networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { instagramBench } from "./bench.ts";

const dayMs = 24 * 3_600_000;

describe("a token of Instagram Login", () => {
  it("connects the account by the id that stands in paths, with what it may publish", async () => {
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
    const login = () => bench.run(() => bench.adapter.connect.login(bench.login, { access_token: bench.token }));
    const { credentials } = await login();
    expect(credentials).toMatchObject({ expires_at: null, refresh_at: bench.clock.now() + 25 * 3_600_000 });
    const connected = await bench.connect({ access_token: bench.token });
    const renew = () => bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    await expect(renew()).rejects.toThrow();
    await bench.clock.advance(25 * 3_600_000);
    const renewed = await renew();
    expect(renewed?.secret.access_token).not.toBe(bench.token);
    expect(renewed?.expires_at).toBe(bench.clock.now() + 60 * dayMs);
    expect(renewed?.refresh_at).toBe(bench.clock.now() + 30 * dayMs);
  });

  it("that is dead is said to be dead by Instagram's words alone", async () => {
    const bench = instagramBench();
    const connected = await bench.connect({ access_token: bench.token });
    const renew = () => bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    bench.network.faults.add({ kind: "refuse", answer: { status: 500, text: "" }, times: 3 });
    await expect(renew()).rejects.toMatchObject({ refusal: { code: "network_error" } });
    bench.network.revoke(bench.token);
    await expect(renew()).rejects.toMatchObject({ refusal: { code: "reauthentication_required" } });
  });

  it.each([
    ["lacks the scope to publish", { scopes: ["instagram_business_basic"] }, /instagram_business_content_publish/],
    ["is of a personal account", { account_type: "PERSONAL" as const }, /personal account/],
  ])("that %s is refused, and says so", async (_, given, message) => {
    const bench = instagramBench(given);
    await expect(bench.connect({ access_token: bench.token })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message),
    });
  });
});

describe("a token of Facebook Login", () => {
  it("of a Page connects the account behind it, and does not run out", async () => {
    const bench = instagramBench({ login: "facebook" });
    const { identity, credentials } = await bench.run(() =>
      bench.adapter.connect.login(bench.login, { access_token: bench.token }),
    );
    expect(identity).toMatchObject({ external_id: bench.accountId, account_facts: { flavour: "facebook" } });
    expect(credentials).toEqual({ secret: { access_token: bench.token }, expires_at: null, reconnect_by: null });
    expect(new Set(bench.seen.map(({ url }) => url.hostname))).toEqual(new Set(["graph.facebook.com"]));
  });

  it("of a Page is connected with what the app learns of it", async () => {
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

function loginBench(given: Parameters<typeof instagram>[0] = { app }) {
  const bench = networkBench({ adapter: instagram(given), network: instagramSandbox });
  const { browser } = bench.adapter.connect;
  if (browser === undefined) throw new Error("there is no login in a browser");
  const concealed: unknown[] = [];
  const context: BrowserLoginContext = {
    ...bench.login,
    accountId: "default",
    state: "the-state",
    redirectUri: "https://app.example.com/connect/instagram/callback",
    randomBytes: (length) => new Uint8Array(length),
    conceal: (answer) => void concealed.push(answer),
    apps: { get: (_, register) => register(), forget: async () => undefined },
  };
  /** Where a person's click on the page leads. */
  async function click({ url }: Pick<LoginPage, "url">, label: string): Promise<Record<string, string>> {
    const headers = new Headers();
    const visit = (address: string) =>
      bench.network.answer({ method: "GET", url: new URL(address), headers, bytes: new Uint8Array() });
    const { text = "" } = await visit(url);
    const links = [...text.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)];
    const link = links.find(([, , words]) => words === label)?.[1] ?? "";
    const { headers: sent = {} } = await visit(link.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
    const back = new URL(sent.location ?? "");
    return { ...Object.fromEntries(back.searchParams), tail: back.hash };
  }
  const begin = (input: JsonObject) => bench.run(async () => browser.begin(context, input));
  const login = async (input: JsonObject, label: string) => {
    const page = await begin(input);
    const { tail, ...parameters } = await click(page, label);
    // Some browsers and proxies take it for a part of the code.
    const code = `${parameters.code}${tail}`;
    return bench.run(() => browser.finish(context, { parameters: { ...parameters, code }, keep: page.keep }));
  };
  return { bench, begin, login, concealed };
}

describe("a login in the browser", () => {
  it("with Instagram is one account, with a token for 60 days", async () => {
    const { bench, login, concealed } = loginBench();
    const { external_id } = bench.network.addAccount({ username: "alice" });
    const [choice] = await login({}, "Allow as alice");
    expect(choice).toMatchObject({ id: external_id, handle: "alice", credentials: { login: "instagram" } });
    const { profile } = await bench.connect(choice?.credentials ?? {});
    expect(profile.account_facts).toMatchObject({
      scopes: expect.arrayContaining(["instagram_business_content_publish"]),
    });
    const secrets = JSON.stringify(concealed);
    expect(secrets).toContain(String(choice?.credentials.access_token));
    expect(secrets).toContain(app.instagram.client_secret);
  });

  it("with Facebook offers the account of each Page once, those of the person's business too", async () => {
    const { bench, login } = loginBench();
    const [one, two, three] = ["alice", "bob", "carol"].map(
      (username) => bench.network.addAccount({ username, login: "facebook" }).external_id,
    ) as [string, string, string];
    bench.network.addPerson({ name: "Somebody", accounts: [one, two], owned: [two], clients: [three] });
    const choices = await login({ login: "facebook" }, "Allow as Somebody");
    expect(choices.map(({ handle }) => handle)).toEqual(["alice", "bob", "carol"]);
    const { profile } = await bench.connect(choices[1]?.credentials ?? {});
    expect(profile).toMatchObject({ external_id: two, account_facts: { flavour: "facebook" } });
  });

  it("with Facebook asks for what product tags need, with Instagram it does not", async () => {
    const further = ["instagram_shopping_tag_products", "catalog_management"] as const;
    const { begin } = loginBench({ app, scopes: ["publish", "inbox"], furtherScopes: further });
    const asked = async (login: string) => new URL((await begin({ login })).url).searchParams.get("scope")?.split(",");
    expect((await asked("facebook"))?.slice(-3)).toEqual(["pages_manage_metadata", ...further]);
    expect(await asked("instagram")).toEqual([
      ...["instagram_business_basic", "instagram_business_content_publish"],
      ...["instagram_business_manage_comments", "instagram_business_manage_messages"],
    ]);
  });

  it.each([
    ["instagram", "Allow as alice, but not instagram_business_content_publish", /instagram_business_content_publish/],
    ["facebook", "Allow as Somebody, but not instagram_content_publish", /instagram_content_publish/],
  ])("with %s that leaves a scope out is refused, naming it", async (name, label, message) => {
    const { bench, login } = loginBench();
    const { external_id } = bench.network.addAccount({ username: "alice" });
    bench.network.addPerson({ name: "Somebody", accounts: [external_id] });
    const failure = await login({ login: name }, label).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LoginFailed);
    expect(failure).toMatchObject({ reason: "missing_scope", message: expect.stringMatching(message) });
  });

  it.each(["instagram", "facebook"] as const)("with %s says when the app's secret is wrong", async (name) => {
    const wrong = { ...app, [name]: { ...app[name], client_secret: "wrong" } };
    const { bench, login } = loginBench({ app: wrong });
    const { external_id } = bench.network.addAccount({ username: "alice" });
    bench.network.addPerson({ name: "Somebody", accounts: [external_id] });
    const label = name === "instagram" ? "Allow as alice" : "Allow as Somebody";
    await expect(login({ login: name }, label)).rejects.toMatchObject({ reason: "app_refused" });
  });

  it("with Facebook that reaches no account says what to do", async () => {
    const { bench, login } = loginBench();
    bench.network.addPerson({ name: "Somebody", accounts: [] });
    await expect(login({ login: "facebook" }, "Allow as Somebody")).rejects.toMatchObject({ reason: "no_account" });
  });

  it("is not there without an app, nor one for the login that is asked for", async () => {
    expect(instagram().connect.browser).toBeUndefined();
    const { login } = loginBench({ app: { instagram: app.instagram } });
    await expect(login({ login: "facebook" }, "")).rejects.toMatchObject({ code: "unsupported" });
  });
});
