import { describe, expect, it } from "vitest";
import { LoginFailed } from "../../../src/networks/contract/browser-login.ts";
import { choices } from "../../../src/networks/pinterest/choices.ts";
import { type PinterestSettings, pinterest } from "../../../src/networks/pinterest/index.ts";
import { allScopes } from "../../../src/sandbox/pinterest/logins.ts";
import { scopesAsked, visit } from "../browser.ts";
import { failure, inspect, logIn, renew } from "../desk.ts";
import { formOf } from "../seen.ts";
import { app, connectedBench, pinterestBench } from "./bench.ts";
import { contractFindings } from "./openapi.ts";

const dayMs = 24 * 3_600_000;

describe("Pinterest's tokens", () => {
  it("connect their account, under its business name", async () => {
    const bench = pinterestBench({ business_name: "Alice's Teas" });
    const { identity, credentials } = await logIn(bench, bench.credentials);
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
    const desk = await connectedBench();
    const { bench } = desk;
    const first = await renew(desk);
    expect(first?.secret.refresh_token).not.toBe(bench.credentials.refresh_token);
    expect(first?.expires_at).toBe(bench.clock.now() + 30 * dayMs);
    expect(first?.refresh_at).toBe(bench.clock.now() + 20 * dayMs);
    bench.network.expireTokens();
    await expect(inspect(desk)).rejects.toBeDefined();
  });

  it("are invalid only if Pinterest's own words say so", async () => {
    const desk = await connectedBench();
    const { bench } = desk;
    const answer = { status: 401, json: { code: 2, message: "Authentication failed." } };
    bench.network.faults.add({ kind: "refuse", operation: "POST /oauth/token", answer });
    await expect(renew(desk)).rejects.toMatchObject({ code: "network_error" });
    bench.network.revoke(bench.accountId);
    await expect(renew(desk)).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it("cannot be renewed by another app", async () => {
    const bench = pinterestBench();
    const connected = await bench.connect({ ...bench.credentials, client_id: "another" });
    await expect(renew({ bench, connected })).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it("that lack a scope are rejected with its name", async () => {
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

describe("the options of a Pinterest account", () => {
  it("list the boards that accept Pins, and their sections, to the last page", async () => {
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

describe("a browser sign-in at Pinterest", () => {
  it("returns one account, with tokens that are renewed", async () => {
    const bench = pinterestBench();
    const { finish } = await visit(bench, "Allow as alice");
    const [choice] = await finish();
    expect(choice).toMatchObject({ id: bench.accountId, handle: "alice", credentials: { client_id: app.client_id } });
    expect(formOf(bench.seen[0])).toMatchObject({ continuous_refresh: "true" });
    const { profile } = await bench.connect(choice?.credentials ?? {});
    expect(profile.account_facts).toEqual({ scopes: expect.arrayContaining(["pins:write"]) });
  });

  it("that leaves a scope out is rejected with its name", async () => {
    const { finish } = await visit(pinterestBench(), "Allow as alice, but not boards:write");
    const error = await failure(finish());
    expect(error).toBeInstanceOf(LoginFailed);
    expect(error).toMatchObject({ reason: "missing_scope", message: expect.stringContaining("boards:write") });
  });

  it("reports a wrong app secret, and requests secret boards if the host wants them", async () => {
    const bench = pinterestBench({}, { app: { ...app, client_secret: "wrong" } });
    const { finish } = await visit(bench, "Allow as alice");
    await expect(finish()).rejects.toMatchObject({ reason: "app_refused" });
    const scopesOf = (settings: PinterestSettings) => scopesAsked(pinterestBench({}, settings));
    expect(await scopesOf({ app })).not.toContain("pins:write_secret");
    expect(await scopesOf({ app, secretBoards: true })).toContain("pins:write_secret");
    expect(pinterest().connect.browser).toBeUndefined();
  });
});
