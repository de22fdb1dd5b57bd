import { describe, expect, it } from "vitest";
import { type BrowserLoginContext, LoginFailed, type LoginPage } from "../../../src/networks/contract/browser-login.ts";
import { choices } from "../../../src/networks/pinterest/choices.ts";
import { type PinterestSettings, pinterest } from "../../../src/networks/pinterest/index.ts";
import { allScopes } from "../../../src/sandbox/pinterest/logins.ts";
import { pinterestSandbox } from "../../../src/sandbox/pinterest/network.ts";
import { networkBench } from "../../../src/testing/network-bench.ts";
import { app, connectedBench, pinterestBench } from "./bench.ts";
import { contractFindings } from "./openapi.ts";

const dayMs = 24 * 3_600_000;

describe("tokens", () => {
  it("connect their account, under the name of its business", async () => {
    const bench = pinterestBench({ business_name: "Alice's Teas" });
    const login = () => bench.run(() => bench.adapter.connect.login(bench.login, bench.credentials));
    const { identity, credentials } = await login();
    expect(identity).toMatchObject({
      external_id: bench.accountId,
      name: "Alice's Teas",
      handle: "alice",
      url: "https://www.pinterest.com/alice/",
    });
    expect(credentials).toMatchObject({ expires_at: null, refresh_at: bench.clock.now() + 20 * dayMs });
    expect(contractFindings(bench.seen)).toEqual([]);
  });

  it("are renewed, and the new refresh token replaces the old one", async () => {
    const { bench, connected } = await connectedBench();
    const renew = () => bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    const first = await renew();
    expect(first?.secret.refresh_token).not.toBe(bench.credentials.refresh_token);
    expect(first?.expires_at).toBe(bench.clock.now() + 30 * dayMs);
    expect(first?.refresh_at).toBe(bench.clock.now() + 20 * dayMs);
    bench.network.expireTokens();
    await expect(bench.run(() => bench.adapter.connect.inspect(connected.context))).rejects.toBeDefined();
  });

  it("without a new refresh token in the answer keep the old one", async () => {
    const { bench, connected } = await connectedBench();
    const json = { access_token: "pina_next", token_type: "bearer", expires_in: 2_592_000, refresh_token: "" };
    bench.network.faults.add({ kind: "refuse", operation: "POST /oauth/token", answer: { status: 200, json } });
    const renewed = await bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    expect(renewed?.secret).toMatchObject({
      access_token: "pina_next",
      refresh_token: bench.credentials.refresh_token,
    });
  });

  it("that are dead are said to be dead by Pinterest's words alone", async () => {
    const { bench, connected } = await connectedBench();
    const renew = () => bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    const refuse = (status: number, json: unknown) =>
      bench.network.faults.add({ kind: "refuse", operation: "POST /oauth/token", answer: { status, json } });
    refuse(401, { code: 2, message: "Authentication failed." });
    await expect(renew()).rejects.toMatchObject({ code: "network_error" });
    bench.network.revoke(bench.accountId);
    await expect(renew()).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it("cannot be renewed by another app than theirs", async () => {
    const bench = pinterestBench();
    const connected = await bench.connect({ ...bench.credentials, client_id: "another" });
    const renew = () => bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    await expect(renew()).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it("that lack a scope are refused, naming it", async () => {
    const bench = pinterestBench();
    const scopes = allScopes.filter((scope) => scope !== "pins:write");
    await expect(bench.connect({ ...bench.credentials, scopes })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("pins:write"),
    });
    const lacking = pinterestBench({ scopes: ["pins:read"] });
    await expect(lacking.connect(lacking.credentials)).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });
});

describe("choices", () => {
  it("are the boards that Pins can go to, and their sections, to the last page", async () => {
    const { bench, connected } = await connectedBench();
    const members = [bench.accountId];
    for (let index = 0; index < 260; index++) bench.network.addBoard({ members, name: `Board ${index}` });
    bench.network.addBoard({ members, name: "Advertisements", is_ads_only: true });
    const boards = await bench.run(async () => choices.board_id(connected.context));
    expect(boards).toHaveLength(261);
    expect(boards.at(-1)).toMatchObject({ name: "Board 259" });
    const other = await connectedBench();
    const { section_ids } = other.bench.network.addBoard({
      members: [other.bench.accountId],
      name: "Tea",
      sections: ["Green"],
    });
    const sections = await other.bench.run(async () => choices.board_section_id(other.connected.context));
    expect(sections).toEqual([{ value: section_ids[0], name: "Tea / Green" }]);
    expect(contractFindings([...bench.seen, ...other.bench.seen])).toEqual([]);
  });
});

function loginBench(given: PinterestSettings = { app }) {
  const bench = networkBench({ adapter: pinterest(given), network: pinterestSandbox });
  const { browser } = bench.adapter.connect;
  if (browser === undefined) throw new Error("there is no login in a browser");
  const context: BrowserLoginContext = {
    ...bench.login,
    accountId: "default",
    state: "the-state",
    redirectUri: "https://app.example.com/connect/pinterest/callback",
    randomBytes: (length) => new Uint8Array(length),
    conceal: () => undefined,
    apps: { get: (_, register) => register(), forget: async () => undefined },
  };
  async function click({ url }: Pick<LoginPage, "url">, label: string): Promise<Record<string, string>> {
    const headers = new Headers();
    const visit = (address: string) =>
      bench.network.answer({ method: "GET", url: new URL(address), headers, bytes: new Uint8Array() });
    const { text = "" } = await visit(url);
    const links = [...text.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)];
    const link = links.find(([, , words]) => words === label)?.[1] ?? "";
    const { headers: sent = {} } = await visit(link.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
    return Object.fromEntries(new URL(sent.location ?? "").searchParams);
  }
  const begin = () => bench.run(() => browser.begin(context, {}));
  const login = async (label: string) => {
    const page = await begin();
    const parameters = await click(page, label);
    return bench.run(() => browser.finish(context, { parameters, keep: page.keep }));
  };
  return { bench, begin, login };
}

describe("a login in the browser", () => {
  it("is one account, with tokens that are renewed", async () => {
    const { bench, login } = loginBench();
    const { external_id } = bench.network.addAccount({ username: "alice" });
    const [choice] = await login("Allow as alice");
    expect(choice).toMatchObject({ id: external_id, handle: "alice", credentials: { client_id: app.client_id } });
    const form = new URLSearchParams(new TextDecoder().decode(bench.seen[0]?.bytes));
    expect(form.get("continuous_refresh")).toBe("true");
    const { profile } = await bench.connect(choice?.credentials ?? {});
    expect(profile.account_facts).toEqual({ scopes: expect.arrayContaining(["pins:write"]) });
  });

  it("that leaves a scope out is refused, naming it", async () => {
    const { bench, login } = loginBench();
    bench.network.addAccount({ username: "alice" });
    const failure = await login("Allow as alice, but not boards:write").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LoginFailed);
    expect(failure).toMatchObject({ reason: "missing_scope", message: expect.stringContaining("boards:write") });
  });

  it("says when the app's secret is wrong, and asks for secret boards where the host wants them", async () => {
    const { bench, login } = loginBench({ app: { ...app, client_secret: "wrong" } });
    bench.network.addAccount({ username: "alice" });
    await expect(login("Allow as alice")).rejects.toMatchObject({ reason: "app_refused" });
    const scopesOf = async (settings: PinterestSettings) =>
      new URL((await loginBench(settings).begin()).url).searchParams.get("scope")?.split(",");
    expect(await scopesOf({ app })).not.toContain("pins:write_secret");
    expect(await scopesOf({ app, secretBoards: true })).toContain("pins:write_secret");
    expect(pinterest().connect.browser).toBeUndefined();
  });
});
