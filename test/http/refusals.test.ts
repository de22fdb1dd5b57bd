import { describe, expect, it } from "vitest";
import { routes } from "../../src/http/routes.ts";
import { connectAll } from "../support/connect.ts";
import { type Answer, createRest, expectEnvelope, fieldsOf } from "./rest.ts";

describe("an error about a post", () => {
  async function refused(body: Record<string, unknown>, path = "/v1/posts"): Promise<Answer> {
    const rest = await createRest();
    const profiles = await connectAll(rest);
    const json = { profile_ids: profiles.map(({ id }) => id), text: "Hello", ...body };
    const answer = await rest.send("POST", path, { json });
    expect(answer.status).toBe(400);
    expectEnvelope(answer);
    expect(rest.sandbox.bluesky.posts()).toEqual([]);
    return answer;
  }

  it.each<[Record<string, unknown>, string[]]>([
    [{ profile_ids: [] }, ["profile_ids"]],
    [{ profile_ids: undefined }, ["profile_ids"]],
    [{ profile_ids: ["prof_none"] }, ["profile_ids[0]"]],
    [{ profile_ids: Array.from({ length: 501 }, () => "prof_none") }, ["profile_ids"]],
    [{ media: [`https://media.sandbox.example/${"x".repeat(8_192)}`] }, ["media[0]"]],
    [{ profile_ids: [7, null] }, ["profile_ids[0]", "profile_ids[1]"]],
    [{ text: "x".repeat(20_001) }, ["text"]],
    [{ title: "x".repeat(301) }, ["title"]],
    [{ thread: [] }, ["thread"]],
    [{ thread: Array.from({ length: 51 }, () => "x") }, ["thread"]],
    [{ thread: ["x", ""] }, ["thread[1]"]],
    [{ media: Array.from({ length: 36 }, () => "https://media.sandbox.example/a.png") }, ["media"]],
    [{ media: ["ftp://x.example/a"] }, ["media[0]"]],
    [{ media: ["http:x.example/a"] }, ["media[0]"]],
    [{ media: [{ url: "https://x.example/a", colour: "red" }] }, ["media[0].colour"]],
    [{ link: "javascript:alert(1)" }, ["link"]],
    [{ link: { url: "https://x.example/", image: "https://x.example/" } }, ["link.image"]],
    [{ post_type: "tweet" }, ["post_type"]],
    [{ auto_thread: "yes" }, ["auto_thread"]],
    [{ scheduled_at: "tomorrow" }, ["scheduled_at"]],
    [{ scheduled_at: "2026-11-21T12:00:00" }, ["scheduled_at"]],
    [{ scheduled_at: "2026-02-30T12:00:00Z" }, ["scheduled_at"]],
    [{ scheduled_at: 1_800_000_000 }, ["scheduled_at"]],
    [{ scheduled_at: "9999-12-31T23:59:59-00:01" }, ["scheduled_at"]],
    [{ scheduled_at: "0000-01-01T00:00:00+14:00" }, ["scheduled_at"]],
    [{ scheduled_at: "+275760-09-13T00:00:00Z" }, ["scheduled_at"]],
    [{ publish_now: 1 }, ["publish_now"]],
    [{ networks: { myspace: {} } }, ["networks.myspace"]],
    [{ networks: [] }, ["networks"]],
    [{ txt: "Hello" }, ["txt"]],
    [{ txt: 1, tilte: 2, text: 3 }, ["txt", "tilte", "text"]],
    [{ id: "post_1", status: "published", account_id: "acct_42" }, ["id", "status", "account_id"]],
    [{ hasOwnProperty: 1, toString: 2, valueOf: 3 }, ["hasOwnProperty", "toString", "valueOf"]],
  ])("for %j names %j, in create and in validate", async (body, fields) => {
    for (const path of ["/v1/posts", "/v1/posts/validate"]) {
      const answer = await refused(body, path);
      expect(fieldsOf(answer)).toEqual(fields);
      expect(answer.body.error).toMatchObject({ code: "invalid_request" });
      for (const { message } of answer.body.error?.details ?? []) expect(message.length).toBeGreaterThan(10);
    }
  });

  it("has one detail per network", async () => {
    const { body } = await refused({ text: "x".repeat(2_001) });
    const details = body.error?.details?.map(({ network, field, code }) => [network, field, code]);
    expect(details).toEqual([
      ["bluesky", "text", "invalid_request"],
      ["mastodon", "text", "invalid_request"],
      ["discord", "text", "invalid_request"],
    ]);
  });

  it("names the network of an option that the network does not have", async () => {
    const { body } = await refused({ networks: { mastodon: { visibilty: "private" } } });
    expect(body.error?.details).toMatchObject([{ network: "mastodon", field: "networks.mastodon.visibilty" }]);
  });

  it("names a URL that is not on the web, in an option, too", async () => {
    const captions = [{ lang: "en", url: "ftp://x.example/a" }];
    const answer = await refused({ networks: { bluesky: { captions } } });
    expect(fieldsOf(answer)).toEqual(["networks.bluesky.captions[0].url"]);
  });

  it("in twenty thousand places lists a hundred of them, and repeats no name of a megabyte", async () => {
    const keys = Array.from({ length: 15_000 }, (_, index) => [`key_${index}`, 0]);
    const many = await refused(Object.fromEntries(keys));
    expect(fieldsOf(many)).toHaveLength(100);
    expect(many.text.length).toBeLessThan(20_000);
    const long = await refused({ ["x".repeat(500_000)]: 0 });
    expect(fieldsOf(long)[0]).toMatch(/^x{1000}…$/);
    expect(long.text.length).toBeLessThan(5_000);
    const halves = await refused({ [`${"x".repeat(999)}😀${"x".repeat(50)}`]: 0 });
    expect(fieldsOf(halves)[0]).toMatch(/^x{999}…$/);
  });
});

describe("an error about credentials", () => {
  it.each<[Record<string, unknown>, string]>([
    [{}, "network"],
    [{ network: "myspace" }, "network"],
    [{ network: "bluesky" }, "credentials"],
    [{ network: "bluesky", credentials: "secret" }, "credentials"],
    [{ network: "bluesky", credentials: {} }, "credentials.identifier"],
    [{ network: "bluesky", credentials: { handle: "a.example" } }, "credentials.handle"],
    [
      { network: "bluesky", credentials: { identifier: "a.example", app_password: "x", service: "ftp://a.example" } },
      "credentials.service",
    ],
    [{ network: "bluesky", credentials: { identifier: "did:x:y", app_password: "x" } }, "credentials.identifier"],
    [{ network: "mastodon", credentials: { instance: "nowhere", access_token: "x" } }, "credentials.instance"],
    [{ network: "mastodon", credentials: { instance: "a.example", token: "x" } }, "credentials.token"],
    [{ network: "mastodon", credentials: { instance: "a.example" } }, "credentials.access_token"],
    [{ network: "discord", credentials: { webhook_url: "https://a.example/" } }, "credentials.webhook_url"],
    [{ network: "discord", credentials: { webhook_url: "x", colour: 1 } }, "credentials.colour"],
    [{ network: "discord", credentials: { bot_token: "a".repeat(30) } }, "credentials.channel_id"],
    [{ network: "discord", credentials: {} }, "credentials.webhook_url"],
    [{ network: "bluesky", credentials: { identifier: "a.example", app_password: 7 } }, "credentials.app_password"],
    [{ network: "bluesky", credentials: { identifier: "no.example", app_password: "x" } }, "credentials.identifier"],
    [{ network: "flickr", credentials: {} }, "network"],
    [{ network: "bluesky", credentials: {}, token: "x" }, "token"],
  ])("for %j names %s, and repeats no secret", async (json, field) => {
    const { send } = await createRest();
    const answer = await send("POST", "/v1/profiles/connect", { json });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toContain(field);
  });
});

it.each<[Record<string, unknown>, string[]]>([
  [{ webhook_url: "x", colour: 1 }, ["credentials.colour"]],
  [{ webhook_url: 5 }, ["credentials.webhook_url"]],
  [{ bot_token: "a".repeat(30) }, ["credentials.channel_id"]],
  [{ bot_token: "a".repeat(30), channel_id: "1573669306368000002", colour: 1 }, ["credentials.colour"]],
])("an error about credentials of two kinds refers to the intended kind: %j", async (credentials, fields) => {
  const json = { network: "discord", credentials };
  expect(fieldsOf(await (await createRest()).send("POST", "/v1/profiles/connect", { json }))).toEqual(fields);
});

describe("a query", () => {
  const lists = routes.filter(({ isList }) => isList).map(({ path }) => path);

  it.each(lists)("of %s is rejected by the parameter's name", async (path) => {
    const { send } = await createRest();
    for (const [query, field] of [
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["limit=-1", "limit"],
      ["limit=1.5", "limit"],
      ["limit=1e1", "limit"],
      ["limit=0x10", "limit"],
      ["limit=", "limit"],
      ["limit=%2010", "limit"],
      ["limit=٣", "limit"],
      ["limit=NaN", "limit"],
      ["limit=99999999999999999999", "limit"],
      ["offset=-1", "offset"],
      ["offset=9007199254740993", "offset"],
      ["limit=1&limit=2", "limit"],
      ["limit=1&limit=1", "limit"],
      ["status=sent", "status"],
      ["status=", "status"],
      ["network=My%20Space", "network"],
      ["page=2", "page"],
      ["Limit=1", "Limit"],
      ["limit[]=1", "limit[]"],
      ["=1", ""],
      ["__proto__=1", "__proto__"],
      ["__proto__[x]=1", "__proto__[x]"],
      ["constructor=1", "constructor"],
      ["toString=1", "toString"],
      ["x%00y=1", "x\0y"],
      ["status=%00", "status"],
    ] as const) {
      const answer = await send("GET", `${path}?${query}`);
      expect(answer.status, query).toBe(400);
      expect(
        fieldsOf(answer).map((given) => given?.replace(/\[0\]$/, "")),
        query,
      ).toEqual([field]);
      expectEnvelope(answer);
    }
  });

  it.each(routes.filter(({ query }) => query === null).map(({ method, path }) => [method, path] as const))(
    "of %s %s is rejected if it has any parameter",
    async (method, path) => {
      const { send } = await createRest();
      const answer = await send(
        method,
        `${path.replace(/\{\w+\}/, "none_1")}?verbose=1`,
        method === "POST" ? { json: {} } : {},
      );
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["verbose"]]);
    },
  );

  it("with several wrong parameters gets an error for each", async () => {
    const { send } = await createRest();
    const answer = await send(
      "GET",
      "/v1/posts?limit=0&status=published,sent&created_after=now&profile=x&network=MySpace",
    );
    expect(fieldsOf(answer).sort()).toEqual(["created_after", "limit", "network[0]", "profile", "status[1]"]);
  });

  it("of ten thousand parameters, or values, is rejected in a short response", async () => {
    const { send } = await createRest();
    const parameters = Array.from({ length: 10_000 }, (_, index) => `k${index}=1`).join("&");
    const values = Array.from({ length: 100_000 }, () => "draft").join(",");
    for (const query of [
      parameters,
      `status=${values}`,
      `status=${"x,".repeat(5_000)}`,
      `profile_id=${"x".repeat(200_000)}`,
    ]) {
      const answer = await send("GET", `/v1/posts?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(20_000);
    }
  });

  it("may name a value twice", async () => {
    const { send } = await createRest();
    expect((await send("GET", "/v1/posts?status=draft,failed,draft")).status).toBe(200);
  });
});

describe("a parameter that accepts several values", () => {
  it.each(["status=failed,published", "status=failed&status=published", "status=failed&status=published,draft"])(
    "accepts them with commas or repeated: %s",
    async (query) => {
      const rest = await createRest();
      const [profile] = await connectAll(rest);
      await rest.send("POST", "/v1/posts", { json: { profile_ids: [profile?.id], text: "Hello" } });
      const answer = await rest.send("GET", `/v1/posts?${query}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ meta: { pagination: { total: 1 } } });
    },
  );
});
