import { describe, expect, it } from "vitest";
import type { BrowserLoginContext } from "../../../src/networks/contract/browser-login.ts";
import { twitch } from "../../../src/networks/twitch/index.ts";
import { formBody } from "../../../src/sandbox/exchange.ts";
import { sandboxApp } from "../../../src/sandbox/twitch/logins.ts";
import { networkContract } from "../../../src/testing/network.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { click } from "../../support/login.ts";
import { app, connectedBench, type TwitchBench, twitchBench } from "./bench.ts";

networkContract({ adapter: twitch({ app }), cases: [] });

const hourMs = 3_600_000;

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function login(bench: TwitchBench, given: JsonObject) {
  return bench.run(() => bench.adapter.connect.login(bench.login, given));
}

describe("connecting a Twitch channel with tokens that are there already", () => {
  it("finds out whose they are, from which app, and what they allow", async () => {
    const bench = twitchBench();
    const { external_id, ...tokens } = bench.network.addChannel("fox", { name: "The Fox" });
    const { identity, credentials } = await login(bench, tokens);
    expect(identity).toMatchObject({
      external_id,
      name: "The Fox",
      handle: "fox",
      app: app.client_id,
      url: "https://www.twitch.tv/fox",
      scopes: expect.arrayContaining(["user:read:chat", "user:manage:whispers"]),
    });
    expect(credentials.expires_at).toBe(bench.clock.now() + 14_124_000);
  });

  it("says which token is dead", async () => {
    const bench = twitchBench();
    expect(await failure(login(bench, { access_token: "a-token-of-nobody" }))).toMatchObject({
      code: "reauthentication_required",
      message: expect.stringMatching(/^access_token: /),
    });
  });

  it("refuses tokens of another app", async () => {
    const bench = twitchBench();
    bench.network.addApp({ client_id: "another-app", client_secret: "x", redirect_uris: [] });
    const { external_id: _, ...tokens } = bench.network.addChannel("fox", { client_id: "another-app" });
    expect(await failure(login(bench, tokens))).toMatchObject({
      code: "invalid_request",
      message: "access_token: it was issued to a different app than the adapter's.",
    });
  });

  it("cannot be done without an app", () => {
    expect(() => twitch({} as never)).toThrow(/app/);
    expect(() => twitch({ app: { client_id: "only" } as never })).toThrow(/app/);
  });
});

describe("renewing a login at Twitch", () => {
  it("names the app with every request, and stores the new pair", async () => {
    const { bench, connected } = await connectedBench();
    const before = connected.secret();
    bench.network.expireTokens();
    await bench.run(() => bench.adapter.connect.inspect(connected.context));
    const [sent] = bench.seen.filter(({ operation }) => operation === "token");
    expect(sent && Object.fromEntries((await formBody(sent)) ?? [])).toEqual({
      grant_type: "refresh_token",
      refresh_token: before.refresh_token,
      ...app,
    });
    expect(connected.secret().refresh_token).not.toBe(before.refresh_token);
    expect(bench.seen.at(-1)?.headers.get("client-id")).toBe(app.client_id);
  });

  it("goes on for days", async () => {
    const { bench, connected } = await connectedBench();
    for (let round = 0; round < 6; round++) {
      await bench.clock.advance(5 * hourMs);
      await bench.run(() => bench.adapter.connect.inspect(connected.context));
    }
    expect(bench.seen.filter(({ operation }) => operation === "token")).toHaveLength(6);
  });

  it.each([
    [400, { error: "Bad Request", status: 400, message: "Invalid refresh token" }, "reauthentication_required"],
    [401, { status: 401, message: "Invalid refresh token" }, "reauthentication_required"],
    [403, { status: 403, message: "invalid client secret" }, "network_error"],
    [400, { status: 400, message: "something new" }, "network_error"],
    [400, null, "network_error"],
  ])("takes %d %j for %s: only Twitch's own words say that a login is dead", async (status, json, code) => {
    const { bench, connected } = await connectedBench();
    bench.network.faults.add({ kind: "refuse", operation: "token", answer: { status, json } });
    const error = await failure(bench.run(async () => bench.adapter.connect.refresh?.(connected.context)));
    expect(error).toMatchObject({ code });
  });

  it("is not possible without a refresh token, or by another app", async () => {
    const bench = twitchBench({ app: () => ({ client_id: "another", client_secret: "app" }) });
    const { access_token, refresh_token } = bench.network.addChannel("fox");
    const given: JsonObject[] = [{ access_token }, { access_token, refresh_token }];
    for (const tokens of given) {
      const connected = await bench.connect(tokens);
      const error = await failure(bench.run(async () => bench.adapter.connect.refresh?.(connected.context)));
      expect(error).toMatchObject({ code: "reauthentication_required" });
    }
  });
});

describe("disconnecting a Twitch channel", () => {
  it("takes back its token alone", async () => {
    const { bench, connected } = await connectedBench();
    await bench.run(async () => bench.adapter.connect.revoke?.(connected.context));
    const [sent] = bench.seen.filter(({ operation }) => operation === "revoke");
    expect(sent && Object.fromEntries((await formBody(sent)) ?? [])).toEqual({
      client_id: app.client_id,
      token: connected.secret().access_token,
    });
  });
});

describe("a login in the browser at Twitch", () => {
  const redirectUri = sandboxApp.redirect_uris[0] ?? "";

  function contextOf(bench: TwitchBench): BrowserLoginContext {
    return {
      ...bench.login,
      accountId: "default",
      redirectUri,
      state: "the-state",
      randomBytes: (length) => new Uint8Array(length).fill(7),
      conceal: () => undefined,
      apps: { get: () => Promise.reject(new Error("Twitch registers no apps.")), forget: async () => undefined },
    };
  }

  /** To Twitch's page, a click there, and back. */
  async function walk(label: string) {
    const bench = twitchBench();
    bench.network.addChannel("fox", { name: "The Fox" });
    const { browser } = bench.adapter.connect;
    if (browser === undefined) throw new Error("no login in the browser");
    const { url, keep } = await bench.run(async () => browser.begin(contextOf(bench), {}));
    const http = async (input: unknown): Promise<Response> => {
      const request = { method: "GET", url: new URL(String(input)), headers: new Headers(), bytes: new Uint8Array() };
      const answer = await bench.network.answer(request);
      return new Response(answer.text ?? null, { status: answer.status, headers: answer.headers ?? {} });
    };
    const returned = new URL(await click({ http: http as typeof fetch }, url, label));
    const back = { parameters: Object.fromEntries(returned.searchParams), keep };
    return { bench, page: new URL(url), finish: () => bench.run(async () => browser.finish(contextOf(bench), back)) };
  }

  it("asks whoever is logged in all the same, and for all that the inbox needs", async () => {
    const { page } = await walk("Allow as The Fox");
    expect(page.origin + page.pathname).toBe("https://id.twitch.tv/oauth2/authorize");
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: "code",
      redirect_uri: redirectUri,
      state: "the-state",
      force_verify: "true",
      scope: "user:read:chat user:write:chat user:bot channel:bot user:manage:whispers",
    });
  });

  it("reaches one channel, whose tokens connect it and are renewed", async () => {
    const { bench, finish } = await walk("Allow as The Fox");
    const [choice] = await finish();
    expect(choice).toMatchObject({ name: "The Fox", handle: "fox" });
    const connected = await bench.connect(choice?.credentials ?? {});
    expect(connected.profile.external_id).toBe(choice?.id);
    await bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
  });

  it("names what was not allowed, and takes a code once", async () => {
    const { finish } = await walk("Allow as The Fox, but not user:bot");
    expect(await failure(finish())).toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining("user:bot"),
    });
    const twice = await walk("Allow as The Fox");
    await twice.finish();
    expect(await failure(twice.finish())).toMatchObject({ reason: "login_failed" });
  });
});
