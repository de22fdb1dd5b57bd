import { describe, expect, it } from "vitest";
import { type BrowserLoginContext, LoginFailed, type LoginPage } from "../../../src/networks/contract/browser-login.ts";
import { type ThreadsSettings, threads } from "../../../src/networks/threads/index.ts";
import { sandboxApp } from "../../../src/sandbox/threads/logins.ts";
import { threadsSandbox } from "../../../src/sandbox/threads/network.ts";
import { networkBench } from "../../../src/testing/network-bench.ts";
import { threadsBench } from "./bench.ts";

const dayMs = 24 * 3_600_000;

describe("a token", () => {
  it("connects its account, with what it may do and how much it may publish", async () => {
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

  it("tells when it runs out, and is renewed a month before, without the app's secret", async () => {
    const bench = threadsBench();
    const login = () => bench.run(() => bench.adapter.connect.login(bench.login, { access_token: bench.token }));
    const ends = bench.clock.now() + 60 * dayMs;
    const { credentials } = await login();
    expect(credentials.expires_at).toBe(Math.floor(ends / 1000) * 1000);
    expect(credentials.refresh_at).toBe(Math.floor(ends / 1000) * 1000 - 30 * dayMs);
    const connected = await bench.connect({ access_token: bench.token });
    const renew = () => bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    await expect(renew()).rejects.toThrow();
    await bench.clock.advance(25 * 3_600_000);
    const renewed = await renew();
    expect(renewed?.secret.access_token).not.toBe(bench.token);
    expect(renewed?.expires_at).toBe(bench.clock.now() + 60 * dayMs);
    expect(bench.seen.at(-1)?.url.searchParams.get("grant_type")).toBe("th_refresh_token");
  });

  it("of which nothing is told is renewed after a day, whatever it may do", async () => {
    const bench = threadsBench();
    bench.network.hideTokens();
    const login = () => bench.run(() => bench.adapter.connect.login(bench.login, { access_token: bench.token }));
    const { identity, credentials } = await login();
    expect(credentials).toMatchObject({ expires_at: null, refresh_at: bench.clock.now() + 25 * 3_600_000 });
    expect(identity.scopes).toEqual([]);
  });

  it("that is dead is said to be dead by Threads' words alone", async () => {
    const bench = threadsBench();
    const connected = await bench.connect({ access_token: bench.token });
    const renew = () => bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    bench.network.faults.add({ kind: "refuse", answer: { status: 500, text: "" }, times: 3 });
    await expect(renew()).rejects.toMatchObject({ refusal: { code: "network_error" } });
    bench.network.revoke(bench.token);
    await expect(renew()).rejects.toMatchObject({ refusal: { code: "reauthentication_required" } });
    bench.network.restore(bench.token);
    await bench.clock.advance(25 * 3_600_000);
    await expect(renew()).resolves.toMatchObject({ secret: expect.any(Object) });
  });

  it.each([
    ["says so itself", false],
    ["is refused", true],
  ])("that lacks the scope to publish, and %s, is refused by its name", async (_, isHidden) => {
    const bench = threadsBench({ scopes: ["threads_basic"] });
    if (isHidden) bench.network.hideTokens();
    await expect(bench.connect({ access_token: bench.token })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("threads_content_publish"),
    });
  });
});

const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

function loginBench(given: ThreadsSettings = { app }) {
  const bench = networkBench({ adapter: threads(given), network: threadsSandbox });
  const { browser } = bench.adapter.connect;
  if (browser === undefined) throw new Error("there is no login in a browser");
  const concealed: unknown[] = [];
  const context: BrowserLoginContext = {
    ...bench.login,
    accountId: "default",
    state: "the-state",
    redirectUri: "https://app.example.com/connect/threads/callback",
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
  const login = async (label: string) => {
    const page = await bench.run(() => browser.begin(context, {}));
    const { tail, ...parameters } = await click(page, label);
    // Some browsers and proxies take it for a part of the code.
    const code = `${parameters.code}${tail}`;
    return bench.run(() => browser.finish(context, { parameters: { ...parameters, code }, keep: page.keep }));
  };
  return { bench, login, concealed, begin: () => bench.run(() => browser.begin(context, {})) };
}

describe("a login in the browser", () => {
  it("is one account, with a token for 60 days", async () => {
    const { bench, login, concealed } = loginBench();
    const { external_id } = bench.network.addAccount({ username: "alice" });
    const [choice] = await login("Allow as alice");
    expect(choice).toMatchObject({ id: external_id, handle: "alice", credentials: { client_id: app.client_id } });
    const { profile } = await bench.connect(choice?.credentials ?? {});
    expect(profile.account_facts).toMatchObject({ scopes: expect.arrayContaining(["threads_manage_replies"]) });
    const secrets = JSON.stringify(concealed);
    expect(secrets).toContain(String(choice?.credentials.access_token));
    expect(secrets).toContain(app.client_secret);
  });

  it("that gets no long token is none: one of an hour is not kept", async () => {
    const { bench, login } = loginBench();
    bench.network.addAccount({ username: "alice" });
    bench.network.faults.add({
      kind: "refuse",
      operation: "GET /access_token",
      answer: { status: 500, text: "" },
      times: 9,
    });
    await expect(login("Allow as alice")).rejects.toThrow();
  });

  it("that leaves a scope out is refused, naming it", async () => {
    const { bench, login } = loginBench();
    bench.network.addAccount({ username: "alice" });
    const failure = await login("Allow as alice, but not threads_content_publish").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LoginFailed);
    expect(failure).toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining("threads_content_publish"),
    });
  });

  it.each([
    ["the secret is another app's", { client_secret: "wrong" }],
    ["the id is the Meta app's", { client_id: "1130245678901234" }],
  ])("says what is wrong when %s", async (_, wrong) => {
    const { bench, login } = loginBench({ app: { ...app, ...wrong } });
    bench.network.addAccount({ username: "alice" });
    if ("client_id" in wrong)
      bench.network.addApp({ ...sandboxApp, ...wrong, client_secret: "the Meta app's own secret" });
    await expect(login("Allow as alice")).rejects.toMatchObject({ reason: "app_refused" });
  });

  it("asks for what the host wants, and for what single options need", async () => {
    const { begin } = loginBench({ app, scopes: ["publish", "inbox"], furtherScopes: ["threads_location_tagging"] });
    const scope = new URL((await begin()).url).searchParams.get("scope")?.split(",");
    expect(scope).toEqual([
      ...["threads_basic", "threads_content_publish", "threads_manage_replies"],
      ...["threads_read_replies", "threads_manage_mentions", "threads_location_tagging"],
    ]);
    expect(threads().connect.browser).toBeUndefined();
  });
});
