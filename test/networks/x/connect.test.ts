import { describe, expect, it } from "vitest";
import { applyLimits } from "../../../src/networks/contract/spec.ts";
import { x } from "../../../src/networks/x/index.ts";
import { visit } from "../browser.ts";
import { failure, inspect, logIn, renew, revoke } from "../desk.ts";
import { formOf, seenOf } from "../seen.ts";
import { app, connectedBench, credentials, xBench } from "./bench.ts";

const hour = 3_600_000;

describe("connecting an X account with existing tokens", () => {
  it("learns the tokens' account", async () => {
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

  it.each(["Premium", "PremiumPlus"] as const)("gives %s longer texts and videos", async (plan) => {
    const { bench, connected } = await connectedBench({ plan });
    const spec = applyLimits(bench.adapter.spec, connected.profile.limits);
    expect(spec.text).toEqual({ max: 25_000, unit: "weighted", url_length: 23 });
    const video = spec.media.types.find(({ mime }) => mime === "video/mp4");
    expect(video).toMatchObject({ max_bytes: 16_000_000_000, max_seconds: 7_500, max_fps: 60 });
    expect(spec.media.max_items).toBe(4);
  });

  it("gives Basic the default limits", async () => {
    const { connected } = await connectedBench({ plan: "Basic" });
    expect(connected.profile.limits).toEqual({});
  });

  it("renews an expired token before any other request", async () => {
    const bench = xBench();
    const given = credentials(bench);
    bench.network.expireTokens();
    const { credentials: kept } = await logIn(bench, given);
    expect(kept.secret).toMatchObject({ client_id: app.client_id });
    expect(kept.secret.refresh_token).not.toBe(given.refresh_token);
    expect(kept.expires_at).toBe(bench.clock.now() + 2 * hour);
    expect(kept.refresh_at).toBe(bench.clock.now() + 90 * 24 * hour);
  });

  it("does not send an access token whose known expiry has passed", async () => {
    const bench = xBench();
    await logIn(bench, { ...credentials(bench), expires_at: "2020-01-01T00:00:00Z" });
    expect(bench.seen.map(({ operation }) => operation)).toEqual(["token", "me"]);
  });

  it("reports an invalid refresh token", async () => {
    const bench = xBench();
    const given = credentials(bench);
    bench.network.revoke(bench.network.addAccount({ username: "bob" }).external_id);
    await logIn(bench, { ...given, access_token: "wrong" });
    expect(await failure(logIn(bench, { ...given, access_token: "wrong" }))).toMatchObject({
      code: "reauthentication_required",
      message: expect.stringMatching(/^refresh_token: /),
    });
  });

  it("names a scope that the tokens lack", async () => {
    const bench = xBench();
    const scopes = ["tweet.read", "tweet.write", "users.read"];
    expect(await failure(logIn(bench, { ...credentials(bench), scopes }))).toMatchObject({
      code: "invalid_request",
      message: "scopes: the tokens lack media.write. Sign in again and allow them.",
    });
  });

  it("names a scope that a renewed token lacks", async () => {
    const bench = xBench();
    const given = credentials(bench, { scopes: ["tweet.read", "tweet.write", "users.read", "offline.access"] });
    bench.network.expireTokens();
    expect(await failure(logIn(bench, given))).toMatchObject({ message: expect.stringContaining("media.write") });
  });

  it("asks which app a refresh token came from", async () => {
    const bench = xBench({});
    const { client_id: _, ...given } = credentials(bench);
    expect(await failure(logIn(bench, given))).toMatchObject({ message: expect.stringMatching(/^client_id: /) });
  });
});

describe("a renewal at X", () => {
  it("sends the app's secret in a header, and stores the new pair", async () => {
    const { bench, connected } = await connectedBench();
    const before = connected.secret();
    bench.network.expireTokens();
    await inspect({ bench, connected });
    const [sent] = seenOf(bench, "token");
    expect(sent?.headers.get("authorization")).toBe(`Basic ${btoa("sandbox-app:sandbox-secret")}`);
    expect(formOf(sent)).toEqual({
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
      await inspect({ bench, connected });
    }
    expect(used.size).toBe(4);
  });

  it("sends only the id for an app without a secret", async () => {
    const bench = xBench({});
    bench.network.addApp({ client_id: "public-app", client_secret: "", redirect_uris: [] });
    const connected = await bench.connect({ ...credentials(bench), client_id: "public-app" });
    const answer = await failure(renew({ bench, connected }));
    const [sent] = seenOf(bench, "token");
    expect(sent?.headers.has("authorization")).toBe(false);
    expect(formOf(sent).client_id).toBe("public-app");
    // The token belonged to another app.
    expect(answer).toMatchObject({ code: "reauthentication_required" });
  });

  it("finds the app for the service's account", async () => {
    const asked: string[] = [];
    const bench = xBench({
      app: (accountId) => {
        asked.push(accountId);
        return app;
      },
    });
    const connected = await bench.connect(credentials(bench));
    await renew({ bench, connected });
    expect(asked).toEqual(["default"]);
  });
});

describe("disconnecting an X account", () => {
  it("revokes the tokens of the host's own app", async () => {
    const { bench, connected } = await connectedBench();
    await revoke({ bench, connected });
    expect(seenOf(bench, "revoke")).toHaveLength(2);
    const error = await failure(inspect({ bench, connected }));
    expect(error).toMatchObject({ code: "reauthentication_required" });
  });

  it("does not revoke those of another app, which may be in use elsewhere", async () => {
    const bench = xBench();
    const connected = await bench.connect({ ...credentials(bench), client_id: "another-app" });
    await revoke({ bench, connected });
    expect(bench.seen.map(({ operation }) => operation)).not.toContain("revoke");
    expect(xBench({}).adapter.connect.revoke).toBeUndefined();
  });
});

describe("a browser sign-in at X", () => {
  /** Alice on X's page, and a click there. */
  async function visitX(label: string) {
    const bench = xBench();
    bench.network.addAccount({ username: "alice", name: "Alice" });
    return { bench, ...(await visit(bench, label)) };
  }

  it("requests the scopes for publishing, and binds the code to its requester", async () => {
    const { page } = await visitX("Allow as alice");
    expect(page.origin + page.pathname).toBe("https://x.com/i/oauth2/authorize");
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: "code",
      client_id: app.client_id,
      redirect_uri: "https://app.example.com/connect/x/callback",
      state: "the-state",
      scope: "tweet.read tweet.write users.read media.write offline.access",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  it("returns one account, whose tokens connect it and are renewed", async () => {
    const { bench, concealed, finish } = await visitX("Allow as alice");
    const choices = await finish();
    expect(choices).toMatchObject([{ name: "Alice", handle: "alice" }]);
    const [choice] = choices;
    const connected = await bench.connect(choice?.credentials ?? {});
    expect(connected.profile).toMatchObject({ external_id: choice?.id, handle: "alice" });
    expect(connected.secret()).toMatchObject({ client_id: app.client_id });
    expect(JSON.stringify(concealed)).toContain(String(connected.secret().refresh_token));
    await renew({ bench, connected });
  });

  it.each(["media.write", "offline.access"])("names %s if the user did not grant it", async (scope) => {
    const { finish } = await visitX(`Allow as alice, but not ${scope}`);
    expect(await failure(finish())).toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining(scope),
    });
  });

  it("fails after 30 seconds, and works only once", async () => {
    const late = await visitX("Allow as alice");
    await late.bench.clock.advance(31_000);
    expect(await failure(late.finish())).toMatchObject({ reason: "login_failed" });
    const twice = await visitX("Allow as alice");
    await twice.finish();
    expect(await failure(twice.finish())).toMatchObject({ reason: "login_failed" });
  });

  it("requests the inbox's scopes if the host wants an inbox", () => {
    expect(() => x({ app, scopes: [] as never })).toThrow();
    expect(x({ app, scopes: ["publish", "inbox"] }).connect.browser).toBeDefined();
  });

  it("needs an app", () => {
    expect(x().connect.browser).toBeUndefined();
    expect(() => x({ app: { client_id: "only" } as never })).toThrow();
  });
});
