import { beforeEach, describe, expect, it } from "vitest";
import type { Post } from "../../src/publishing/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectMastodon, connectWebhook } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createProcess } from "../support/process.ts";
import { createTestService } from "../support/service.ts";
import { isWhole, shareNumber } from "../support/share.ts";
import { createDesk, hourMs, raceOn } from "./desk.ts";

const desk = createDesk({ text: "Hello" });
const { create, shown } = desk;
const key = "retry-0001";

const options = { idempotency_key: key };

function createFailed(): Promise<Post> {
  desk.refuseNext();
  return create({ profile_ids: [desk.mastodon.id] });
}

function retry(id: string, given: object = options): Promise<Post> {
  return desk.service.clock.run(() => desk.service.social.posts.retry(id, given));
}

describe("a retry under an idempotency key", () => {
  beforeEach(() => desk.setUp());

  it("begins once: a repetition returns the post in its current state", async () => {
    const { social, clock } = desk.service;
    const failed = await createFailed();
    desk.refuseNext();
    const first = await clock.run(() => social.posts.retryOrReplay(failed.id, options));
    expect(first).toMatchObject({ replayed: false, post: { status: "failed", targets: [{ attempts: 2 }] } });
    const second = await clock.run(() => social.posts.retryOrReplay(failed.id, options));
    expect(second).toEqual({ replayed: true, post: first.post });
    expect(shown()).toEqual([]);
    const third = await retry(failed.id, { idempotency_key: "retry-0002" });
    expect(third).toMatchObject({ status: "published", targets: [{ attempts: 3 }] });
    expect(await retry(failed.id)).toEqual(third);
    expect(shown()).toEqual(["Hello"]);
  });

  it("publishes nothing twice when it is forced and repeated", async () => {
    const webhook = await connectWebhook(desk.service);
    const { faults } = desk.service.sandbox.discord;
    faults.add({ kind: "drop_after", operation: "commit", times: 2 });
    const post = await create({ profile_ids: [webhook.id] });
    const forced = await retry(post.id, { ...options, force: true });
    expect(forced).toMatchObject({ status: "failed", targets: [{ error: { code: "timeout" } }] });
    expect(shown()).toHaveLength(2);
    expect(await retry(post.id, { ...options, force: true })).toEqual(forced);
    expect(shown()).toHaveLength(2);
  });

  it.each<[string, object]>([
    ["force", { force: true }],
    ["another post's profile", { profile_ids: ["prof_none"] }],
    ["an unknown field", { forced: true }],
  ])("returns the first result, whatever else a repetition holds: %s", async (_, more) => {
    const failed = await createFailed();
    const first = await retry(failed.id);
    expect(await retry(failed.id, { ...options, ...more })).toEqual(first);
  });

  it("belongs to the post: the same key begins a retry of another post, even the key that created the post", async () => {
    const made = "article-4711";
    desk.refuseNext();
    const one = await create({ profile_ids: [desk.mastodon.id], idempotency_key: made });
    const another = await createFailed();
    for (const { id } of [one, another]) expect((await retry(id, { idempotency_key: made })).status).toBe("published");
    expect(shown()).toEqual(["Hello", "Hello"]);
  });

  it("leaves its key unused when it is rejected", async () => {
    let isCovered = true;
    await desk.setUp({ entitlements: () => isCovered });
    const failed = await createFailed();
    isCovered = false;
    expect((await failureOf(retry(failed.id))).code).toBe("payment_required");
    expect((await failureOf(retry(failed.id, { ...options, forced: true }))).code).toBe("invalid_request");
    isCovered = true;
    expect((await retry(failed.id)).status).toBe("published");
  });

  it.each(["", "seven77", "x".repeat(256), 7, "a\0b-padding"])("is rejected by field: %j", async (given) => {
    const failed = await createFailed();
    const error = await failureOf(retry(failed.id, { idempotency_key: given }));
    expect(error.details).toMatchObject([{ field: "idempotency_key" }]);
    expect(shown()).toEqual([]);
  });

  it("stays known when a failed post is changed afterwards", async () => {
    const failed = await createFailed();
    desk.refuseNext();
    await retry(failed.id);
    desk.refuseNext();
    const changed = await desk.update(failed.id, { text: "New", publish_now: true });
    expect(changed.status).toBe("failed");
    expect(await retry(failed.id)).toEqual(changed);
    expect((await retry(failed.id, {})).status).toBe("published");
  });

  it("stays known for a hundred retries of the post", async () => {
    const failed = await createFailed();
    for (let count = 0; count < 101; count++) {
      desk.refuseNext();
      await retry(failed.id, { idempotency_key: `retry-${1000 + count}` });
    }
    const attemptsAfter = async (given: string): Promise<number | undefined> => {
      desk.refuseNext();
      return (await retry(failed.id, { idempotency_key: given })).targets[0]?.attempts;
    };
    expect(await attemptsAfter("retry-1001")).toBe(102);
    expect(await attemptsAfter("retry-1000")).toBe(103);
  });
});

describe("of two concurrent retries under one key", () => {
  it("one begins, and the other waits for it and sends nothing", async () => {
    await desk.setUp();
    const { social, clock, sandbox } = desk.service;
    const failed = await createFailed();
    const answers = await clock.run(() =>
      Promise.all(Array.from({ length: 20 }, () => social.posts.retryOrReplay(failed.id, options))),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    for (const { post } of answers) expect(post).toMatchObject({ status: "published", targets: [{ attempts: 2 }] });
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });

  it.each([
    ["before the other has written", "publishing"],
    ["and ended, before the other has read the targets", "targets"],
  ] as const)("one begins in another process, %s", async (_, moment) => {
    const { overtake, other } = await raceOn(desk);
    const failed = await createFailed();
    desk.refuseNext();
    let winner: Post | undefined;
    overtake(moment, async () => {
      winner = await other.posts.retry(failed.id, options);
    });
    const { social, clock } = desk.service;
    const answer = await clock.run(() => social.posts.retryOrReplay(failed.id, options));
    expect(answer).toEqual({ post: winner, replayed: true });
    expect(answer.post).toMatchObject({ status: "failed", targets: [{ attempts: 2 }] });
  });

  it("one under another key is rejected, since the post has changed meanwhile", async () => {
    const { overtake, other } = await raceOn(desk);
    const failed = await createFailed();
    overtake("publishing", () => other.posts.retry(failed.id, options));
    expect((await failureOf(retry(failed.id, { idempotency_key: "retry-0002" }))).code).toBe("conflict");
    expect(shown()).toEqual(["Hello"]);
  });
});

it("a retry whose process dies at any moment, and that is repeated under its key, publishes once", async () => {
  let ends = 0;
  const every = isWhole ? 1 : 3;
  for (let dieAt = shareNumber % every; ends < 2; dieAt += every) {
    const clock = manualClock();
    const storage = memoryStorage({ clock });
    const service = createTestService({ clock, storage });
    const { social, sandbox } = service;
    const { id: profileId } = await connectMastodon(service);
    const refusal = { status: 422, json: { error: "Validation failed: Text is not nice" } };
    sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
    const failed = await clock.run(() => social.posts.create({ profile_ids: [profileId], text: "Hello" }));
    const process = createProcess({ storage, sandbox, clock, dieAt, mortalReads: true });
    await clock.run(() => Promise.race([process.social.posts.retry(failed.id, options), process.died]));
    if (!process.isDead()) ends += 1;
    await clock.run(() => social.posts.retry(failed.id, options));
    for (let hour = 0; hour < 3; hour++) {
      await clock.advance(hourMs);
      await clock.run(() => social.runDue());
    }
    const post = await clock.run(() => social.posts.retry(failed.id, options));
    expect(post, `died at ${dieAt}`).toMatchObject({ status: "published", targets: [{ attempts: 2 }] });
    expect(sandbox.mastodon.posts(), `died at ${dieAt}`).toHaveLength(1);
    expect(dieAt).toBeLessThan(500);
  }
});
