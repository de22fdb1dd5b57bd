import { describe, expect, it } from "vitest";
import type { Post } from "../../src/publishing/schema.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { type Answer, createRest, fieldsOf, type Rest, toRequest } from "./rest.ts";

const used = "article-0001";

interface World extends Rest {
  profileId: string;
  create(body: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
}

async function createWorld(options: Parameters<typeof createRest>[0] = {}): Promise<World> {
  const rest = await createRest(options);
  const { id } = await connectBluesky(rest);
  return {
    ...rest,
    profileId: id,
    create: (body, headers = {}) =>
      rest.send("POST", "/v1/posts", { json: { profile_ids: [id], text: "Hello", ...body }, headers }),
  };
}

function isReplay({ status, headers }: Answer): boolean {
  return status === 200 && headers.get("idempotent-replay") === "true";
}

describe("an idempotency key", () => {
  it.each<[string, object, Record<string, string>]>([
    ["in the header", {}, { "idempotency-key": used }],
    ["in the body", { idempotency_key: used }, {}],
    ["in both, the same", { idempotency_key: used }, { "idempotency-key": used }],
    ["in the header, and null in the body", { idempotency_key: null }, { "idempotency-key": used }],
  ])("%s creates a post once: 201, then 200 and the same post", async (_where, body, headers) => {
    const { create, sandbox } = await createWorld();
    const first = await create({ ...body }, headers);
    expect([first.status, first.headers.get("idempotent-replay")]).toEqual([201, null]);
    expect(first.body.data).toMatchObject({ status: "published", idempotency_key: used });
    const second = await create({ ...body }, headers);
    expect(isReplay(second)).toBe(true);
    expect(second.text).toBe(first.text);
    expect(sandbox.bluesky.posts()).toHaveLength(1);
  });

  it("is the same in the header and in the body", async () => {
    const { create, sandbox } = await createWorld();
    await create({}, { "idempotency-key": used });
    expect(isReplay(await create({ idempotency_key: used }))).toBe(true);
    expect(sandbox.bluesky.posts()).toHaveLength(1);
  });

  it.each(["article-0002", "", 7, {}, ["article-0001"]])(
    "in the header, and %j in the body, is rejected, and neither is used",
    async (inBody) => {
      const { create, sandbox } = await createWorld();
      const answer = await create({ idempotency_key: inBody }, { "idempotency-key": used });
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["idempotency_key"]]);
      expect(sandbox.bluesky.posts()).toEqual([]);
      expect((await create({}, { "idempotency-key": used })).status).toBe(201);
    },
  );

  it.each(["", "seven77", "x".repeat(256), " "])("of a wrong length is rejected by field: %j", async (given) => {
    const { create } = await createWorld();
    const inHeader = await create({}, { "idempotency-key": given });
    const inBody = await create({ idempotency_key: given });
    for (const answer of [inHeader, inBody]) {
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["idempotency_key"]]);
    }
  });

  it.each(["8 eight8", "x".repeat(255), "a/b?c=d&e", "'; drop table posts; --", "__proto__", "constructor"])(
    "may be %j",
    async (given) => {
      const { create } = await createWorld();
      expect((await create({}, { "idempotency-key": given })).status).toBe(201);
      expect(isReplay(await create({ idempotency_key: given }))).toBe(true);
    },
  );

  it("belongs to one account", async () => {
    const { create, send, social } = await createWorld();
    await create({ idempotency_key: used });
    const { key } = await social.keys.create({ account_id: "acct_42" });
    const json = { profile_ids: ["prof_none"], text: "Hello", idempotency_key: used };
    const { status, text } = await send("POST", "/v1/posts", { key, json });
    expect(status).toBe(400);
    expect(text).toContain("profile_ids[0]");
  });

  it("is shared by all keys of its account", async () => {
    const { send, create, social, profileId } = await createWorld();
    await create({ idempotency_key: used });
    const { key } = await social.keys.create();
    const json = { profile_ids: [profileId], text: "Hello", idempotency_key: used };
    expect(isReplay(await send("POST", "/v1/posts", { key, json }))).toBe(true);
  });

  it("stays unused by a request that is rejected with 400, 402 or 403", async () => {
    let isCovered = false;
    const { create, send, social, profileId } = await createWorld({ entitlements: () => isCovered });
    const reader = (await social.keys.create({ scopes: ["read"] })).key;
    const json = { profile_ids: [profileId], text: "Hello", idempotency_key: used };
    const refused = [
      await create({ idempotency_key: used, text: 7 }),
      await create({ idempotency_key: used }),
      await send("POST", "/v1/posts", { key: reader, json }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 402, 403]);
    isCovered = true;
    expect((await create({ idempotency_key: used })).status).toBe(201);
  });

  it("has no effect on other endpoints", async () => {
    const { send, profileId } = await createWorld();
    const headers = { "idempotency-key": "x" };
    const json = { profile_ids: [profileId], text: "Hello" };
    expect((await send("POST", "/v1/posts/validate", { json, headers })).status).toBe(200);
    expect((await send("GET", "/v1/posts", { headers })).status).toBe(200);
  });
});

describe("a replay", () => {
  it.each<[string, object]>([
    ["another text", { text: "Something else" }],
    ["a text that is not a string", { text: 7 }],
    ["an unknown field", { txt: "Hello" }],
    ["no profile", { profile_ids: [] }],
    ["a text that is too long for the network", { text: "x".repeat(301) }],
    ["a profile that does not exist", { profile_ids: ["prof_none"] }],
    ["a missing file", { media: ["https://media.sandbox.example/gone.png"] }],
    ["a time in the future", { scheduled_at: "2030-01-01T00:00:00Z" }],
    ["an option that the network does not have", { networks: { bluesky: { colour: "red" } } }],
  ])("is returned for %s, and nothing is sent or changed", async (_what, body) => {
    const { create, send, sandbox } = await createWorld();
    const first = await create({ idempotency_key: used });
    const second = await create({ idempotency_key: used, ...body });
    expect(isReplay(second)).toBe(true);
    expect(second.text).toBe(first.text);
    expect(sandbox.bluesky.posts()).toHaveLength(1);
    expect((await send("GET", "/v1/posts")).body.meta?.pagination.total).toBe(1);
  });

  it("is returned where the profile is disconnected or no longer covered by the plan", async () => {
    let isCovered = true;
    const { create, send, profileId } = await createWorld({ entitlements: () => isCovered });
    const first = await create({ idempotency_key: used });
    isCovered = false;
    expect((await create({ idempotency_key: used })).text).toBe(first.text);
    await send("DELETE", `/v1/profiles/${profileId}`);
    const second = await create({ idempotency_key: used });
    expect(isReplay(second)).toBe(true);
    expect(second.text).toBe(first.text);
  });

  it("shows the post in its current state", async () => {
    const { create, send, sandbox } = await createWorld();
    const answer = { status: 400, json: { error: "InvalidRequest", message: "No." } };
    sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "commit" });
    const first = await create({ idempotency_key: used });
    const { id, status } = first.body.data as Post;
    expect([first.status, status]).toEqual([201, "failed"]);
    expect((await create({ idempotency_key: used })).text).toBe(first.text);
    const retried = await send("POST", `/v1/posts/${id}/retry`);
    expect(retried.headers.get("idempotent-replay")).toBeNull();
    const last = await create({ idempotency_key: used });
    expect(isReplay(last)).toBe(true);
    expect(last.body).toEqual(retried.body);
    expect(sandbox.bluesky.posts()).toHaveLength(1);
  });

  it("of a scheduled post publishes nothing early", async () => {
    const { create, sandbox, clock } = await createWorld();
    const body = { idempotency_key: used, scheduled_at: "2026-11-21T18:00:00Z" };
    const first = await create(body);
    await clock.advance(60_000);
    const second = await create({ ...body, publish_now: true });
    expect([isReplay(second), second.text]).toEqual([true, first.text]);
    expect(sandbox.bluesky.posts()).toEqual([]);
  });
});

describe("a hundred concurrent requests with one idempotency key", () => {
  it("publish once: one 201, ninety-nine replays of that post", async () => {
    const rest = await createRest();
    const profiles = [await connectBluesky(rest), await connectMastodon(rest)];
    // A key has thirty publishing requests a minute.
    const keys = await Promise.all(Array.from({ length: 4 }, () => rest.social.keys.create()));
    const json = { profile_ids: profiles.map(({ id }) => id), text: "Hello", idempotency_key: used };
    const requests = Array.from({ length: 100 }, (_, index) =>
      toRequest("POST", "/v1/posts", { key: keys[index % 4]?.key ?? null, json }),
    );
    const answers = await rest.clock.run(() => Promise.all(requests.map((request) => rest.handler(request))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 99 }, () => 200), 201]);
    const replays = answers.filter(({ headers }) => headers.get("idempotent-replay") === "true");
    expect(replays.map(({ status }) => status)).toEqual(Array.from({ length: 99 }, () => 200));
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(bodies.size).toBe(1);
    expect(JSON.parse([...bodies][0] ?? "")).toMatchObject({ data: { status: "published" } });
    expect([rest.sandbox.bluesky.posts().length, rest.sandbox.mastodon.posts().length]).toEqual([1, 1]);
  });
});
