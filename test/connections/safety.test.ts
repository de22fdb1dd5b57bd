import { beforeEach, describe, expect, it } from "vitest";
import type { Connection, StartedConnection } from "../../src/connections/schema.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { createRest, fieldsOf, type Rest, type SendOptions } from "../http/rest.ts";
import { allRows } from "../support/all-rows.ts";
import { callbackOf, click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";

const instance = "mastodon.sandbox.example";
const minute = 60_000;

let rest: Rest;
const logged: unknown[] = [];

beforeEach(async () => {
  logged.length = 0;
  const log = (...line: unknown[]): void => void logged.push(line);
  const logger = { debug: log, info: log, warn: log, error: log };
  rest = await createRest({ networks: [...loginNetworks(), bluesky()], logger });
  for (const username of ["alice", "bob"]) rest.sandbox.mastodon.addAccount({ username });
});

const body = { network: "mastodon", redirect_url: ownPage, login: { instance } };

async function start(json: object = {}, options: SendOptions = {}): Promise<StartedConnection> {
  const answer = await rest.send("POST", "/v1/profiles/connect", { ...options, json: { ...body, ...json } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as StartedConnection;
}

/** The URL to which the network sends the browser. */
function decide(started: StartedConnection, label = "Allow as alice"): Promise<string> {
  return click(rest.sandbox, started.authorization_url, label);
}

async function errorAfter(back: string): Promise<string | null> {
  const page = pageOf(await comeBack(rest, back));
  expect(page.origin + page.pathname).toBe("https://host.example/accounts");
  return page.searchParams.get("error");
}

async function codeAfter(started: StartedConnection, label?: string): Promise<string> {
  return pageOf(await comeBack(rest, await decide(started, label))).searchParams.get("code") ?? "";
}

function finish(id: string, code: string, options: SendOptions = {}): ReturnType<Rest["send"]> {
  return rest.send("POST", `/v1/profiles/connect/${id}`, { ...options, json: { code } });
}

async function stored(): Promise<string> {
  return JSON.stringify(await allRows(rest.storage));
}

async function profiles(): Promise<number> {
  const { total } = await rest.storage.find("profiles", { where: {} });
  return total;
}

describe("a failed sign-in tells the host's page why", () => {
  it.each([
    ["refused by the user", "Refuse", "access_denied"],
    ["without a required right", "Allow as alice, but not write:statuses", "missing_scope"],
  ])("%s", async (_, label, code) => {
    const started = await start();
    expect(await errorAfter(await decide(started, label))).toBe(code);
    const shown = (await rest.send("GET", `/v1/profiles/connect/${started.connection_id}`)).body.data as Connection;
    expect([shown.status, shown.error?.code]).toEqual(["failed", code]);
    expect(await profiles()).toBe(0);
  });

  it("with the name of the missing right", async () => {
    const started = await start();
    await errorAfter(await decide(started, "Allow as alice, but not write:media"));
    const shown = (await rest.send("GET", `/v1/profiles/connect/${started.connection_id}`)).body.data as Connection;
    expect(shown.error?.message).toContain("write:media");
  });

  it("when it is used a second time", async () => {
    const started = await start();
    const back = await decide(started);
    const code = pageOf(await comeBack(rest, back)).searchParams.get("code") ?? "";
    expect(await errorAfter(back)).toBe("already_used");
    // The connection of the first time is still valid.
    expect((await finish(started.connection_id, code)).status).toBe(201);
  });

  it("when it is used twice concurrently: one continues, and the network is asked once", async () => {
    const back = await decide(await start());
    const pages = await rest.clock.run(() => Promise.all([1, 2].map(() => rest.handler(new Request(back)))));
    const ends = pages.map((each) => pageOf(each).searchParams.get("error") ?? "went on").sort();
    expect(ends).toEqual(["already_used", "went on"]);
  });

  it("when it comes after ten minutes", async () => {
    const back = await decide(await start());
    await rest.clock.advance(10 * minute);
    expect(await errorAfter(back)).toBe("expired");
  });

  it("when its record was deleted: on a plain page", async () => {
    const back = await decide(await start());
    await rest.clock.advance(71 * minute);
    await rest.clock.run(() => rest.social.runDue());
    expect((await comeBack(rest, back)).status).toBe(400);
    expect((await rest.storage.find("connections", { where: {} })).total).toBe(0);
  });

  it("while the network is away", async () => {
    const back = await decide(await start());
    rest.sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 503 }, operation: "POST /oauth/token" });
    expect(await errorAfter(back)).toBe("network_error");
  });

  it("when the response to the code is lost: the code is not sent twice", async () => {
    const back = await decide(await start());
    rest.sandbox.mastodon.faults.add({ kind: "drop_after", operation: "POST /oauth/token" });
    expect(await errorAfter(back)).toBe("network_error");
  });

  it("when the network rejects the code", async () => {
    const back = new URL(await decide(await start()));
    back.searchParams.set("code", "another");
    expect(await errorAfter(back.href)).toBe("login_failed");
  });

  it("at a server that has forgotten the app, which is registered anew the next time", async () => {
    const back = await decide(await start());
    rest.sandbox.mastodon.forgetApps();
    expect(await errorAfter(back)).toBe("login_failed");
    const started = await start();
    expect((await finish(started.connection_id, await codeAfter(started))).status).toBe(201);
  });

  it("without the network's own text, which reaches no page and no header", async () => {
    const back = new URL(await decide(await start(), "Refuse"));
    back.searchParams.set("error", '<script>alert("x")</script>\r\nx: y');
    const response = await comeBack(rest, back.href);
    expect(pageOf(response).searchParams.get("error")).toBe("login_failed");
    expect(JSON.stringify([...response.headers])).not.toContain("script");
  });
});

describe("a request that belongs to no sign-in", () => {
  it.each([
    ["without a state", `${callbackOf("mastodon")}?code=x`],
    ["with a state that was never issued", `${callbackOf("mastodon")}?code=x&state=${"A".repeat(43)}`],
    ["with a malformed state", `${callbackOf("mastodon")}?code=x&state=%3Cscript%3Ealert(1)%3C/script%3E`],
    ["of an unknown network", `${callbackOf("nowhere")}?code=x&state=${"A".repeat(43)}`],
  ])("ends on a plain page: %s", async (_, url) => {
    const response = await comeBack(rest, url);
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    expect(text).toContain("Unknown sign-in");
    expect(text).not.toContain("<script");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
  });

  it("is one with another network's state, or with two states", async () => {
    const back = await decide(await start());
    expect((await comeBack(rest, back.replace("/mastodon/", "/discord/"))).status).toBe(400);
    const state = new URL(back).searchParams.get("state");
    expect((await comeBack(rest, `${back}&state=${state}`)).status).toBe(400);
    // The sign-in is still valid.
    expect(pageOf(await comeBack(rest, back)).searchParams.get("code")).not.toBeNull();
  });

  it.each(["POST", "HEAD"])("is not accepted as %s, and the sign-in stays unchanged", async (method) => {
    const back = await decide(await start());
    const response = await rest.clock.run(() => rest.handler(new Request(back, { method })));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
    expect(pageOf(await comeBack(rest, back)).searchParams.get("code")).not.toBeNull();
  });
});

describe("the caller that may finish a sign-in", () => {
  let other: string;

  beforeEach(async () => {
    other = (await rest.social.keys.create({ account_id: "acct_2" })).key;
  });

  it("is not another account, whose customer signed in through a link from an attacker", async () => {
    // The attacker starts a sign-in in his account and sends the URL to a victim, who signs in.
    const started = await start({}, { key: other });
    const code = await codeAfter(started);
    // The victim lands on the host's page, in his own account: nothing is connected there.
    expect((await finish(started.connection_id, code)).status).toBe(404);
    // And the attacker, who has the connection, has no code.
    expect((await finish(started.connection_id, "guess", { key: other })).status).toBe(403);
    expect(await profiles()).toBe(0);
  });

  it("is not the victim, to whom an attacker has sent the callback of his own sign-in", async () => {
    const started = await start({}, { key: other });
    const back = await decide(started);
    // The victim's browser follows the attacker's callback; the victim's account does not have the connection.
    const code = pageOf(await comeBack(rest, back)).searchParams.get("code") ?? "";
    expect((await finish(started.connection_id, code)).status).toBe(404);
    expect(await profiles()).toBe(0);
  });

  it("is not a caller with the code of another sign-in", async () => {
    const [mine, theirs] = [await start(), await start()];
    const [code, otherCode] = [await codeAfter(mine), await codeAfter(theirs, "Allow as bob")];
    expect((await finish(mine.connection_id, otherCode)).status).toBe(403);
    expect((await finish(mine.connection_id, code)).status).toBe(201);
  });

  it("does not exist before the browser is back, after ten minutes, or after a refusal", async () => {
    const waiting = await start();
    expect((await finish(waiting.connection_id, "x")).status).toBe(403);
    const late = await start();
    const code = await codeAfter(late);
    await rest.clock.advance(10 * minute);
    const refused = await finish(late.connection_id, code);
    expect([refused.status, refused.body.error?.message]).toEqual([409, expect.stringContaining("ten minutes")]);
    expect(await profiles()).toBe(0);
  });
});

describe("a reconnect", () => {
  async function connected(): Promise<Profile> {
    const started = await start();
    const answer = await finish(started.connection_id, await codeAfter(started));
    return (answer.body.data as { profiles: [Profile] }).profiles[0];
  }

  it("gives the profile new credentials", async () => {
    const profile = await connected();
    const started = await start({ profile_id: profile.id });
    const answer = await finish(started.connection_id, await codeAfter(started));
    expect((answer.body.data as { profiles: Profile[] }).profiles.map(({ id }) => id)).toEqual([profile.id]);
  });

  it("rejects another account of the network", async () => {
    const { id } = await connected();
    expect(await errorAfter(await decide(await start({ profile_id: id }), "Allow as bob"))).toBe("other_account");
    expect(await profiles()).toBe(1);
  });

  it("of a profile on another network is rejected, naming the field", async () => {
    const { id } = await connected();
    const json = { network: "discord", redirect_url: ownPage, login: { as: "webhook" }, profile_id: id };
    const answer = await rest.send("POST", "/v1/profiles/connect", { json });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["profile_id"]]);
  });
});

describe("an invalid start", () => {
  it.each([
    ["another site's page", { redirect_url: "https://evil.example/" }, 400, "redirect_url"],
    [
      "a page whose URL only begins with the same letters",
      { redirect_url: "https://host.example.evil.example/" },
      400,
      "redirect_url",
    ],
    ["a page behind a user name", { redirect_url: "https://host.example@evil.example/" }, 400, "redirect_url"],
    ["a page with a password in its URL", { redirect_url: "https://a:b@host.example/" }, 400, "redirect_url"],
    ["another protocol", { redirect_url: "javascript:alert(1)" }, 400, "redirect_url"],
    ["no server", { login: {} }, 400, "login.instance"],
    ["an invalid server", { login: { instance: "not a host" } }, 400, "login.instance"],
    ["an unknown field", { login: { instance, colour: 1 } }, 400, "login.colour"],
    ["credentials beside it", { credentials: { instance } }, 400, "credentials"],
    ["a network that the service lacks", { network: "tiktok" }, 400, "network"],
    ["a network without a sign-in", { network: "bluesky", login: {} }, 422, "network"],
    ["an account that has no app", { network: "discord", login: {} }, 422, "login.as"],
  ])("is rejected: %s", async (_, json, status, field) => {
    const answer = await rest.send("POST", "/v1/profiles/connect", { json: { ...body, ...json } });
    expect([answer.status, fieldsOf(answer)], answer.text).toEqual([status, [field]]);
    expect((await rest.storage.find("connections", { where: {} })).total).toBe(0);
  });

  it("gets an error that names the missing setup", async () => {
    const bare = await createRest({ networks: loginNetworks(), trustedOrigins: [] });
    const answer = await bare.send("POST", "/v1/profiles/connect", { json: body });
    expect(answer.body.error?.message).toBe("This service does not send browsers to https://host.example.");
    const { mediaStore: _, ...without } = { mediaStore: undefined };
    const homeless = await createRest({
      ...without,
      networks: loginNetworks(),
      trustedOrigins: [],
      baseUrl: undefined,
      mediaStore: undefined,
    });
    const unsupported = await homeless.send("POST", "/v1/profiles/connect", { json: body });
    expect([unsupported.status, unsupported.body.error?.message]).toEqual([
      422,
      "Accounts cannot be connected in a browser here.",
    ]);
  });

  it("is rejected beyond a thousand open ones", async () => {
    await rest.clock.run(() => rest.social.connections.start(body));
    const [row] = (await allRows(rest.storage)).connections;
    if (row === undefined) return expect.unreachable();
    const others = Array.from({ length: 999 }, (_, count) => ({ ...row, id: `conn_${count}`, state_hash: `${count}` }));
    await rest.storage.write(others.map((other) => ({ kind: "insert", collection: "connections", row: other })));
    const answer = await rest.send("POST", "/v1/profiles/connect", { json: body });
    expect([answer.status, answer.body.error?.code]).toEqual([429, "rate_limited"]);
    await rest.clock.advance(10 * minute);
    expect((await rest.send("POST", "/v1/profiles/connect", { json: body })).status).toBe(201);
  });
});

it("no secret of a sign-in appears in storage, logs or responses", async () => {
  const started = await start();
  const back = await decide(started);
  const { searchParams } = new URL(back);
  const code = pageOf(await comeBack(rest, back)).searchParams.get("code") ?? "";
  const shown = await rest.send("GET", `/v1/profiles/connect/${started.connection_id}?code=${code}`);
  const secrets = [
    code,
    searchParams.get("state") ?? "",
    searchParams.get("code") ?? "",
    "access-",
    "secret-",
    "client-",
  ];
  const before = await stored();
  await finish(started.connection_id, code);
  for (const text of [before, await stored(), JSON.stringify(logged), shown.text])
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(false);
});
