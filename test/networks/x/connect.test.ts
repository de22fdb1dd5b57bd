import { describe, expect, it } from "vitest";
import type { BrowserLoginContext, LoginReturn } from "../../../src/networks/contract/browser-login.ts";
import { applyLimits } from "../../../src/networks/contract/spec.ts";
import { x } from "../../../src/networks/x/index.ts";
import { formBody } from "../../../src/sandbox/exchange.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { click } from "../../support/login.ts";
import { app, connectedBench, credentials, type XBench, xBench } from "./bench.ts";

const hour = 3_600_000;

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function login(bench: XBench, given: JsonObject) {
  return bench.run(() => bench.adapter.connect.login(bench.login, given));
}

describe("connecting an account of X with tokens that are there already", () => {
  it("finds out whose they are", async () => {
    const bench = xBench();
    const made = bench.network.addAccount({ username: "alice", name: "Alice" });
    const { profile } = await bench.connect({ access_token: made.access_token });
    expect(profile).toMatchObject({
      external_id: made.external_id,
      handle: "alice",
      url: "https://x.com/alice",
      limits: {},
      account_facts: { subscription_type: "None", scopes: null },
    });
    expect(Number(made.external_id)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  });

  it.each(["Premium", "PremiumPlus"] as const)("gives %s longer texts and films", async (plan) => {
    const { bench, connected } = await connectedBench({ plan });
    const spec = applyLimits(bench.adapter.spec, connected.profile.limits);
    expect(spec.text).toEqual({ max: 25_000, unit: "weighted", url_length: 23 });
    const film = spec.media.types.find(({ mime }) => mime === "video/mp4");
    expect(film).toMatchObject({ max_bytes: 16_000_000_000, max_seconds: 7_500, max_fps: 60 });
    expect(spec.media.max_items).toBe(4);
  });

  it("gives Basic what all have", async () => {
    const { connected } = await connectedBench({ plan: "Basic" });
    expect(connected.profile.limits).toEqual({});
  });

  it("renews what has run out, before anything else", async () => {
    const bench = xBench();
    const given = credentials(bench);
    bench.network.expireTokens();
    const { credentials: kept } = await login(bench, given);
    expect(kept.secret).toMatchObject({ client_id: app.client_id });
    expect(kept.secret.refresh_token).not.toBe(given.refresh_token);
    expect(kept.expires_at).toBe(bench.clock.now() + 2 * hour);
    expect(kept.refresh_at).toBe(bench.clock.now() + 90 * 24 * hour);
  });

  it("does not try an access token that says that it has run out", async () => {
    const bench = xBench();
    await login(bench, { ...credentials(bench), expires_at: "2020-01-01T00:00:00Z" });
    expect(bench.seen.map(({ operation }) => operation)).toEqual(["token", "me"]);
  });

  it("says which token is dead", async () => {
    const bench = xBench();
    const given = credentials(bench);
    bench.network.revoke(bench.network.addAccount({ username: "bob" }).external_id);
    expect(await failure(login(bench, { access_token: "wrong" }))).toMatchObject({
      code: "reauthentication_required",
      message: expect.stringMatching(/^access_token: /),
    });
    await login(bench, { ...given, access_token: "wrong" });
    expect(await failure(login(bench, { ...given, access_token: "wrong" }))).toMatchObject({
      code: "reauthentication_required",
      message: expect.stringMatching(/^refresh_token: /),
    });
  });

  it("names a scope that the tokens lack", async () => {
    const bench = xBench();
    const scopes = ["tweet.read", "tweet.write", "users.read"];
    expect(await failure(login(bench, { ...credentials(bench), scopes }))).toMatchObject({
      code: "invalid_request",
      message: "scopes: the tokens lack media.write: log in again and allow them.",
    });
  });

  it("names a scope that a renewed token lacks", async () => {
    const bench = xBench();
    const given = credentials(bench, { scopes: ["tweet.read", "tweet.write", "users.read", "offline.access"] });
    bench.network.expireTokens();
    expect(await failure(login(bench, given))).toMatchObject({ message: expect.stringContaining("media.write") });
  });

  it("wants to know which app a refresh token came from", async () => {
    const bench = xBench({});
    const { client_id: _, ...given } = credentials(bench);
    expect(await failure(login(bench, given))).toMatchObject({ message: expect.stringMatching(/^client_id: /) });
  });
});

describe("renewing a login at X", () => {
  it("shows the app's secret in a header, and stores the new pair", async () => {
    const { bench, connected } = await connectedBench();
    const before = connected.secret();
    bench.network.expireTokens();
    await bench.run(() => bench.adapter.connect.inspect(connected.context));
    const [sent] = bench.seen.filter(({ operation }) => operation === "token");
    expect(sent?.headers.get("authorization")).toBe(`Basic ${btoa("sandbox-app:sandbox-secret")}`);
    expect(sent && Object.fromEntries((await formBody(sent)) ?? [])).toEqual({
      grant_type: "refresh_token",
      refresh_token: before.refresh_token,
    });
    expect(connected.secret().refresh_token).not.toBe(before.refresh_token);
  });

  it("uses each refresh token once, again and again", async () => {
    const { bench, connected } = await connectedBench();
    const used = new Set<unknown>();
    for (let round = 0; round < 4; round++) {
      used.add(connected.secret().refresh_token);
      await bench.clock.advance(3 * hour);
      await bench.run(() => bench.adapter.connect.inspect(connected.context));
    }
    expect(used.size).toBe(4);
  });

  it("keeps the refresh token that it has where no new one comes", async () => {
    const { bench, connected } = await connectedBench();
    const { refresh_token } = connected.secret();
    for (const empty of [{}, { refresh_token: "" }, { refresh_token: null }]) {
      const json = { access_token: "newer", expires_in: 7200, token_type: "bearer", ...empty };
      bench.network.faults.add({ kind: "refuse", operation: "token", answer: { status: 200, json } });
      const renewed = await bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
      expect(renewed?.secret).toMatchObject({ access_token: "newer", refresh_token });
    }
  });

  it("asks an app without a secret for its id alone", async () => {
    const bench = xBench({});
    bench.network.addApp({ client_id: "public-app", client_secret: "", redirect_uris: [] });
    const connected = await bench.connect({ ...credentials(bench), client_id: "public-app" });
    const answer = await failure(bench.run(async () => bench.adapter.connect.refresh?.(connected.context)));
    const [sent] = bench.seen.filter(({ operation }) => operation === "token");
    expect(sent?.headers.has("authorization")).toBe(false);
    expect(sent && (await formBody(sent))?.get("client_id")).toBe("public-app");
    // The token was another app's.
    expect(answer).toMatchObject({ code: "reauthentication_required" });
  });

  it.each([
    [400, { error: "invalid_grant" }, "reauthentication_required"],
    [401, { error: "invalid_client" }, "network_error"],
    [400, { error: "temporarily_unavailable" }, "network_error"],
    [400, null, "network_error"],
  ])("takes %d %j for %s: only X's own word says that a login is dead", async (status, json, code) => {
    const { bench, connected } = await connectedBench();
    bench.network.faults.add({ kind: "refuse", operation: "token", answer: { status, json } });
    const error = await failure(bench.run(async () => bench.adapter.connect.refresh?.(connected.context)));
    expect(error).toMatchObject({ code });
  });

  it("is not possible without a refresh token", async () => {
    const bench = xBench();
    const { access_token } = bench.network.addAccount({ username: "alice" });
    const connected = await bench.connect({ access_token });
    const error = await failure(bench.run(async () => bench.adapter.connect.refresh?.(connected.context)));
    expect(error).toMatchObject({ code: "reauthentication_required" });
  });

  it("finds the app for the account of the service", async () => {
    const asked: string[] = [];
    const bench = xBench({
      app: (accountId) => {
        asked.push(accountId);
        return app;
      },
    });
    const connected = await bench.connect(credentials(bench));
    await bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    expect(asked).toEqual(["default"]);
  });
});

describe("disconnecting an account of X", () => {
  it("takes back the tokens of the host's own app", async () => {
    const { bench, connected } = await connectedBench();
    await bench.run(async () => bench.adapter.connect.revoke?.(connected.context));
    expect(bench.seen.filter(({ operation }) => operation === "revoke")).toHaveLength(2);
    const error = await failure(bench.run(() => bench.adapter.connect.inspect(connected.context)));
    expect(error).toMatchObject({ code: "reauthentication_required" });
  });

  it("leaves those of another app alone, for they may be in use elsewhere", async () => {
    const bench = xBench();
    const connected = await bench.connect({ ...credentials(bench), client_id: "another-app" });
    await bench.run(async () => bench.adapter.connect.revoke?.(connected.context));
    expect(bench.seen.map(({ operation }) => operation)).not.toContain("revoke");
    expect(xBench({}).adapter.connect.revoke).toBeUndefined();
  });
});

describe("a login in the browser at X", () => {
  const redirectUri = "https://app.example.com/connect/x/callback";

  function contextOf(bench: XBench, concealed: unknown[] = []): BrowserLoginContext {
    return {
      ...bench.login,
      accountId: "default",
      redirectUri,
      state: "the-state",
      randomBytes: (length) => new Uint8Array(length).fill(7),
      conceal: (answer) => void concealed.push(answer),
      apps: {
        get: () => Promise.reject(new Error("X registers no apps.")),
        forget: async () => undefined,
      },
    };
  }

  interface Walked {
    bench: XBench;
    back: LoginReturn;
    page: URL;
  }

  /** To X's page, a click there, and back. */
  async function walk(label: string): Promise<Walked> {
    const bench = xBench();
    bench.network.addAccount({ username: "alice", name: "Alice" });
    const { url, keep } = await bench.run(async () => browserOf(bench).begin(contextOf(bench), {}));
    const http = async (input: unknown): Promise<Response> => {
      const answer = await bench.network.answer({
        method: "GET",
        url: new URL(String(input)),
        headers: new Headers(),
        bytes: new Uint8Array(),
      });
      return new Response(answer.text ?? null, { status: answer.status, headers: answer.headers ?? {} });
    };
    const returned = new URL(await click({ http: http as typeof fetch }, url, label));
    return { bench, page: new URL(url), back: { parameters: Object.fromEntries(returned.searchParams), keep } };
  }

  function browserOf({ adapter }: XBench) {
    const { browser } = adapter.connect;
    if (browser === undefined) throw new Error("no login in the browser");
    return browser;
  }

  const finish = ({ bench, back }: Walked, concealed: unknown[] = []) =>
    bench.run(async () => browserOf(bench).finish(contextOf(bench, concealed), back));

  it("asks for what publishing needs, and ties the code to who asked for it", async () => {
    const { page } = await walk("Allow as alice");
    expect(page.origin + page.pathname).toBe("https://x.com/i/oauth2/authorize");
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: "code",
      client_id: app.client_id,
      redirect_uri: redirectUri,
      state: "the-state",
      scope: "tweet.read tweet.write users.read media.write offline.access",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  it("reaches one account, whose tokens connect it and are renewed", async () => {
    const walked = await walk("Allow as alice");
    const concealed: unknown[] = [];
    const choices = await finish(walked, concealed);
    expect(choices).toMatchObject([{ name: "Alice", handle: "alice" }]);
    const [choice] = choices;
    const connected = await walked.bench.connect(choice?.credentials ?? {});
    expect(connected.profile).toMatchObject({ external_id: choice?.id, handle: "alice" });
    expect(connected.secret()).toMatchObject({ client_id: app.client_id });
    expect(JSON.stringify(concealed)).toContain(String(connected.secret().refresh_token));
    await walked.bench.run(async () => walked.bench.adapter.connect.refresh?.(connected.context));
  });

  it.each(["media.write", "offline.access"])("names %s where it was not allowed", async (scope) => {
    const walked = await walk(`Allow as alice, but not ${scope}`);
    expect(await failure(finish(walked))).toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining(scope),
    });
  });

  it("is too late after 30 seconds, and not possible twice", async () => {
    const late = await walk("Allow as alice");
    await late.bench.clock.advance(31_000);
    expect(await failure(finish(late))).toMatchObject({ reason: "login_failed" });
    const twice = await walk("Allow as alice");
    await finish(twice);
    expect(await failure(finish(twice))).toMatchObject({ reason: "login_failed" });
  });

  it("asks for what an inbox needs where the host wants one", () => {
    expect(() => x({ app, scopes: [] as never })).toThrow();
    expect(x({ app, scopes: ["publish", "inbox"] }).connect.browser).toBeDefined();
  });

  it("is there only with an app", () => {
    expect(x().connect.browser).toBeUndefined();
    expect(() => x({ app: { client_id: "only" } as never })).toThrow();
  });
});
