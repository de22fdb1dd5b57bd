import { describe, expect, it } from "vitest";
import { twitch } from "../../../src/networks/twitch/index.ts";
import { networkContract } from "../../../src/testing/network.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { visit } from "../browser.ts";
import { failure, inspect, logIn, renew, revoke } from "../desk.ts";
import { formOf, seenOf } from "../seen.ts";
import { app, connectedBench, twitchBench } from "./bench.ts";

networkContract({ adapter: twitch({ app }), cases: [] });

const hourMs = 3_600_000;

describe("connecting a Twitch channel with existing tokens", () => {
  it("learns their channel, their app, and their scopes", async () => {
    const bench = twitchBench();
    const { external_id, ...tokens } = bench.network.addChannel("fox", { name: "The Fox" });
    const { identity, credentials } = await logIn(bench, tokens);
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

  it("reports which token is invalid", async () => {
    const bench = twitchBench();
    expect(await failure(logIn(bench, { access_token: "a-token-of-nobody" }))).toMatchObject({
      code: "reauthentication_required",
      message: expect.stringMatching(/^access_token: /),
    });
  });

  it("rejects tokens of another app", async () => {
    const bench = twitchBench();
    bench.network.addApp({ client_id: "another-app", client_secret: "x", redirect_uris: [] });
    const { external_id: _, ...tokens } = bench.network.addChannel("fox", { client_id: "another-app" });
    expect(await failure(logIn(bench, tokens))).toMatchObject({
      code: "invalid_request",
      message: "access_token: it was issued to a different app than the adapter's.",
    });
  });

  it("rejects tokens that cannot read the chat, and accepts tokens that only cannot whisper", async () => {
    const bench = twitchBench();
    const chat = ["user:read:chat", "user:write:chat", "user:bot", "channel:bot"];
    const { external_id: _, ...silent } = bench.network.addChannel("owl", { scopes: chat.slice(1) });
    expect(await failure(logIn(bench, silent))).toMatchObject({
      code: "invalid_request",
      message: "access_token: it lacks user:read:chat. Sign in again and allow them.",
    });
    const { external_id, ...tokens } = bench.network.addChannel("fox", { scopes: chat });
    expect((await logIn(bench, tokens)).identity).toMatchObject({ external_id, scopes: chat });
  });

  it("is not possible without an app", () => {
    expect(() => twitch({} as never)).toThrow(/app/);
    expect(() => twitch({ app: { client_id: "only" } as never })).toThrow(/app/);
  });
});

describe("a renewal at Twitch", () => {
  it("names the app in every request, and stores the new pair", async () => {
    const { bench, connected } = await connectedBench();
    const before = connected.secret();
    bench.network.expireTokens();
    await inspect({ bench, connected });
    const [sent] = seenOf(bench, "token");
    expect(formOf(sent)).toEqual({
      grant_type: "refresh_token",
      refresh_token: before.refresh_token,
      ...app,
    });
    expect(connected.secret().refresh_token).not.toBe(before.refresh_token);
    expect(bench.seen.at(-1)?.headers.get("client-id")).toBe(app.client_id);
  });

  it("works again for days", async () => {
    const { bench, connected } = await connectedBench();
    for (let round = 0; round < 6; round++) {
      await bench.clock.advance(5 * hourMs);
      await inspect({ bench, connected });
    }
    expect(seenOf(bench, "token")).toHaveLength(6);
  });

  it.each([
    [400, { error: "Bad Request", status: 400, message: "Invalid refresh token" }, "reauthentication_required"],
    [401, { status: 401, message: "Invalid refresh token" }, "reauthentication_required"],
    [403, { status: 403, message: "invalid client secret" }, "network_error"],
    [400, { status: 400, message: "something new" }, "network_error"],
    [400, null, "network_error"],
  ])("reads %d %j as %s: only Twitch's own words end a connection", async (status, json, code) => {
    const { bench, connected } = await connectedBench();
    bench.network.faults.add({ kind: "refuse", operation: "token", answer: { status, json } });
    const error = await failure(renew({ bench, connected }));
    expect(error).toMatchObject({ code });
  });

  it("is not possible without a refresh token, or by another app", async () => {
    const bench = twitchBench({ app: () => ({ client_id: "another", client_secret: "app" }) });
    const { access_token, refresh_token } = bench.network.addChannel("fox");
    const given: JsonObject[] = [{ access_token }, { access_token, refresh_token }];
    for (const tokens of given) {
      const connected = await bench.connect(tokens);
      const error = await failure(renew({ bench, connected }));
      expect(error).toMatchObject({ code: "reauthentication_required" });
    }
  });
});

describe("disconnecting a Twitch channel", () => {
  it("revokes only its own token", async () => {
    const { bench, connected } = await connectedBench();
    await revoke({ bench, connected });
    const [sent] = seenOf(bench, "revoke");
    expect(formOf(sent)).toEqual({
      client_id: app.client_id,
      token: connected.secret().access_token,
    });
  });
});

describe("a browser sign-in at Twitch", () => {
  /** The Fox on Twitch's page, and a click there. */
  async function visitTwitch(label: string) {
    const bench = twitchBench();
    bench.network.addChannel("fox", { name: "The Fox" });
    return { bench, ...(await visit(bench, label)) };
  }

  it("asks even signed-in users for consent, and requests all of the inbox's scopes", async () => {
    const { page } = await visitTwitch("Allow as The Fox");
    expect(page.origin + page.pathname).toBe("https://id.twitch.tv/oauth2/authorize");
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: "code",
      redirect_uri: "https://app.example.com/connect/twitch/callback",
      state: "the-state",
      force_verify: "true",
      scope: "user:read:chat user:write:chat user:bot channel:bot user:manage:whispers",
    });
  });

  it("returns one channel, whose tokens connect it and are renewed", async () => {
    const { bench, finish } = await visitTwitch("Allow as The Fox");
    const [choice] = await finish();
    expect(choice).toMatchObject({ name: "The Fox", handle: "fox" });
    const connected = await bench.connect(choice?.credentials ?? {});
    expect(connected.profile.external_id).toBe(choice?.id);
    await renew({ bench, connected });
  });

  it("names a scope that was not granted, and accepts a code once", async () => {
    const { finish } = await visitTwitch("Allow as The Fox, but not user:bot");
    expect(await failure(finish())).toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining("user:bot"),
    });
    const twice = await visitTwitch("Allow as The Fox");
    await twice.finish();
    expect(await failure(twice.finish())).toMatchObject({ reason: "login_failed" });
  });
});
