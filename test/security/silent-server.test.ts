import { beforeEach, describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { blueskyWithLogin } from "../networks/bluesky/app.ts";
import { failureOf } from "../support/failure.ts";
import { click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";
import { createTestService } from "../support/service.ts";

/** The responses of servers whose URL a user gave; null: the simulated ones. */
let given: ((input: Parameters<typeof fetch>[0]) => Promise<Response> | null) | null;
let service: ReturnType<typeof open>;

const silent = (): Promise<Response> => new Promise(() => undefined);

function open() {
  const plain = createTestService();
  const untrustedHttp: typeof fetch = (input, init) => given?.(input) ?? plain.sandbox.untrustedHttp(input, init);
  const { sandbox, clock } = plain;
  const networks = [...loginNetworks(), blueskyWithLogin()];
  const { social, storage } = createTestService({ clock, http: sandbox.http, untrustedHttp, networks });
  return { sandbox, clock, social, storage, handler: createHandler(social) };
}

beforeEach(() => {
  given = null;
  service = open();
  service.sandbox.bluesky.addAccount({ handle: identifier });
  service.sandbox.bluesky.move(identifier, "pds.silent.example");
});

/** How long a call takes, virtual seconds, and its error. */
async function timed(call: () => Promise<unknown>): Promise<{ seconds: number; message: string }> {
  const before = service.clock.now();
  const error = await failureOf(service.clock.run(call));
  return { seconds: (service.clock.now() - before) / 1_000, message: error.message };
}

const connect = (network: string, credentials: object) => () =>
  service.social.profiles.connect({ network, credentials } as never);
const start = (network: string, login: object) => () =>
  service.social.connections.start({ network, redirect_url: ownPage, login } as never);

const instance = "mastodon.sandbox.example";
/** An account that lives on such a server. */
const identifier = "alice.sandbox.example";

describe("a server that never responds", () => {
  it.each([
    ["Mastodon's, with a token", () => connect("mastodon", { instance, access_token: "x".repeat(43) })],
    ["Mastodon's, with a sign-in in the browser", () => start("mastodon", { instance })],
    ["the server of a Bluesky handle", () => connect("bluesky", { identifier, app_password: "abcd-efgh-ijkl-mnop" })],
    ["the server of a Bluesky handle, with a sign-in in the browser", () => start("bluesky", { handle: identifier })],
    ["the server of a did:web", () => start("bluesky", { handle: "did:web:silent.example" })],
    ["a PDS given by URL", () => start("bluesky", { handle: "https://silent.example" })],
    [
      "a PDS given by URL, with a password",
      () => connect("bluesky", { identifier: "a@b.example", app_password: "a", service: "https://silent.example" }),
    ],
  ])("is waited for at most 15 s in all, and named: %s", async (_, call) => {
    given = silent;
    const { seconds, message } = await timed(call());
    expect(seconds).toBeLessThanOrEqual(15);
    expect(message).toMatch(/((pds\.)?silent\.example|mastodon\.sandbox\.example) did not respond within 15 s\./);
  });

  it("is waited for at most 15 s where its first failure is slow", async () => {
    let asked = 0;
    given = async () => {
      asked += 1;
      if (asked > 2) return silent();
      await service.clock.sleep(5_000);
      return new Response("{}", { status: 503 });
    };
    const { seconds } = await timed(connect("mastodon", { instance, access_token: "x".repeat(43) }));
    expect(seconds).toBeLessThanOrEqual(15);
    expect(asked).toBe(3);
  });

  it("is waited for at most 15 s at the callback", async () => {
    const { sandbox, clock, social, handler } = service;
    sandbox.mastodon.addAccount({ username: "alice" });
    const started = await clock.run(() =>
      social.connections.start({ network: "mastodon", redirect_url: ownPage, login: { instance } }),
    );
    const back = await click(sandbox, started.authorization_url, "Allow as alice");
    given = silent;
    const before = clock.now();
    expect(pageOf(await comeBack({ clock, handler }, back)).searchParams.get("error")).toBe("network_error");
    expect(clock.now() - before).toBeLessThanOrEqual(15_000);
  });

  it("is waited for at most 15 s at a check", async () => {
    const { sandbox, clock, social } = service;
    const { access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const profile = await clock.run(() =>
      social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
    );
    given = silent;
    const { seconds, message } = await timed(() => social.profiles.check(profile.id));
    expect(seconds).toBeLessThanOrEqual(15);
    expect(message).toContain(`${instance} did not respond within 15 s.`);
    given = null;
    expect((await clock.run(() => social.profiles.check(profile.id))).status).toBe("connected");
  });
});

it.each([
  ["the URL of its sign-in page", { client_id: "x".repeat(9_000) }],
  ["the state to be stored", { client_secret: "x".repeat(200_000) }],
])("a server that makes %s too long starts no sign-in, and nothing is stored", async (_, more) => {
  const { sandbox, social, storage, clock } = service;
  given = (input) => {
    if (!String(input).endsWith("/api/v1/apps")) return null;
    return Promise.resolve(Response.json({ client_id: "id", client_secret: "secret", ...more }));
  };
  sandbox.mastodon.addAccount({ username: "alice" });
  const error = await failureOf(clock.run(start("mastodon", { instance })));
  expect(error).toMatchObject({ code: expect.stringMatching(/invalid_request|publish_failed/) });
  for (const collection of ["connections", "apps"] as const)
    expect((await storage.find(collection, { where: {} })).rows).toEqual([]);
  expect(social).toBeDefined();
});

it("a sign-in page's URL of more than 8 KB is rejected, with its length", async () => {
  const { sandbox, clock } = service;
  sandbox.mastodon.addAccount({ username: "alice" });
  const [, mastodon] = loginNetworks();
  const browser = mastodon.connect.browser;
  if (browser === undefined) throw new Error("Mastodon has a login in the browser.");
  const long = async () => ({ url: `https://a.example/?${"x".repeat(8_200)}`, keep: {} });
  const adapter = { ...mastodon, connect: { ...mastodon.connect, browser: { ...browser, begin: long } } };
  const { social, storage } = createTestService({ clock, http: sandbox.http, networks: [adapter] });
  const call = () => social.connections.start({ network: "mastodon", redirect_url: ownPage, login: { instance } });
  expect(await failureOf(clock.run(call))).toMatchObject({
    code: "invalid_request",
    details: [{ field: "login", message: expect.stringContaining("8219 bytes; at most 8192 are accepted") }],
  });
  expect((await storage.find("connections", { where: {} })).rows).toEqual([]);
});
