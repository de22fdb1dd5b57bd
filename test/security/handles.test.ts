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

/** What the host's customer is shown before an account is connected. */
async function offered(): Promise<(string | null)[] | undefined> {
  addAlice();
  const json = { network: "mastodon", redirect_url: ownPage, login: { instance: host } };
  const started = (await rest.send("POST", "/v1/profiles/connect", { json })).body.data as StartedConnection;
  const back = await comeBack(rest, await click(rest.sandbox, started.authorization_url, "Allow as alice"));
  const path = `/v1/profiles/connect/${started.connection_id}?code=${pageOf(back).searchParams.get("code")}`;
  return ((await rest.send("GET", path)).body.data as Connection).options?.map(({ handle }) => handle);
}

const lookUp = "GET /.well-known/webfinger";

describe("the handle of an account whose server says that handles end in another domain", () => {
  it.each(["redirects", "answers"] as const)("is that domain's where the domain %s", async (webfinger) => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host, webfinger });
    expect(await offered()).toEqual([`alice@${domain}`]);
    const profile = await connectAlice();
    expect([profile.handle, await checked(profile)]).toEqual([`alice@${domain}`, `alice@${domain}`]);
  });

  it.each([
    ["nobody serves", "whitehouse.example", () => {}],
    ["is an honest server's", "mastodon.sandbox.example", () => {}],
    [
      "is an honest server's, which has such an account",
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
    ["is no domain", "whitehouse.example/@potus", () => {}],
    ["hides another", "whitehouse.example#", () => {}],
    ["is a word", "whitehouse", () => {}],
  ])("is its server's own where the domain %s", async (_, claimed, prepare) => {
    rest.sandbox.mastodon.changeInstance({ domain: claimed }, host);
    prepare();
    expect(await offered()).toEqual([`alice@${host}`]);
    const profile = await connectAlice();
    expect([profile.handle, await checked(profile)]).toEqual([`alice@${host}`, `alice@${host}`]);
  });

  it.each<[string, FaultKind]>([
    ["silent", { kind: "hang" }],
    ["busy", { kind: "refuse", answer: { status: 503 } }],
    ["asking for fewer requests", { kind: "refuse", answer: { status: 429, headers: { "retry-after": "3600" } } }],
    ["a page", { kind: "refuse", answer: { status: 200, text: "<html>" } }],
    ["long", { kind: "huge_body", bytes: 5_000_000 }],
    [
      "sending in circles",
      { kind: "refuse", answer: { status: 301, headers: { location: "/.well-known/webfinger" } } },
    ],
    ["sending to no address", { kind: "refuse", answer: { status: 302, headers: { location: "http://[" } } }],
    [
      "sending to where there is no TLS",
      { kind: "refuse", answer: { status: 302, headers: { location: `http://${host}/` } } },
    ],
  ])("is its server's own where the domain is %s, and the account is connected soon", async (_, fault) => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host });
    rest.sandbox.mastodon.faults.add({ ...fault, operation: lookUp, times: 99 });
    const before = rest.clock.now();
    const profile = await connectAlice();
    expect([profile.handle, profile.status]).toEqual([`alice@${host}`, "connected"]);
    expect(rest.clock.now() - before).toBeLessThanOrEqual(5_000);
  });

  it("stays confirmed while its domain does not answer, and no longer than it is confirmed", async () => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host });
    const profile = await connectAlice();
    rest.sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 503 }, operation: lookUp, times: 99 });
    expect(await checked(profile)).toBe(`alice@${domain}`);
    rest.sandbox.mastodon.faults.clear();
    rest.sandbox.mastodon.faults.add({ kind: "refuse", answer: { status: 404 }, operation: lookUp, times: 99 });
    expect(await checked(profile)).toBe(`alice@${host}`);
  });

  it("is not believed while the domain does not answer because a former check believed another", async () => {
    rest.sandbox.mastodon.changeInstance({ domain }, host);
    rest.sandbox.mastodon.addDomain({ domain, instance: host });
    const profile = await connectAlice();
    rest.sandbox.mastodon.changeInstance({ domain: "whitehouse.example" }, host);
    expect(await checked(profile)).toBe(`alice@${host}`);
  });

  it.each(["potus@whitehouse.example", "potus@whitehouse.example ", "a b", "a/b", "\u202ealice"])(
    "is none where its server calls the account %j",
    async (username) => {
      const { instance, access_token } = rest.sandbox.mastodon.addAccount({ username, instance: host });
      const credentials = { instance, access_token };
      const profile = await rest.clock.run(() => rest.social.profiles.connect({ network: "mastodon", credentials }));
      expect(profile.handle).toBeNull();
    },
  );

  it.each([
    ["its server's", `https://${host}/@alice`, `https://${host}/@alice`],
    ["its confirmed domain's", `https://${domain}/@alice`, `https://${domain}/@alice`],
    ["anybody else's", "https://whitehouse.example/@potus", null],
    ["no page", "whitehouse", null],
  ])("stands beside the address of a page that is %s", async (_, url, wanted) => {
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

  it("is asked for without the account's token", async () => {
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
    ["a domain that is nobody's handle", "whitehouse.example"],
    ["somebody else's handle", "bob.sandbox.example"],
    ["the name of no handle", "handle.invalid"],
    ["no name at all", "White House"],
  ])("is none where its own server claims %s", async (_, claimed) => {
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

  it("is none in the accounts that a login offers, and in what becomes of it", async () => {
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

  it("is its own where it is looked up and found: by password, by login, and when it is checked", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    const check = (): Promise<Profile> => bench.social.profiles.check(profile.id);
    expect([profile.handle, (await bench.clock.run(check)).handle]).toEqual([alice, alice]);
    const { did } = bench.sandbox.bluesky.addAccount({ handle: "carol.example", domain: "carol.example" });
    const carol = await bench.logIn("carol.example");
    expect(carol).toMatchObject({ external_id: did, handle: "carol.example" });
  });

  it("is confirmed as long as nobody can be asked, and no longer", async () => {
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

  it("is looked up without the account's token, which is its own server's to see", async () => {
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

  it("does not keep anybody from connecting who cannot be asked about", async () => {
    rest = await createRest({ networks: testNetworks() });
    const { bluesky } = rest.sandbox;
    const { did, password } = bluesky.addAccount({ handle: alice });
    bluesky.faults.add({ kind: "refuse", answer: { status: 503 }, operation: "resolveHandle", times: 99 });
    const credentials = { identifier: did, app_password: password };
    const profile = await rest.clock.run(() => rest.social.profiles.connect({ network: "bluesky", credentials }));
    expect(profile).toMatchObject({ status: "connected", handle: null });
  });
});
