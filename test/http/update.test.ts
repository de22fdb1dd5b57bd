import { describe, expect, it } from "vitest";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky, connectWebhook } from "../support/connect.ts";
import { type Answer, createRest, fieldsOf, type Rest, toRequest } from "./rest.ts";

const hourMs = 3_600_000;

interface World extends Rest {
  profileId: string;
  at(aheadMs: number): string;
  create(body?: Partial<CreatePost>): Promise<Post>;
  update(id: string, json: unknown): Promise<Answer>;
  cancel(id: string): Promise<Answer>;
}

/** At the beginning of a minute, so that no budget is renewed during a test. */
async function createWorld(options: Parameters<typeof createRest>[0] = {}): Promise<World> {
  const rest = await createRest({ clock: manualClock("2026-11-21T12:00:00.000Z"), ...options });
  const { id } = await connectBluesky(rest);
  const posts = "/v1/posts";
  return {
    ...rest,
    profileId: id,
    at: (aheadMs) => new Date(rest.clock.now() + aheadMs).toISOString(),
    async create(body = {}) {
      const { posts: module } = rest.social;
      return rest.clock.run(() => module.create({ profile_ids: [id], text: "Old", draft: true, ...body }));
    },
    update: (post, json) => rest.send("PATCH", `${posts}/${post}`, { json }),
    cancel: (post) => rest.send("POST", `${posts}/${post}/cancel`),
  };
}

describe("PATCH /v1/posts/{postId}", () => {
  it("answers 200 with the updated post, and the list shows it", async () => {
    const { create, update, send } = await createWorld();
    const { id } = await create();
    const answer = await update(id, { text: "New" });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, status: "draft", text: "New" });
    expect((await send("GET", `/v1/posts/${id}`)).body).toEqual(answer.body);
    const listed = await send("GET", "/v1/posts?status=draft,cancelled");
    expect(listed.body.data).toEqual([answer.body.data]);
    expect((await send("GET", "/v1/posts?status=scheduled")).body.data).toEqual([]);
  });

  it("publishes, and answers with the outcome", async () => {
    const { create, update, sandbox } = await createWorld();
    const { id } = await create();
    const answer = await update(id, { publish_now: true, text: "New" });
    expect([answer.status, (answer.body.data as Post).status]).toEqual([200, "published"]);
    expect(sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["New"]);
  });

  it.each<[string, object, string[]]>([
    ["an unknown field", { txt: "New" }, ["txt"]],
    ["an idempotency key", { idempotency_key: "article-4711" }, ["idempotency_key"]],
    ["draft and publish_now", { draft: true, publish_now: true }, ["draft", "publish_now"]],
    ["draft: false and no time", { draft: false }, ["draft"]],
    ["a text that is too long for the network", { text: "x".repeat(301), publish_now: true }, ["text"]],
    ["a time that is an object", { scheduled_at: { toString: 1 } }, ["scheduled_at"]],
    ["a time that is a list", { scheduled_at: [{ toString: 1, valueOf: 1 }], draft: false }, ["scheduled_at"]],
    ["a time that is a number", { scheduled_at: 0 }, ["scheduled_at"]],
    ["a flag that is not a boolean", { publish_now: "true" }, ["publish_now"]],
  ])("rejects %s by field: 400", async (_, body, fields) => {
    const { create, update, sandbox } = await createWorld();
    const { id } = await create();
    const answer = await update(id, body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
    expect(sandbox.bluesky.posts()).toEqual([]);
  });

  it("ignores the header Idempotency-Key, and requires a body", async () => {
    const { create, update, send } = await createWorld();
    const { id } = await create();
    const path = `/v1/posts/${id}`;
    const headers = { "idempotency-key": "x" };
    expect((await send("PATCH", path, { json: { text: "New" }, headers })).status).toBe(200);
    expect((await send("PATCH", path)).status).toBe(415);
    expect((await update(id, {})).status).toBe(200);
  });

  it("is rejected with 402, 403, 404 and 409", async () => {
    let isCovered = true;
    const { create, update, send, social } = await createWorld({ entitlements: () => isCovered });
    const { id } = await create();
    isCovered = false;
    expect((await update(id, { text: "New" })).status).toBe(402);
    isCovered = true;
    const { key } = await social.keys.create({ scopes: ["read"] });
    expect((await send("PATCH", `/v1/posts/${id}`, { key, json: { text: "New" } })).status).toBe(403);
    expect((await send("POST", `/v1/posts/${id}/cancel`, { key })).status).toBe(403);
    expect((await update("post_none", { text: "New" })).status).toBe(404);
    await update(id, { publish_now: true });
    const late = await update(id, { text: "New" });
    expect([late.status, late.body.error?.code]).toEqual([409, "conflict"]);
    expect(late.body.error?.message).toContain("published");
  });

  it("does not disturb the work that continues after its response", async () => {
    const handedOver: Promise<unknown>[] = [];
    const { create, update, sandbox } = await createWorld({
      publishWaitMs: 1_000,
      handler: { waitUntil: (work) => void handedOver.push(work) },
    });
    const { id } = await create();
    await update(id, { text: "New" });
    expect(handedOver).toHaveLength(0);
    sandbox.bluesky.faults.add({ kind: "slow", seconds: 5, operation: "commit" });
    const answer = await update(id, { publish_now: true });
    expect((answer.body.data as Post).status).toBe("publishing");
    expect(handedOver).toHaveLength(1);
  });
});

describe("POST /v1/posts/{postId}/cancel", () => {
  it("answers 200 with the post, which then never goes out", async () => {
    const { create, cancel, at, clock, social, sandbox, send } = await createWorld();
    const { id } = await create({ draft: false, scheduled_at: at(hourMs) });
    const answer = await cancel(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, status: "cancelled", targets: [{ status: "skipped" }] });
    await clock.advance(2 * hourMs);
    await clock.run(() => social.runDue());
    expect(sandbox.bluesky.posts()).toEqual([]);
    expect((await send("GET", "/v1/posts?status=cancelled")).body.data).toEqual([answer.body.data]);
  });

  it("is rejected with 404 and 409", async () => {
    const { create, cancel } = await createWorld();
    expect((await cancel("post_none")).status).toBe(404);
    const answer = await cancel((await create({ draft: false })).id);
    expect([answer.status, answer.body.error?.code]).toEqual([409, "conflict"]);
    expect(answer.body.error?.message).toContain("published");
  });
});

describe("a PATCH is counted", () => {
  function countsOf({ headers }: { headers: Headers }): (string | null)[] {
    return ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"].map((name) =>
      headers.get(name),
    );
  }

  const ahead = "2026-12-24T18:00:00Z";
  const over = "2026-01-01T00:00:00Z";
  const soon = "2026-11-21T12:00:59Z";

  it.each<[string, object, boolean]>([
    ["publish_now", { publish_now: true }, true],
    ["publish_now and a time in the future", { publish_now: true, scheduled_at: ahead }, true],
    ["a time in the past, and draft: false", { scheduled_at: over, draft: false }, true],
    ["a time less than a minute ahead, and draft: false", { scheduled_at: soon, draft: false }, true],
    ["draft: false, which may publish immediately", { draft: false }, true],
    ["a time in the future, and draft: false", { scheduled_at: ahead, draft: false }, false],
    ["a text", { text: "New" }, false],
    ["nothing", {}, false],
    ["draft: true", { draft: true }, false],
    ["draft: true and a time in the past", { draft: true, scheduled_at: over }, false],
    ["publish_now: false", { publish_now: false }, false],
    ["no time", { scheduled_at: null }, false],
  ])("by the fields that it names, %s", async (_, body, isPublishing) => {
    const { create, update, send } = await createWorld();
    const { id } = await create({ scheduled_at: over });
    const answer = await update(id, body);
    expect(answer.status).toBe(200);
    const isPublished = (answer.body.data as Post).status === "published";
    if (isPublished) expect(isPublishing).toBe(true);
    expect(countsOf(answer)).toEqual(isPublishing ? ["30", "29", "60", null] : ["120", "119", "60", null]);
    expect(countsOf(await send("POST", "/v1/posts/none_1/retry"))[1]).toBe(isPublishing ? "28" : "29");
  });

  it("as publishing whether or not it succeeds, and its errors carry the counts", async () => {
    const { create, update } = await createWorld();
    const missing = await update("post_none", { publish_now: true });
    expect([missing.status, ...countsOf(missing)]).toEqual([404, "30", "29", "60", null]);
    const invalid = await update((await create()).id, { publish_now: true, text: "x".repeat(301) });
    expect([invalid.status, ...countsOf(invalid)]).toEqual([400, "30", "28", "60", null]);
  });

  it("and refused when the publishing budget is used up; nothing is changed, and other updates continue", async () => {
    const { create, update, send, handler, key, clock, sandbox } = await createWorld();
    const { id } = await create();
    const retries = Array.from({ length: 30 }, () =>
      handler(toRequest("POST", "/v1/posts/none_1/retry", { key })).then(({ status }) => status),
    );
    expect(new Set(await Promise.all(retries))).toEqual(new Set([404]));
    await clock.advance(15_300);
    const refused = await update(id, { publish_now: true, text: "New" });
    expect([refused.status, refused.body.error?.code]).toEqual([429, "rate_limited"]);
    expect(countsOf(refused)).toEqual(["30", "0", "45", "45"]);
    expect((await send("GET", `/v1/posts/${id}`)).body.data).toMatchObject({ status: "draft", text: "Old" });
    const changed = await update(id, { text: "New" });
    expect([changed.status, countsOf(changed)[0]]).toEqual([200, "120"]);
    expect((await send("POST", `/v1/posts/${id}/cancel`)).status).toBe(200);
    expect(sandbox.bluesky.posts()).toEqual([]);
  });

  it("thirty times a minute, and exactly as many concurrent ones get through", async () => {
    const { create, handler, key, sandbox, clock } = await createWorld();
    const posts = await Promise.all(Array.from({ length: 32 }, () => create()));
    const json = { publish_now: true };
    const answers = await clock.run(() =>
      Promise.all(posts.map(({ id }) => handler(toRequest("PATCH", `/v1/posts/${id}`, { key, json })))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(sandbox.bluesky.posts()).toHaveLength(30);
  });
});

it("a failed post is changed and published, and causes one more event", async () => {
  const rest = await createWorld();
  const { send, sandbox, clock, social, update } = rest;
  await send("POST", "/v1/webhooks", { json: { url: sandbox.receivers.url("host"), events: [] } });
  const { id: profileId } = await connectWebhook(rest);
  sandbox.discord.faults.add({
    kind: "refuse",
    answer: { status: 400, json: { code: 50_006, message: "Cannot send an empty message" } },
    operation: "commit",
  });
  const { body } = await send("POST", "/v1/posts", { json: { profile_ids: [profileId], text: "Old" } });
  const { id, status } = body.data as Post;
  expect(status).toBe("failed");
  expect(((await update(id, { text: "New", publish_now: true })).body.data as Post).status).toBe("published");
  await clock.run(() => social.runDue());
  const events = sandbox.receivers.deliveries().map(({ body }) => JSON.parse(body) as { type: string });
  expect(events.map(({ type }) => type).sort()).toEqual(["post.failed", "post.published", "profile.connected"]);
});
