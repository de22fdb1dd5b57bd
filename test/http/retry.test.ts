import { describe, expect, it } from "vitest";
import type { Post } from "../../src/publishing/schema.ts";
import { connectBluesky, connectMastodon, connectWebhook } from "../support/connect.ts";
import { type Answer, createRest, fieldsOf, type Rest, toRequest } from "./rest.ts";

const key = "retry-0001";

interface World extends Rest {
  /** Live on Bluesky, refused by Mastodon; the outcome on the webhook is unknown. */
  post: Post;
  retry(json?: object, headers?: Record<string, string>): Promise<Answer>;
  refuseNext(): void;
}

async function createWorld(): Promise<World> {
  const rest = await createRest();
  const { sandbox, send } = rest;
  const profiles = [await connectBluesky(rest), await connectMastodon(rest), await connectWebhook(rest)];
  const answer = { status: 422, json: { error: "Validation failed: Text is not nice" } };
  const refuseNext = () => sandbox.mastodon.faults.add({ kind: "refuse", answer, operation: "commit" });
  refuseNext();
  sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
  const json = { profile_ids: profiles.map(({ id }) => id), text: "Hello" };
  const { body } = await send("POST", "/v1/posts", { json });
  const post = body.data as Post;
  expect(post.targets.map(({ status, error }) => error?.code ?? status)).toEqual([
    "published",
    "invalid_request",
    "timeout",
  ]);
  const retry: World["retry"] = (json, headers = {}) =>
    send("POST", `/v1/posts/${post.id}/retry`, { ...(json === undefined ? {} : { json }), headers });
  return { ...rest, post, retry, refuseNext };
}

function isReplay({ headers }: Answer): boolean {
  return headers.get("idempotent-replay") === "true";
}

describe("POST /v1/posts/{postId}/retry", () => {
  it("starts targets that are known to have failed, and warns of those that it left out", async () => {
    const { retry, send, post, sandbox } = await createWorld();
    const answer = await retry();
    expect(answer.status).toBe(200);
    const { targets } = answer.body.data as Post;
    expect(targets.map(({ attempts, warnings }) => [attempts, warnings?.length])).toEqual([
      [1, undefined],
      [2, undefined],
      [1, 1],
    ]);
    expect((await send("GET", `/v1/posts/${post.id}`)).body).toEqual(answer.body);
    expect(sandbox.discord.posts()).toHaveLength(1);
  });

  it("rejects a profile whose target may be live, and lists the safe ones", async () => {
    const { retry, post } = await createWorld();
    const [, mastodon, webhook] = post.targets.map(({ profile_id }) => profile_id);
    const answer = await retry({ profile_ids: [mastodon, webhook] });
    expect([answer.status, answer.body.error?.code, fieldsOf(answer)]).toEqual([
      409,
      "conflict",
      ["profile_ids", "profile_ids[1]"],
    ]);
    const safe = answer.body.error?.details?.[0]?.profile_ids;
    expect(safe).toEqual([mastodon]);
    expect((await retry({ profile_ids: safe })).status).toBe(200);
    const last = await retry();
    expect([last.status, fieldsOf(last)]).toEqual([409, [undefined]]);
  });

  it.each<[string, object | undefined, Record<string, string>]>([
    ["in the header, without a body", undefined, { "idempotency-key": key }],
    ["in the body", { idempotency_key: key }, {}],
    ["in both, the same", { idempotency_key: key }, { "idempotency-key": key }],
  ])("accepts an idempotency key %s: the same key again begins nothing", async (_, json, headers) => {
    const { retry, refuseNext, sandbox } = await createWorld();
    refuseNext();
    const first = await retry(json, headers);
    expect([first.status, isReplay(first)]).toEqual([200, false]);
    const second = await retry(json, headers);
    expect([second.status, isReplay(second), second.text]).toEqual([200, true, first.text]);
    const crossed = await retry({ idempotency_key: key, force: true, more: 1 });
    expect([crossed.status, isReplay(crossed), crossed.text]).toEqual([200, true, first.text]);
    expect(sandbox.mastodon.posts()).toEqual([]);
    const another = await retry({}, { "idempotency-key": "retry-0002" });
    expect([another.status, isReplay(another)]).toEqual([200, false]);
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });

  it.each(["", "seven77", "x".repeat(256)])("rejects a key of a wrong length by field: %j", async (given) => {
    const { retry } = await createWorld();
    for (const answer of [await retry({}, { "idempotency-key": given }), await retry({ idempotency_key: given })])
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["idempotency_key"]]);
  });

  it("rejects two keys that differ", async () => {
    const { retry } = await createWorld();
    const answer = await retry({ idempotency_key: "retry-0002" }, { "idempotency-key": key });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["idempotency_key"]]);
    expect((await retry({ idempotency_key: key })).status).toBe(200);
  });

  it("begins once for concurrent requests under one key", async () => {
    const { handler, clock, post, sandbox, social } = await createWorld();
    const { key: apiKey } = await social.keys.create();
    const requests = Array.from({ length: 25 }, () =>
      toRequest("POST", `/v1/posts/${post.id}/retry`, { key: apiKey, headers: { "idempotency-key": key } }),
    );
    const answers = await clock.run(() => Promise.all(requests.map((request) => handler(request))));
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
    expect(answers.filter(({ headers }) => headers.get("idempotent-replay") === null)).toHaveLength(1);
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });

  it("shows another account nothing through its key", async () => {
    const { retry, send, post, social } = await createWorld();
    await retry({ idempotency_key: key });
    const { key: theirs } = await social.keys.create({ account_id: "acct_42" });
    for (const id of [post.id, "post_none"]) {
      const answer = await send("POST", `/v1/posts/${id}/retry`, { key: theirs, json: { idempotency_key: key } });
      expect([answer.status, isReplay(answer)]).toEqual([404, false]);
    }
  });
});

describe("PATCH /v1/posts/{postId} of a partly published post", () => {
  it("changes the content of failed networks, and publishes it with publish_now", async () => {
    const { send, post, sandbox } = await createWorld();
    const path = `/v1/posts/${post.id}`;
    const mended = await send("PATCH", path, { json: { networks: { mastodon: { text: "Mended" } } } });
    expect([mended.status, (mended.body.data as Post).status]).toEqual([200, "partially_published"]);
    expect(sandbox.mastodon.posts()).toEqual([]);
    const json = { networks: { mastodon: { text: "Mended again" } }, publish_now: true };
    const published = await send("PATCH", path, { json });
    expect(published.status).toBe(200);
    expect((published.body.data as Post).targets.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["Mended again"]);
  });

  it("names each field that cannot change: 409", async () => {
    const { send, post } = await createWorld();
    const own = { text: "New" };
    const json = { text: "New", networks: { bluesky: own, mastodon: own, discord: own } };
    const answer = await send("PATCH", `/v1/posts/${post.id}`, { json });
    expect([answer.status, fieldsOf(answer)]).toEqual([409, ["text", "networks.bluesky", "networks.discord"]]);
    expect((await send("GET", `/v1/posts/${post.id}`)).body.data).toEqual(post);
  });
});
