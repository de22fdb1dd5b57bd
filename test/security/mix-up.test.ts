import { beforeEach, describe, expect, it } from "vitest";
import type { StartedConnection } from "../../src/connections/schema.ts";
import { createRest, type Rest } from "../http/rest.ts";
import { recordingLogger } from "../support/logger.ts";
import { callbackOf, click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";

const honest = "mastodon.sandbox.example";
const hostile = "evil.example";

let rest: Rest;
let logger: ReturnType<typeof recordingLogger>;
/** The attacker's account of the service. */
let attackers: string;

beforeEach(async () => {
  logger = recordingLogger();
  rest = await createRest({ networks: loginNetworks(), logger });
  rest.sandbox.mastodon.addInstance({ host: hostile });
  rest.sandbox.mastodon.addAccount({ username: "alice" });
  rest.sandbox.mastodon.addAccount({ username: "mallory", instance: hostile });
  attackers = (await rest.social.keys.create({ account_id: "acct_2" })).key;
});

async function start(instance: string, key: string = rest.key): Promise<StartedConnection> {
  const json = { network: "mastodon", redirect_url: ownPage, login: { instance } };
  const answer = await rest.send("POST", "/v1/profiles/connect", { key, json });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as StartedConnection;
}

/** The callback from the honest server of a victim's browser that the hostile server sent there. */
async function ledAstray(victims: StartedConnection, page: string): Promise<string> {
  rest.sandbox.mastodon.hijackLogins(hostile, page);
  const sent = await rest.sandbox.http(victims.authorization_url, { redirect: "manual" });
  return click(rest.sandbox, sent.headers.get("location") ?? "", "Allow as alice");
}

/** What the attacker can do with a code for his own sign-in, begun at the honest server. */
async function useCode(own: StartedConnection, code: string): Promise<string[]> {
  const page = new URL(own.authorization_url).searchParams;
  const back = new URL(page.get("redirect_uri") ?? "");
  back.search = String(new URLSearchParams({ code, state: page.get("state") ?? "" }));
  const json = { code: pageOf(await comeBack(rest, back.href)).searchParams.get("code") };
  const answer = await rest.send("POST", `/v1/profiles/connect/${own.connection_id}`, { key: attackers, json });
  return (answer.body.data as { profiles: { handle: string }[] }).profiles.map(({ handle }) => handle);
}

describe("an instance that redirects its visitor to an honest one, to the page of its own sign-in", () => {
  it("gets no code, so that it cannot finish a sign-in as the visitor", async () => {
    const attack = await start(honest, attackers);
    const victims = await start(hostile);
    const back = await ledAstray(victims, attack.authorization_url);
    const page = pageOf(await comeBack(rest, back));
    const stolen = rest.sandbox.mastodon.stolenCodes(hostile);
    const connected = await Promise.all(stolen.map((code) => useCode(attack, code)));
    expect({ stolen, connected }).toEqual({ stolen: [], connected: [] });
    expect(page.searchParams.get("error")).toBe("login_failed");
  });

  it("fails the sign-in that it began, and the log says why", async () => {
    const victims = await start(hostile);
    const back = await ledAstray(victims, (await start(honest, attackers)).authorization_url);
    await comeBack(rest, back);
    const shown = await rest.send("GET", `/v1/profiles/connect/${victims.connection_id}`);
    expect(shown.body.data).toMatchObject({ status: "failed", error: { code: "login_failed" } });
    expect(JSON.stringify(logger.lines)).toContain("a different server");
  });

  it("gets no code through the callback URL that sign-ins of all servers once shared", async () => {
    const victims = await start(hostile);
    const { searchParams } = new URL(await ledAstray(victims, (await start(honest, attackers)).authorization_url));
    expect(pageOf(await comeBack(rest, `${callbackOf("mastodon")}?${searchParams}`)).searchParams.get("error")).toBe(
      "login_failed",
    );
    expect(rest.sandbox.mastodon.stolenCodes(hostile)).toEqual([]);
  });
});

describe("the issuer name of a server", () => {
  /** The callback of a sign-in, its URL changed as if an attacker had found a way around it. */
  async function errorAfter(started: StartedConnection, change: (back: URL) => void): Promise<string | null> {
    const back = new URL(await click(rest.sandbox, started.authorization_url, "Allow as alice"));
    change(back);
    return pageOf(await comeBack(rest, back.href)).searchParams.get("error");
  }

  it("is required where the server announces it", async () => {
    rest.sandbox.mastodon.changeInstance({ namesItself: true });
    expect(await errorAfter(await start(honest), () => {})).toBeNull();
    const without = (back: URL): void => back.searchParams.delete("iss");
    expect(await errorAfter(await start(honest), without)).toBe("login_failed");
  });

  it.each([
    ["another server's, though the server announces none", false, [`https://${hostile}/`]],
    ["another server's, where the server announces its own", true, [`https://${hostile}/`]],
    ["its own, behind another server's", true, [`https://${hostile}/`, `https://${honest}/`]],
    ["not a URL", false, ["nobody"]],
    ["nearly its own, where the server announces its own", true, [`https://${honest}`]],
  ])("is rejected when it is %s", async (_, namesItself, issuers) => {
    rest.sandbox.mastodon.changeInstance({ namesItself });
    const trades: string[] = [];
    const started = await start(honest);
    const error = await errorAfter(started, (back) => {
      trades.push(back.searchParams.get("code") ?? "");
      back.searchParams.delete("iss");
      for (const issuer of issuers) back.searchParams.append("iss", issuer);
    });
    expect(error).toBe("login_failed");
  });

  it.each([`https://${honest}`, `https://${honest}/`])(
    "may be %s where the server does not announce it",
    async (issuer) => {
      expect(await errorAfter(await start(honest), (back) => back.searchParams.set("iss", issuer))).toBeNull();
    },
  );

  it.each([
    ["names another server", { status: 200, json: { issuer: `https://${hostile}/` } }],
    ["is empty", { status: 200, json: { issuer: 7 } }],
    ["cannot be parsed", { status: 503, text: "busy" }],
  ])("is not required where the server's metadata %s", async (_, answer) => {
    const json =
      "json" in answer ? { ...answer.json, authorization_response_iss_parameter_supported: true } : undefined;
    rest.sandbox.mastodon.faults.add({
      kind: "refuse",
      answer: json === undefined ? answer : { ...answer, json },
      operation: "GET /.well-known/oauth-authorization-server",
    });
    expect(await errorAfter(await start(honest), () => {})).toBeNull();
  });

  it("is not taken from the other server's metadata", async () => {
    // The hostile server announces the honest one's name as its own, so that a code from there
    // would seem its own.
    rest.sandbox.mastodon.faults.add({
      kind: "refuse",
      answer: {
        status: 200,
        json: { issuer: `https://${honest}/`, authorization_response_iss_parameter_supported: true },
      },
      operation: "GET /.well-known/oauth-authorization-server",
    });
    const started = await start(hostile);
    const state = new URL(started.authorization_url).searchParams;
    const back = new URL(state.get("redirect_uri") ?? "");
    back.search = String(
      new URLSearchParams({ code: "x", state: state.get("state") ?? "", iss: `https://${honest}/` }),
    );
    rest.sandbox.mastodon.hijackLogins(hostile, "https://unused.example/");
    expect(pageOf(await comeBack(rest, back.href)).searchParams.get("error")).toBe("login_failed");
    expect(rest.sandbox.mastodon.stolenCodes(hostile)).toEqual([]);
  });
});

it.each(["code", "iss", "error"])("a callback with two values of %s is rejected", async (name) => {
  const back = new URL(await click(rest.sandbox, (await start(honest)).authorization_url, "Allow as alice"));
  for (const value of ["a", "b"]) back.searchParams.append(name, value);
  expect(pageOf(await comeBack(rest, back.href)).searchParams.get("error")).toBe("login_failed");
});
