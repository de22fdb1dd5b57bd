import { describe, expect, it } from "vitest";
import { choices } from "../../../src/networks/tiktok/choices.ts";
import { tiktok } from "../../../src/networks/tiktok/index.ts";
import { scopesAsked, visit } from "../browser.ts";
import { inspect, logIn, renew, revoke } from "../desk.ts";
import { formOf, seenOf } from "../seen.ts";
import { connectedBench, credentials, tiktokBench } from "./bench.ts";
import { adapter, app } from "./video.ts";

const every = ["user.info.basic", "user.info.profile", "video.publish", "video.upload", "video.list"];

describe("connecting with tokens", () => {
  it("learns the account, byte for byte, and checks what it may do", async () => {
    const on = tiktokBench();
    const { open_id, access_token, refresh_token } = on.network.addAccount({ maxVideoSeconds: 180 });
    const { identity, credentials: kept } = await logIn(on, { access_token, refresh_token });
    expect(open_id).toMatch(/^-000\d+_Tt-\d+$/);
    expect(identity).toMatchObject({
      external_id: open_id,
      name: "Alice",
      handle: "alice",
      url: "https://www.tiktok.com/@alice",
      scopes: ["user.info.basic", "user.info.profile", "video.publish", "video.list"],
      account_facts: { scopes_are_whole: false, max_video_seconds: 180 },
    });
    expect(kept).toEqual({
      secret: { access_token, refresh_token },
      expires_at: null,
      refresh_at: on.clock.now() + 30 * 86_400_000,
    });
    expect(JSON.stringify(identity)).not.toContain(access_token);
  });

  it("requests no field of a missing scope, and still learns the account's name", async () => {
    const on = tiktokBench();
    const scopes = ["user.info.basic", "video.publish"];
    const { identity } = await logIn(on, { ...credentials(on, { scopes }), scopes });
    expect(identity).toMatchObject({ handle: "alice", account_facts: { scopes, scopes_are_whole: true } });
  });

  it.each([
    [["user.info.basic", "video.upload"], /video\.publish/],
    [["video.publish"], /user\.info\.basic/],
  ])("names the scope that is missing beside %j", async (scopes, words) => {
    const on = tiktokBench();
    const refused = { code: "invalid_request", message: expect.stringMatching(words) };
    await expect(logIn(on, credentials(on, { scopes }))).rejects.toMatchObject(refused);
    await expect(logIn(on, { ...credentials(on, { scopes }), scopes })).rejects.toMatchObject(refused);
  });

  it("connects an account that cannot post today", async () => {
    const on = tiktokBench();
    on.network.change({ postsPerDay: 0 });
    const { identity } = await logIn(on, credentials(on));
    expect(identity).toMatchObject({ handle: "alice", account_facts: { max_video_seconds: null } });
  });
});

describe("an expiring TikTok connection", () => {
  it("is renewed, and the new refresh token replaces the used one", async () => {
    const desk = await connectedBench();
    const { bench: on, connected } = desk;
    const before = connected.secret();
    on.network.expireTokens();
    await inspect(desk);
    expect(connected.secret().refresh_token).not.toBe(before.refresh_token);
    on.network.expireTokens();
    await inspect(desk);
    expect(on.network.wasLockedOut(connected.profile.external_id)).toBe(false);
    const [sent] = seenOf(on, "token");
    expect(sent?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect(formOf(sent)).toEqual({
      ...app,
      grant_type: "refresh_token",
      refresh_token: before.refresh_token,
    });
  });

  it("is renewed long before TikTok's announced end of the refresh token", async () => {
    const desk = await connectedBench();
    const renewed = await renew(desk);
    const now = desk.bench.clock.now();
    expect(renewed).toMatchObject({ expires_at: now + 7_200_000, refresh_at: now + 90 * 86_400_000 });
  });

  it.each([false, true])("ends only when its owner has revoked it; with 200: %s", async (with200) => {
    const desk = await connectedBench();
    const { bench: on, connected } = desk;
    on.network.change({ refusesLoginWith200: with200 });
    on.network.faults.add({
      kind: "refuse",
      operation: "token",
      answer: { status: with200 ? 200 : 400, json: { error: "invalid_request", log_id: "1" } },
    });
    await expect(renew(desk)).rejects.toMatchObject({ code: "network_error" });
    on.network.revoke(connected.profile.external_id);
    await expect(renew(desk)).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it("can be neither renewed nor made in a browser without an app", () => {
    expect(tiktok().connect.refresh).toBeUndefined();
    expect(tiktok().connect.browser).toBeUndefined();
  });

  it("is revoked on disconnect if a browser sign-in made it, but not if its tokens were handed in", async () => {
    const desk = await connectedBench();
    const secret = desk.connected.secret();
    await revoke(desk);
    expect(seenOf(desk.bench, "revoke")).toEqual([]);
    await revoke(desk, { ...secret, client_key: app.client_key });
    expect(seenOf(desk.bench, "revoke")).toHaveLength(1);
    await expect(renew(desk)).rejects.toMatchObject({ code: "reauthentication_required" });
  });
});

describe("a browser sign-in at TikTok", () => {
  it("sends TikTok's own parameter names, and connects the chosen account", async () => {
    const on = tiktokBench();
    on.network.addAccount({ username: "bakers" });
    const { open_id } = on.network.addAccount({ username: "cooks" });
    const { page, finish } = await visit(on, "Allow as cooks");
    expect(Object.fromEntries(page.searchParams)).toEqual({
      response_type: "code",
      client_key: app.client_key,
      redirect_uri: "https://app.example.com/connect/tiktok/callback",
      scope: "user.info.basic,video.publish,user.info.profile,video.upload,video.list",
      state: "the-state",
      disable_auto_auth: "1",
    });
    const [choice, ...others] = await finish();
    expect(others).toEqual([]);
    expect(choice).toMatchObject({ id: open_id, name: "Cooks", handle: "cooks" });
    const { identity, credentials: kept } = await logIn(on, choice?.credentials ?? {});
    expect(identity).toMatchObject({
      external_id: open_id,
      app: app.client_key,
      account_facts: { scopes_are_whole: true },
    });
    expect([...identity.scopes].sort()).toEqual([...every].sort());
    expect(kept).toMatchObject({
      expires_at: on.clock.now() + 7_200_000,
      refresh_at: on.clock.now() + 90 * 86_400_000,
    });
  });

  it("names a required scope that was unticked, and does without the optional ones", async () => {
    const on = tiktokBench();
    on.network.addAccount({ username: "bakers" });
    const without = async (scope: string) => (await visit(on, `Allow as bakers, but not ${scope}`)).finish();
    await expect(without("video.publish")).rejects.toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining("video.publish"),
    });
    await expect(without("user.info.profile")).resolves.toMatchObject([{ name: "Bakers", handle: null }]);
  });

  it("requests only scopes that the app has been granted", async () => {
    const on = { ...tiktokBench(), adapter: adapter({ furtherScopes: ["video.list"] }) };
    expect(await scopesAsked(on)).toEqual(["user.info.basic", "video.publish", "video.list"]);
  });

  it.each([false, true])("accepts its code only once; refused with 200: %s", async (with200) => {
    const on = tiktokBench();
    on.network.change({ refusesLoginWith200: with200 });
    on.network.addAccount({ username: "bakers" });
    const { finish } = await visit(on, "Allow as bakers");
    await finish();
    await expect(finish()).rejects.toMatchObject({ reason: "login_failed" });
  });

  it("reports that TikTok does not know the app", async () => {
    const on = { ...tiktokBench(), adapter: adapter({ app: { ...app, client_secret: "another" } }) };
    on.network.addAccount({ username: "bakers" });
    const { finish } = await visit(on, "Allow as bakers");
    await expect(finish()).rejects.toMatchObject({ reason: "app_refused" });
  });
});

describe("the options of an account", () => {
  it.each([
    [false, "PUBLIC_TO_EVERYONE", "Everyone"],
    [true, "FOLLOWER_OF_CREATOR", "Followers"],
  ])("list the privacy levels that it may use now; private: %s", async (isPrivate, value, name) => {
    const { bench: on, connected } = await connectedBench({ isPrivate });
    expect(await on.run(async () => choices.privacy_level(connected.context))).toEqual([
      { value, name },
      { value: "MUTUAL_FOLLOW_FRIENDS", name: "Friends" },
      { value: "SELF_ONLY", name: "Only you" },
    ]);
  });
});

describe("the adapter's settings", () => {
  it.each([{ app: { client_id: "x", client_secret: "y" } }, { furtherScopes: ["all"] }, { scopes: [] }, { more: 1 }])(
    "%j are rejected",
    (settings) => {
      expect(() => tiktok(settings as object)).toThrow();
    },
  );
});
