import util from "node:util";
import { describe, expect, it } from "vitest";
import { LoginFailed } from "../../../src/networks/contract/browser-login.ts";
import { facebook } from "../../../src/networks/facebook/index.ts";
import { sandboxApp } from "../../../src/sandbox/facebook/logins.ts";
import { scopesAsked, visit } from "../browser.ts";
import { failure, inspect, logIn } from "../desk.ts";
import { connectedBench, facebookBench } from "./bench.ts";

const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

const dayMs = 86_400_000;

describe("a Page's token", () => {
  it("connects the Page, and does not expire", async () => {
    const bench = facebookBench();
    const { identity, credentials } = await logIn(bench, { access_token: bench.token, client_id: "app-1" });
    expect(identity).toMatchObject({
      external_id: bench.pageId,
      name: "Bakery",
      handle: "bakery",
      app: "app-1",
      url: "https://www.facebook.com/bakery",
      avatar_url: expect.stringMatching(/^https:/),
    });
    const secret = { access_token: bench.token, client_id: "app-1" };
    expect(credentials).toEqual({ secret, expires_at: null, reconnect_by: null });
    expect(bench.adapter.connect.refresh).toBeUndefined();
  });

  it("is in each request's header, never in a URL", async () => {
    const bench = facebookBench();
    await bench.connect({ access_token: bench.token });
    expect(bench.seen.map(({ headers }) => headers.get("authorization"))).toEqual(
      bench.seen.map(() => `Bearer ${bench.token}`),
    );
    expect(JSON.stringify(bench.seen.map(({ url }) => url.href))).not.toContain(bench.token);
  });

  it("of a Page without a username connects it under its number", async () => {
    const bench = facebookBench({ username: undefined as never });
    const { profile } = await bench.connect({ access_token: bench.token });
    expect(profile).toMatchObject({ handle: null, url: `https://www.facebook.com/${bench.pageId}` });
  });

  it("that may not read published posts is rejected with the scope's name", async () => {
    const bench = facebookBench({ scopes: ["pages_show_list", "pages_manage_posts"] });
    await expect(bench.connect({ access_token: bench.token })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^access_token: .*pages_read_engagement/),
    });
  });

  it("that is known to lack the publishing scope is rejected with its name", async () => {
    const bench = facebookBench();
    const scopes = ["pages_read_engagement"];
    await expect(bench.connect({ access_token: bench.token, scopes })).rejects.toMatchObject({
      message: expect.stringMatching(/pages_manage_posts/),
    });
  });

  it("that lacks the publishing scope is rejected with its name, if the app can look it up", async () => {
    const bench = facebookBench({ scopes: ["pages_read_engagement"] }, { app });
    await expect(bench.connect({ access_token: bench.token })).rejects.toMatchObject({
      message: expect.stringMatching(/pages_manage_posts/),
    });
  });

  it("is connected with the app's facts about it, or without them if another app issued it", async () => {
    const scopes = ["pages_read_engagement", "pages_manage_posts"];
    const own = facebookBench({ scopes }, { app });
    expect(await own.connect({ access_token: own.token })).toMatchObject({ profile: { account_facts: { scopes } } });
    const other = facebookBench({ scopes }, { app: { ...app, client_secret: "of another app" } });
    expect(await other.connect({ access_token: other.token })).toMatchObject({
      profile: { account_facts: { scopes: [] } },
    });
  });

  it("is in no error if Facebook returns nothing about it at the moment", async () => {
    const bench = facebookBench({}, { app });
    bench.network.faults.add({
      kind: "refuse",
      answer: { status: 500, text: "" },
      operation: "GET /debug_token",
      times: 3,
    });
    const error = await failure(bench.connect({ access_token: bench.token }));
    expect(error).toMatchObject({ code: "network_error" });
    expect(util.inspect(error, { depth: 9 })).not.toContain(bench.token);
  });

  it("of another Page than the named one is rejected", async () => {
    const bench = facebookBench();
    await expect(bench.connect({ access_token: bench.token, page_id: "123" })).rejects.toMatchObject({
      message: expect.stringMatching(/^page_id: /),
    });
  });

  it.each([
    ["is invalid if Facebook says so", { kind: "revoked" as const }, "reauthentication_required"],
    ["may still be valid if Facebook is down", { kind: "down" as const }, "network_error"],
  ])("%s", async (_, { kind }, code) => {
    const desk = await connectedBench();
    const { bench } = desk;
    if (kind === "revoked") bench.network.revoke(bench.token);
    else bench.network.faults.add({ kind: "refuse", answer: { status: 500, text: "" }, times: 3 });
    await expect(inspect(desk)).rejects.toMatchObject({ refusal: { code } });
  });
});

describe("a user's token", () => {
  it("connects the only Page that it reaches, with the Page's own token", async () => {
    const bench = facebookBench();
    const access_token = bench.network.addPerson({ name: "Ann", pages: [bench.pageId] });
    const { profile, secret } = await bench.connect({ access_token });
    expect(profile).toMatchObject({
      external_id: bench.pageId,
      account_facts: { tasks: expect.arrayContaining(["CREATE_CONTENT"]) },
    });
    expect(secret().access_token).not.toBe(access_token);
  });

  it("that reaches several Pages requires a choice by name", async () => {
    const bench = facebookBench();
    const { external_id } = bench.network.addPage({ name: "Mill" });
    const access_token = bench.network.addPerson({ name: "Ann", pages: [bench.pageId, external_id] });
    await expect(bench.connect({ access_token })).rejects.toMatchObject({
      message: expect.stringMatching(/^page_id: .*Bakery.*Mill/),
    });
    const { profile } = await bench.connect({ access_token, page_id: external_id });
    expect(profile.external_id).toBe(external_id);
  });

  it.each([
    ["reaches no Page", { pages: [] as string[], tasks: ["CREATE_CONTENT"] }, /tick the Pages/],
    ["may create nothing there", { pages: ["bakery"], tasks: ["ANALYZE"] }, /CREATE_CONTENT/],
  ])("that %s is rejected with the reason", async (_, { pages, tasks }, message) => {
    const bench = facebookBench();
    const access_token = bench.network.addPerson({ name: "Ann", pages: pages.map(() => bench.pageId), tasks });
    await expect(bench.connect({ access_token })).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  it("of a Page of the newer kind lists its tasks under other names", async () => {
    const bench = facebookBench();
    const tasks = ["PROFILE_PLUS_CREATE_CONTENT"];
    const access_token = bench.network.addPerson({ name: "Ann", pages: [bench.pageId], tasks });
    expect((await bench.connect({ access_token })).profile.external_id).toBe(bench.pageId);
  });
});

describe("a browser sign-in at Facebook", () => {
  it("offers each Page once, also those of the user's business, with tokens that outlive the user's", async () => {
    const bench = facebookBench({ name: "Shop" }, { app });
    const [one, two, three] = ["Bakery", "Mill", "Farm"].map((name) => bench.network.addPage({ name }).external_id) as [
      string,
      string,
      string,
    ];
    bench.network.addPerson({ name: "Ann", pages: [one, two], owned: [two], clients: [three] });
    const { concealed, finish } = await visit(bench, "Allow as Ann");
    const choices = await finish();
    expect(choices.map(({ name }) => name)).toEqual(["Bakery", "Mill", "Farm"]);
    const { profile, secret } = await bench.connect(choices[2]?.credentials ?? {});
    expect(profile).toMatchObject({
      external_id: three,
      account_facts: { scopes: expect.arrayContaining(["pages_manage_posts"]) },
    });
    await bench.clock.advance(80 * dayMs);
    expect((await logIn(bench, secret())).identity.external_id).toBe(three);
    // The app may no longer read the user's data.
    await bench.clock.advance(11 * dayMs);
    await expect(logIn(bench, secret())).rejects.toThrow(/not used the app for 90 days/);
    expect(JSON.stringify(concealed)).toContain(String(choices[0]?.credentials.access_token));
  });

  it.each(["pages_manage_posts", "pages_read_engagement"])(
    "that leaves %s out is rejected with its name",
    async (scope) => {
      const bench = facebookBench({}, { app });
      bench.network.addPerson({ name: "Ann", pages: [bench.pageId] });
      const { finish } = await visit(bench, `Allow as Ann, but not ${scope}`);
      const error = await failure(finish());
      expect(error).toBeInstanceOf(LoginFailed);
      expect(error).toMatchObject({ reason: "missing_scope", message: expect.stringMatching(scope) });
    },
  );

  it("reports a wrong app secret", async () => {
    const bench = facebookBench({}, { app: { ...app, client_secret: "wrong" } });
    bench.network.addPerson({ name: "Ann", pages: [] });
    const { finish } = await visit(bench, "Allow as Ann");
    await expect(finish()).rejects.toMatchObject({ reason: "app_refused" });
  });

  it.each([
    ["ticked no Page", [] as string[], ["CREATE_CONTENT"], /tick the Pages/],
    ["may create nothing", ["Bakery"], ["ANALYZE"], /create content/],
  ])("of a user who %s explains what to do", async (_, names, tasks, message) => {
    const bench = facebookBench({}, { app });
    const pages = names.map((name) => bench.network.addPage({ name }).external_id);
    bench.network.addPerson({ name: "Ann", pages, tasks });
    const { finish } = await visit(bench, "Allow as Ann");
    await expect(finish()).rejects.toMatchObject({
      reason: "no_account",
      message: expect.stringMatching(message),
    });
  });

  it("requests the inbox's scopes if the host wants an inbox, and needs an app", async () => {
    const asked = await scopesAsked(facebookBench({}, { app, scopes: ["publish", "inbox"] }));
    expect(asked).toEqual(expect.arrayContaining(["pages_manage_posts", "pages_messaging", "pages_read_user_content"]));
    expect(facebook().connect.browser).toBeUndefined();
  });
});
