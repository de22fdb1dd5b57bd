import { beforeEach, describe, expect, it } from "vitest";
import type { Connection, StartedConnection } from "../../src/connections/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import { createRest, type Rest } from "../http/rest.ts";
import { alice, loginBench } from "../networks/bluesky/login-bench.ts";
import { click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";
import { testNetworks } from "../support/service.ts";

const host = "social.example";
const domain = "local.example";

let rest: Rest;

beforeEach(async () => {
  rest = await createRest({ networks: loginNetworks() });
  rest.sandbox.mastodon.addInstance({ host });
});

function addAlice(): { instance: string; access_token: string } {
  return rest.sandbox.mastodon.addAccount({ username: "alice", instance: host });
}

function connectAlice(): Promise<Profile> {
  const { instance, access_token } = addAlice();
  const credentials = { instance, access_token };
  return rest.clock.run(() => rest.social.profiles.connect({ network: "mastodon", credentials }));
}

async function checked({ id }: Profile): Promise<string | null> {
  return (await rest.clock.run(() => rest.social.profiles.check(id))).handle;
}

/** The handle that the host's customer sees before an account is connected. */
async function offered(): Promise<(string | null)[] | undefined> {
  addAlice();
  const json = { network: "mastodon", redirect_url: ownPage, login: { instance: host } };
  const started = (await rest.send("POST", "/v1/profiles/connect", { json })).body.data as StartedConnection;
  const back = await comeBack(rest, await click(rest.sandbox, started.authorization_url, "Allow as alice"));
  const path = `/v1/profiles/connect/${started.connection_id}?code=${pageOf(back).searchParams.get("code")}`;
  return ((await rest.send("GET", path)).body.data as Connection).options?.map(({ handle }) => handle);
}

const lookUp = "GET /.well-known/webfinger";

describe("the handle of an account whose server names another domain for its handles", () => {
  it.each(["redirects", "answers"] as const)("is on that domain where the domain %s", async (webfinger) => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host, webfinger });
    expect(await offered()).toEqual([`alice@${domain}`]);
    const profile = await connectAlice();
    expect([profile.handle, await checked(profile)]).toEqual([`alice@${domain}`, `alice@${domain}`]);
  });

  it.each([
    ["has no server", "whitehouse.example", () => {}],
    ["belongs to an honest server", "mastodon.sandbox.example", () => {}],
    [
      "belongs to an honest server with such an account",
      "mastodon.sandbox.example",
      () => rest.sandbox.mastodon.addAccount({ username: "alice" }),
    ],
    [
      "belongs to another instance",
      domain,
      () => {
        rest.sandbox.mastodon.addAccount({ username: "alice" });
        rest.sandbox.mastodon.changeInstance({ domain });
        rest.sandbox.mastodon.addDomain({ domain, instance: "mastodon.sandbox.example" });
      },
    ],
    ["is not a domain", "whitehouse.example/@potus", () => {}],
    ["hides another one", "whitehouse.example#", () => {}],
    ["is a single word", "whitehouse", () => {}],
  ])("is on its server's own domain where the named domain %s", async (_, claimed, prepare) => {
    rest.sandbox.mastodon.changeInstance({ domain: claimed }, host);
    prepare();
    expect(await offered()).toEqual([`alice@${host}`]);
    const profile = await connectAlice();
    expect([profile.handle, await checked(profile)]).toEqual([`alice@${host}`, `alice@${host}`]);
  });

  it.each<[string, FaultKind]>([
    ["silent", { kind: "hang" }],
    ["busy", { kind: "refuse", answer: { status: 503 } }],
    ["rate limited", { kind: "refuse", answer: { status: 429, headers: { "retry-after": "3600" } } }],
    ["serving a page", { kind: "refuse", answer: { status: 200, text: "<html>" } }],
    ["sending a long body", { kind: "huge_body", bytes: 5_000_000 }],
    [
      "redirecting in circles",
      { kind: "refuse", answer: { status: 301, headers: { location: "/.well-known/webfinger" } } },
    ],
    ["redirecting to an invalid URL", { kind: "refuse", answer: { status: 302, headers: { location: "http://[" } } }],
    [
      "redirecting to a host without TLS",
      { kind: "refuse", answer: { status: 302, headers: { location: `http://${host}/` } } },
    ],
  ])(
    "is on its server's own domain where the named domain is %s, and the account is connected soon",
    async (_, fault) => {
      rest.sandbox.mastodon.changeInstance({ domain }, host);
      rest.sandbox.mastodon.addDomain({ domain, instance: host });
      rest.sandbox.mastodon.faults.add({ ...fault, operation: lookUp, times: 99 });
      const before = rest.clock.now();
      const profile = await connectAlice();
      expect([profile.handle, profile.status]).toEqual([`alice@${host}`, "connected"]);
      expect(rest.clock.now() - before).toBeLessThanOrEqual(5_000);
    },
  );

  it("stays confirmed while its domain does not respond, and no longer than the confirmation lasts", async () => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host });
    const profile = await connectAlice();
    rest.sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 503 }, operation: lookUp, times: 99 });
    expect(await checked(profile)).toBe(`alice@${domain}`);
    rest.sandbox.mastodon.faults.clear();
    rest.sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 404 }, operation: lookUp, times: 99 });
    expect(await checked(profile)).toBe(`alice@${host}`);
  });

  it("is not trusted, while the domain does not respond, because an earlier check confirmed another domain", async () => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host });
    const profile = await connectAlice();
    rest.sandbox.mastodon.changeInstance({ domain: "whitehouse.example" }, host);
    expect(await checked(profile)).toBe(`alice@${host}`);
  });

  it.each(["potus@whitehouse.example", "potus@whitehouse.example ", "a b", "a/b", "\u202ealice"])(
    "is empty where its server calls the account %j",
    async (username) => {
      const { instance, access_token } = rest.sandbox.mastodon.addAccount({ username, instance: host });
      const credentials = { instance, access_token };
      const profile = await rest.clock.run(() => rest.social.profiles.connect({ network: "mastodon", credentials }));
      expect(profile.handle).toBeNull();
    },
  );

  it.each([
    ["on its server", `https://${host}/@alice`, `https://${host}/@alice`],
    ["on its confirmed domain", `https://${domain}/@alice`, `https://${domain}/@alice`],
    ["on any other host", "https://whitehouse.example/@potus", null],
    ["not a web page", "whitehouse", null],
  ])("stands beside the URL of a page that is %s", async (_, url, wanted) => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host });
    const { instance, access_token } = addAlice();
    const json = { id: "1", username: "alice", url };
    const operation = "GET /api/v1/accounts/verify_credentials";
    rest.sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 200, json }, operation });
    const connect = () =>
      rest.social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } });
    expect(await rest.clock.run(connect)).toMatchObject({ handle: `alice@${domain}`, url: wanted });
  });

  it("is looked up without the account's token", async () => {
    const seen: [string, boolean][] = [];
    const watched: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const { pathname, hostname } = new URL(request.url);
      if (pathname === "/.well-known/webfinger") seen.push([hostname, request.headers.has("authorization")]);
      return rest.sandbox.untrustedHttp(request);
    };
    const { clock, storage, sandbox } = rest;
    rest = await createRest({ clock, storage, networks: loginNetworks(), http: sandbox.http, untrustedHttp: watched });
    rest.sandbox = sandbox;
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host });
    await checked(await connectAlice());
    expect(seen).toEqual([domain, host, domain, host].map((name) => [name, false]));
  });
});

describe("the handle of a Bluesky account", () => {
  const liar = { handle: "mallory.example", domain: "evil.example" };

  it.each([
    ["a domain without an account", "whitehouse.example"],
    ["another account's handle", "bob.sandbox.example"],
    ["an invalid handle", "handle.invalid"],
    ["no handle at all", "White House"],
  ])("is empty where its own server claims %s", async (_, claimed) => {
    rest = await createRest({ networks: testNetworks() });
    const { bluesky } = rest.sandbox;
    bluesky.addAccount({ handle: "bob.sandbox.example" });
    const { did, password } = bluesky.addAccount({ ...liar, display_name: "" });
    bluesky.claimHandle(did, claimed);
    const credentials = { identifier: did, app_password: password };
    const profile = await rest.clock.run(() => rest.social.profiles.connect({ network: "bluesky", credentials }));
    expect(profile).toMatchObject({ handle: null, name: did, external_id: "did:web:evil.example" });
    expect(await checked(profile)).toBeNull();
  });

  it("is empty in the accounts of a sign-in, and in the connected profile", async () => {
    const bench = loginBench();
    const { did } = bench.sandbox.bluesky.addAccount(liar);
    bench.sandbox.bluesky.claimHandle(did, "whitehouse.example");
    const started = await bench.start("https://evil.example");
    const told = await bench.visit(started, `Allow as ${liar.handle}`);
    const code = told.get("code") ?? "";
    const shown = await bench.social.connections.get(started.connection_id, { code });
    expect(shown.options).toMatchObject([{ id: did, name: did, handle: null }]);
    const finish = (): ReturnType<typeof bench.social.connections.finish> =>
      bench.social.connections.finish(started.connection_id, { code });
    expect((await bench.clock.run(finish)).profiles).toMatchObject([{ handle: null }]);
  });

  it("is shown where the lookup confirms it: by password, by sign-in, and at a check", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    const check = (): Promise<Profile> => bench.social.profiles.check(profile.id);
    expect([profile.handle, (await bench.clock.run(check)).handle]).toEqual([alice, alice]);
    const { did } = bench.sandbox.bluesky.addAccount({ handle: "carol.example", domain: "carol.example" });
    const carol = await bench.logIn("carol.example");
    expect(carol).toMatchObject({ external_id: did, handle: "carol.example" });
  });

  it("stays confirmed while the lookup fails, for a limited time", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    const check = (): Promise<Profile> => bench.social.profiles.check(profile.id);
    const operation = "resolveHandle";
    bench.sandbox.bluesky.faults.add({ kind: "refuse", answer: { status: 503 }, operation, times: 99 });
    expect((await bench.clock.run(check)).handle).toBe(alice);
    bench.sandbox.bluesky.faults.clear();
    const json = { error: "HandleNotFound", message: "Unable to resolve handle" };
    bench.sandbox.bluesky.faults.add({ kind: "refuse", answer: { status: 400, json }, operation, times: 99 });
    expect((await bench.clock.run(check)).handle).toBeNull();
  });

  it("is looked up without the account's token, which only its own server may see", async () => {
    const { clock, storage, sandbox } = await createRest({ networks: testNetworks() });
    const seen: boolean[] = [];
    const watched: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.url.includes("com.atproto.identity.resolveHandle")) seen.push(request.headers.has("authorization"));
      return sandbox.http(request);
    };
    const { untrustedHttp } = sandbox;
    rest = await createRest({ clock, storage, networks: testNetworks(), http: watched, untrustedHttp });
    const { did, password } = sandbox.bluesky.addAccount({ handle: "carol.example", domain: "carol.example" });
    const credentials = { identifier: did, app_password: password };
    const profile = await clock.run(() => rest.social.profiles.connect({ network: "bluesky", credentials }));
    expect(await checked(profile)).toBe("carol.example");
    expect(seen).toEqual([false, false]);
  });

  it("does not prevent a connection when it cannot be looked up", async () => {
    rest = await createRest({ networks: testNetworks() });
    const { bluesky } = rest.sandbox;
    const { did, password } = bluesky.addAccount({ handle: alice });
    bluesky.faults.add({ kind: "refuse", answer: { status: 503 }, operation: "resolveHandle", times: 99 });
    const credentials = { identifier: did, app_password: password };
    const profile = await rest.clock.run(() => rest.social.profiles.connect({ network: "bluesky", credentials }));
    expect(profile).toMatchObject({ status: "connected", handle: null });
  });
});
