import { beforeEach, describe, expect, it } from "vitest";
import type { Connection, StartedConnection } from "../../src/connections/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createRest, type Rest } from "../http/rest.ts";
import { discordApp } from "../networks/discord/app.ts";
import { callbackOf, click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";

let rest: Rest;

beforeEach(async () => {
  rest = await createRest({ networks: loginNetworks() });
});

const instance = "mastodon.sandbox.example";

async function start(json: object = {}, on: Rest = rest): Promise<StartedConnection> {
  const body = { network: "mastodon", redirect_url: ownPage, login: { instance }, ...json };
  const answer = await on.send("POST", "/v1/profiles/connect", { json: body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as StartedConnection;
}

/** The whole path of a browser. */
async function walk(started: StartedConnection, label = "Allow as alice", on: Rest = rest): Promise<URL> {
  const back = await comeBack(on, await click(on.sandbox, started.authorization_url, label));
  return pageOf(back);
}

describe("a successful sign-in", () => {
  it("ends in a profile that publishes", async () => {
    rest.sandbox.mastodon.addAccount({ username: "alice" });
    const started = await start();
    const page = await walk(started);
    expect(page.href.startsWith("https://host.example/accounts?tab=2&connection_id=conn_")).toBe(true);
    const code = page.searchParams.get("code");
    const path = `/v1/profiles/connect/${page.searchParams.get("connection_id")}`;

    const shown = (await rest.send("GET", `${path}?code=${code}`)).body.data as Connection;
    expect(shown).toMatchObject({ id: started.connection_id, status: "authorized", error: null, profile_ids: [] });
    expect(shown.options).toEqual([
      {
        id: expect.stringMatching(/^mastodon\.sandbox\.example:/),
        name: "alice",
        handle: `alice@${instance}`,
        avatar_url: expect.any(String),
      },
    ]);

    const finished = await rest.send("POST", path, { json: { code } });
    const [profile] = (finished.body.data as { profiles: Profile[] }).profiles;
    expect([finished.status, profile?.status, profile?.handle]).toEqual([201, "connected", `alice@${instance}`]);
    const post = await rest.send("POST", "/v1/posts", { json: { profile_ids: [profile?.id], text: "Hello" } });
    expect(post.body.data).toMatchObject({ status: "published" });
  });

  it("shows its accounts only to the account's owner", async () => {
    rest.sandbox.mastodon.addAccount({ username: "alice" });
    const page = await walk(await start());
    const path = `/v1/profiles/connect/${page.searchParams.get("connection_id")}`;
    expect((await rest.send("GET", path)).body.data).toMatchObject({ status: "authorized", options: null });
    expect((await rest.send("GET", `${path}?code=wrong`)).status).toBe(403);
  });

  it("emits the events of any connection, and none for the reconnect of a working profile", async () => {
    rest.sandbox.mastodon.addAccount({ username: "alice" });
    const told: string[] = [];
    rest.social.on("profile.connected", ({ profile }) => void told.push(profile.name));
    for (const _ of [1, 2]) {
      const page = await walk(await start());
      const code = page.searchParams.get("code") ?? "";
      await rest.clock.run(() =>
        rest.social.connections.finish(page.searchParams.get("connection_id") ?? "", { code }),
      );
    }
    expect(told).toEqual(["alice"]);
    expect((await rest.social.profiles.list()).pagination.total).toBe(1);
  });

  it("returns the connected profile when the finish is repeated", async () => {
    rest.sandbox.mastodon.addAccount({ username: "alice" });
    const page = await walk(await start());
    const path = `/v1/profiles/connect/${page.searchParams.get("connection_id")}`;
    const json = { code: page.searchParams.get("code") };
    const first = await rest.send("POST", path, { json });
    rest.sandbox.mastodon.faults.add({
      kind: "refuse",
      answer: { status: 401 },
      operation: "GET /api/v1/accounts/verify_credentials",
    });
    const second = await rest.send("POST", path, { json });
    expect([second.status, second.body]).toEqual([first.status, first.body]);
  });

  it("is finished beside another that was the first on its server at the same moment", async () => {
    for (const username of ["alice", "bob"]) rest.sandbox.mastodon.addAccount({ username });
    const body = { network: "mastodon" as const, redirect_url: ownPage, login: { instance } };
    const both = () => Promise.all([1, 2].map(() => rest.social.connections.start(body)));
    const [first, second] = (await rest.clock.run(both)) as [StartedConnection, StartedConnection];
    for (const [started, name] of [
      [first, "alice"],
      [second, "bob"],
    ] as const) {
      const json = { code: (await walk(started, `Allow as ${name}`)).searchParams.get("code") };
      const finished = await rest.send("POST", `/v1/profiles/connect/${started.connection_id}`, { json });
      expect(finished.status, finished.text).toBe(201);
    }
  });

  it("is finished later when the network is away just then", async () => {
    rest.sandbox.mastodon.addAccount({ username: "alice" });
    const page = await walk(await start());
    const path = `/v1/profiles/connect/${page.searchParams.get("connection_id")}`;
    const json = { code: page.searchParams.get("code") };
    rest.sandbox.mastodon.faults.add({
      kind: "refuse",
      answer: { status: 503 },
      operation: "GET /api/v2/instance",
      times: 9,
    });
    const refused = await rest.send("POST", path, { json });
    expect([refused.status, refused.body.error?.code]).toEqual([422, "publish_failed"]);
    rest.sandbox.mastodon.faults.clear();
    expect((await rest.send("POST", path, { json })).status).toBe(201);
  });
});

describe("a sign-in with several accounts", () => {
  let on: Rest;
  let guild: string;

  beforeEach(async () => {
    // The same world twice: the app's bot must exist before the adapter is made.
    const clock = manualClock();
    const first = await createRest({ clock, storage: memoryStorage({ clock }) });
    const bot = first.sandbox.discord.addApp({ ...discordApp, redirect_uris: [callbackOf("discord")] });
    on = await createRest({ clock, networks: loginNetworks(bot), http: first.sandbox.http });
    on.sandbox = first.sandbox;
    guild = first.sandbox.discord.addGuild({ name: "Bakers" });
    for (const name of ["news", "talk"]) first.sandbox.discord.addChannel({ guild, name });
    first.sandbox.discord.addChannel({ guild, name: "voices", type: "voice" });
  });

  async function back(): Promise<{ path: string; code: string | null; options: Connection["options"] }> {
    const started = await start({ network: "discord", login: {} }, on);
    const page = await walk(started, "Allow as owner of Bakers", on);
    const code = page.searchParams.get("code");
    const path = `/v1/profiles/connect/${started.connection_id}`;
    const { options } = (await on.send("GET", `${path}?code=${code}`)).body.data as Connection;
    return { path, code, options };
  }

  it("lets the host choose, and connects each chosen account", async () => {
    const { path, code, options } = await back();
    expect(options?.map(({ name }) => name)).toEqual(["Bakers #news", "Bakers #talk"]);
    const option_ids = options?.map(({ id }) => id).reverse();
    const finished = await on.send("POST", path, { json: { code, option_ids } });
    const { profiles } = finished.body.data as { profiles: Profile[] };
    expect(profiles.map(({ name, status }) => [name, status])).toEqual([
      ["Bakers #talk", "connected"],
      ["Bakers #news", "connected"],
    ]);
  });

  it.each([
    ["none of several", undefined, "option_ids"],
    ["one that it does not include", ["1:2"], "option_ids[0]"],
  ])("rejects %s, naming the field, and can be finished after it", async (_, option_ids, field) => {
    const { path, code, options } = await back();
    const refused = await on.send("POST", path, {
      json: { code, ...(option_ids === undefined ? {} : { option_ids }) },
    });
    expect([refused.status, refused.body.error?.details?.[0]?.field]).toEqual([400, field]);
    expect((await on.send("POST", path, { json: { code, option_ids: [options?.[0]?.id] } })).status).toBe(201);
  });

  it("rejects one that is named twice", async () => {
    const { path, code, options } = await back();
    const id = options?.[0]?.id;
    const refused = await on.send("POST", path, { json: { code, option_ids: [id, id] } });
    expect(refused.body.error?.details?.[0]).toMatchObject({ field: "option_ids[1]" });
  });

  it("offers no server to a user who may not manage it", async () => {
    on.sandbox.discord.demote(guild);
    const page = await walk(await start({ network: "discord", login: {} }, on), "Allow as owner of Bakers", on);
    expect(page.searchParams.get("error")).toBe("no_account");
  });

  it("connects a webhook, which is deleted when the profile is disconnected", async () => {
    const started = await start({ network: "discord", login: { as: "webhook" } }, on);
    const page = await walk(started, "Allow as owner of #news", on);
    const json = { code: page.searchParams.get("code") };
    const finished = await on.send("POST", `/v1/profiles/connect/${started.connection_id}`, { json });
    const [profile] = (finished.body.data as { profiles: Profile[] }).profiles;
    expect(profile?.external_id).toMatch(/^webhook:/);
    const seen = on.sandbox.discord.webhooks();
    expect((await on.send("DELETE", `/v1/profiles/${profile?.id}`)).status).toBe(204);
    expect([seen, on.sandbox.discord.webhooks()]).toEqual([[profile?.external_id.replace("webhook:", "")], []]);
  });
});
