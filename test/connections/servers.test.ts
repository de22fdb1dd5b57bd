import { beforeEach, describe, expect, it } from "vitest";
import type { StartedConnection } from "../../src/connections/schema.ts";
import { createHandler } from "../../src/http/handler.ts";
import { allRows } from "../support/all-rows.ts";
import { callbackOf, click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";
import { createTestService, type TestService, testBaseUrl } from "../support/service.ts";

const instance = "mastodon.sandbox.example";

type Host = TestService & { handler: ReturnType<typeof createHandler> };

function createHost(options: Parameters<typeof createTestService>[0] = {}, basePath = ""): Host {
  const service = createTestService({ networks: loginNetworks(), ...options });
  return { ...service, handler: createHandler(service.social, { basePath }) };
}

/** Another process of the same service, with the same networks. */
function processOf({ clock, storage, sandbox }: Host, options: Parameters<typeof createTestService>[0] = {}): Host {
  const { http, untrustedHttp } = sandbox;
  return { ...createHost({ clock, storage, http, untrustedHttp, ...options }), sandbox };
}

let host: Host;

beforeEach(() => {
  host = createHost();
  host.sandbox.mastodon.addAccount({ username: "alice" });
});

function start({ clock, social }: Host, written: string = instance): Promise<StartedConnection> {
  const login = { instance: written };
  return clock.run(() => social.connections.start({ network: "mastodon", redirect_url: ownPage, login }));
}

function redirectOf({ authorization_url }: StartedConnection): string {
  return new URL(authorization_url).searchParams.get("redirect_uri") ?? "";
}

async function handlesAfter(on: Host, { connection_id }: StartedConnection, back: string): Promise<(string | null)[]> {
  const code = pageOf(await comeBack(on, back)).searchParams.get("code") ?? "";
  const { profiles } = await on.clock.run(() => on.social.connections.finish(connection_id, { code }));
  return profiles.map(({ handle }) => handle);
}

describe("the callback URL of a server", () => {
  it.each([
    ["social.example", "social.example"],
    ["@me@Social.Example", "social.example"],
    ["https://SOCIAL.example/@me", "social.example"],
    ["müller.example", "xn--mller-kva.example"],
    ["social.example:8443", "social.example:8443"],
    ["[2001:db8::1]:8443", "%5B2001:db8::1%5D:8443"],
  ])("contains the server: %s", async (written, step) => {
    const { hostname } = new URL(`https://${decodeURIComponent(step)}`);
    host.sandbox.mastodon.addInstance({ host: hostname });
    expect(redirectOf(await start(host, written))).toBe(`${testBaseUrl}/connect/mastodon/${step}/callback`);
  });

  it.each([
    ["social.example:8443", (path: string) => path.replace(":8443", "%3A8443")],
    ["[2001:db8::1]:8443", (path: string) => path.replace("%5B", "[").replace("%5D", "]")],
  ])("continues the sign-in in whatever spelling a proxy uses: %s", async (written, rewritten) => {
    const { hostname } = new URL(`https://${written}`);
    host.sandbox.mastodon.addInstance({ host: hostname });
    host.sandbox.mastodon.addAccount({ username: "bob", instance: hostname });
    const started = await start(host, written);
    const back = new URL(await click(host.sandbox, started.authorization_url, "Allow as bob"));
    const url = `${back.origin}${rewritten(back.pathname)}${back.search}`;
    expect(pageOf(await comeBack(host, url)).searchParams.get("code")).not.toBeNull();
  });

  it("is registered with the server, an app for each, and sent along with the code", async () => {
    const sent: unknown[] = [];
    const watched: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const text = await request.clone().text();
      if (request.url.endsWith("/api/v1/apps")) sent.push(JSON.parse(text).redirect_uris);
      if (request.url.endsWith("/oauth/token")) sent.push(new URLSearchParams(text).get("redirect_uri"));
      return host.sandbox.http(request);
    };
    const on = processOf(host, { http: watched, untrustedHttp: watched });
    const started = await start(on);
    const own = `${testBaseUrl}/connect/mastodon/${instance}/callback`;
    await handlesAfter(on, started, await click(on.sandbox, started.authorization_url, "Allow as alice"));
    expect(sent).toEqual([own, own, own]);
  });

  it("is the one with which the sign-in began, though the service has moved meanwhile", async () => {
    const started = await start(host);
    const moved = processOf(host, { baseUrl: "https://moved.example/social" });
    const back = await click(host.sandbox, started.authorization_url, "Allow as alice");
    expect(await handlesAfter(moved, started, back)).toEqual([`alice@${instance}`]);
  });

  it("works below a mount, too", async () => {
    const baseUrl = "https://app.example.com/our/social";
    const below = createHost({ baseUrl }, "/our/social");
    below.sandbox.mastodon.addAccount({ username: "alice" });
    const started = await start(below);
    const back = await click(below.sandbox, started.authorization_url, "Allow as alice");
    expect(await handlesAfter(below, started, back)).toEqual([`alice@${instance}`]);
  });

  it.each([
    ["another server's", (step: string) => `evil.example${step.slice(step.indexOf("/"))}`],
    ["a longer one", (step: string) => `evil.${step}`],
    ["one with a slash in it", (step: string) => `evil.example%2F${step}`],
    ["one with ..", (step: string) => `evil.example%2F..%2F${step}`],
    ["one that cannot be decoded", (step: string) => `%zz${step}`],
    ["one in capitals", (step: string) => step.replace("mastodon", "MASTODON")],
  ])("is not %s", async (_, change) => {
    const started = await start(host);
    const back = await click(host.sandbox, started.authorization_url, "Allow as alice");
    const response = await comeBack(host, back.replace(`${instance}/callback`, change(`${instance}/callback`)));
    expect(pageOf(response).searchParams.get("error")).toBe("login_failed");
  });

  it.each([
    ["with an empty segment", `mastodon//callback`, 404],
    ["with an extra segment", `mastodon/${instance}/more/callback`, 404],
    ["with escaped slashes", `mastodon%2F${instance}/callback`, 400],
  ])("is not valid %s", async (_, steps, status) => {
    const { searchParams } = new URL((await start(host)).authorization_url);
    const url = `${testBaseUrl}/connect/${steps}?code=x&state=${searchParams.get("state")}`;
    expect((await comeBack(host, url)).status).toBe(status);
    expect((await allRows(host.storage)).connections.map((row) => row.status)).toEqual(["pending"]);
  });

  it("contains no server on a network with a single one", async () => {
    const login = { as: "webhook" };
    const started = await host.clock.run(() =>
      host.social.connections.start({ network: "discord", redirect_url: ownPage, login }),
    );
    const state = new URL(started.authorization_url).searchParams.get("state");
    const url = callbackOf("discord").replace("/callback", "/discord.com/callback");
    const page = pageOf(await comeBack(host, `${url}?code=x&state=${state}`));
    expect([redirectOf(started), page.searchParams.get("error")]).toEqual([callbackOf("discord"), "login_failed"]);
  });
});
