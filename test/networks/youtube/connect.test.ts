import { afterEach, describe, expect, it } from "vitest";
import { choices } from "../../../src/networks/youtube/choices.ts";
import { youtube } from "../../../src/networks/youtube/index.ts";
import { visit } from "../browser.ts";
import { inspect, logIn, renew, revoke } from "../desk.ts";
import { seenOf } from "../seen.ts";
import { app, connectedBench, credentials, type YoutubeBench, youtubeBench } from "./bench.ts";
import { contractFindings } from "./openapi.ts";

const benches: YoutubeBench[] = [];

function bench(): YoutubeBench {
  const made = youtubeBench();
  benches.push(made);
  return made;
}

async function connectedDesk() {
  const desk = await connectedBench();
  benches.push(desk.bench);
  return desk;
}

afterEach(() => {
  for (const { seen } of benches.splice(0)) expect(contractFindings(seen)).toEqual([]);
});

const base = "https://www.googleapis.com/auth/youtube";

describe("connecting YouTube with tokens", () => {
  it("learns the channel, its scopes and the token's expiry", async () => {
    const on = bench();
    const { id, access_token, refresh_token } = on.network.addChannel({ title: "Bakers" });
    const { identity, credentials: kept } = await logIn(on, { access_token, refresh_token });
    expect(identity).toMatchObject({
      external_id: id,
      name: "Bakers",
      handle: "@bakers",
      url: `https://www.youtube.com/channel/${id}`,
      app: app.client_id,
      account_facts: { uploads: `UU${id.slice(2)}`, takes_long_videos: true, country: "DE" },
    });
    expect(identity.scopes).toContain(`${base}.upload`);
    expect(kept).toEqual({
      secret: { access_token, refresh_token },
      expires_at: on.clock.now() + 3_599_000,
      refresh_at: on.clock.now() + 90 * 86_400_000,
    });
    expect(JSON.stringify(identity)).not.toContain(access_token);
  });

  it("accepts an access token alone, which ends only with its expiry", async () => {
    const on = bench();
    const { access_token } = on.network.addChannel();
    const { credentials: kept } = await logIn(on, { access_token });
    const ends = { expires_at: kept.expires_at, reconnect_by: kept.expires_at };
    expect(kept).toEqual({ secret: { access_token }, ...ends });
    expect(ends.expires_at).toEqual(expect.any(Number));
  });

  it("reports that the channel accepts no long videos without a phone number", async () => {
    const on = bench();
    const { identity } = await logIn(on, credentials(on, { isVerified: false }));
    expect(identity.account_facts.takes_long_videos).toBe(false);
  });

  it.each([
    [[`${base}.readonly`], /youtube\.upload/],
    [[`${base}.upload`], /youtube\.readonly/],
  ])("names the scope that is missing beside %j", async (scopes, words) => {
    const on = bench();
    await expect(logIn(on, credentials(on, { scopes }))).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(words),
    });
  });

  it.each([[[base]], [[`${base}.force-ssl`]]])("accepts %j, which includes the others", async (scopes) => {
    const on = bench();
    await expect(logIn(on, credentials(on, { scopes }))).resolves.toBeDefined();
  });

  it("rejects a Google account without a channel", async () => {
    const on = bench();
    const { access_token } = on.network.addAccount();
    await expect(logIn(on, { access_token })).rejects.toMatchObject({ code: "profile_unavailable" });
  });
});

describe("an expiring YouTube connection", () => {
  it("is renewed with the refresh token that Google does not repeat", async () => {
    const desk = await connectedDesk();
    const { bench: on, connected } = desk;
    const before = connected.secret();
    on.network.expireTokens();
    await inspect(desk);
    expect(connected.secret()).toMatchObject({ refresh_token: before.refresh_token });
    expect(connected.secret().access_token).not.toBe(before.access_token);
  });

  it("ends only when its owner has revoked it", async () => {
    const desk = await connectedDesk();
    const { network } = desk.bench;
    network.faults.add({
      kind: "refuse",
      operation: "token",
      answer: { status: 401, json: { error: "invalid_client" } },
    });
    await expect(renew(desk)).rejects.toMatchObject({ code: "network_error" });
    network.revoke("person1@gmail.example");
    await expect(renew(desk)).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it("can be neither renewed nor made in a browser without an app", () => {
    expect(youtube().connect.refresh).toBeUndefined();
    expect(youtube().connect.browser).toBeUndefined();
  });

  it("is revoked on disconnect if a browser sign-in made it, but not if its tokens were handed in", async () => {
    const desk = await connectedDesk();
    await revoke(desk);
    expect(seenOf(desk.bench, "revoke")).toEqual([]);
    await revoke(desk, { ...desk.connected.secret(), client_id: app.client_id });
    expect(seenOf(desk.bench, "revoke")).toHaveLength(1);
    await expect(renew(desk)).rejects.toMatchObject({ code: "reauthentication_required" });
  });
});

describe("a browser sign-in at YouTube", () => {
  it("requests offline access and all scopes, and connects the chosen channel", async () => {
    const on = bench();
    on.network.addChannel({ title: "Bakers" });
    const { id } = on.network.addChannel({ title: "Cooks" });
    const { page, finish } = await visit(on, "Allow as Cooks");
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      access_type: "offline",
      prompt: "consent",
      redirect_uri: "https://app.example.com/connect/youtube/callback",
      scope: `${base}.upload ${base}.readonly ${base}.force-ssl`,
      state: "the-state",
      code_challenge_method: "S256",
    });
    const [choice, ...others] = await finish();
    expect(others).toEqual([]);
    expect(choice).toMatchObject({ id, name: "Cooks", handle: "@cooks", credentials: { client_id: app.client_id } });
    const { identity } = await logIn(on, choice?.credentials ?? {});
    expect(identity.external_id).toBe(id);
  });

  it("names a scope that was unticked", async () => {
    const on = bench();
    on.network.addChannel({ title: "Bakers" });
    const { finish } = await visit(on, `Allow as Bakers, but not ${base}.upload`);
    await expect(finish()).rejects.toMatchObject({
      reason: "missing_scope",
      message: expect.stringContaining("upload"),
    });
  });

  it("reports that the user has no channel", async () => {
    const on = bench();
    const { email } = on.network.addAccount();
    const { finish } = await visit(on, `Allow as ${email}`);
    await expect(finish()).rejects.toMatchObject({ reason: "no_account" });
  });

  it("accepts its code only once", async () => {
    const on = bench();
    on.network.addChannel({ title: "Bakers" });
    const { finish } = await visit(on, "Allow as Bakers");
    await finish();
    await expect(finish()).rejects.toMatchObject({ reason: "login_failed" });
  });

  it("reports that Google does not know the app", async () => {
    const on = { ...youtubeBench(), adapter: youtube({ app: { ...app, client_secret: "another" } }) };
    on.network.addChannel({ title: "Bakers" });
    const { finish } = await visit(on, "Allow as Bakers");
    await expect(finish()).rejects.toMatchObject({ reason: "app_refused" });
  });
});

describe("the options of a channel", () => {
  it("list its categories and its playlists", async () => {
    const { bench: on, connected } = await connectedDesk();
    const bread = on.network.addPlaylist(connected.profile.external_id, "Bread");
    const read = (option: keyof typeof choices) => on.run(async () => choices[option](connected.context));
    expect(await read("category_id")).toEqual([
      { value: "1", name: "Film & Animation" },
      { value: "10", name: "Music" },
      { value: "22", name: "People & Blogs" },
    ]);
    expect(await read("playlist_id")).toEqual([{ value: bread, name: "Bread" }]);
  });
});

describe("the adapter's settings", () => {
  it.each([{ chunkBytes: 1_000 }, { chunkBytes: 0 }, { app: { client_id: "x" } }, { scopes: [] }, { more: 1 }])(
    "%j are rejected",
    (settings) => {
      expect(() => youtube(settings as object)).toThrow();
    },
  );
});
