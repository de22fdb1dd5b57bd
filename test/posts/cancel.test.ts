import { beforeEach, describe, expect, it } from "vitest";
import type { Post } from "../../src/publishing/schema.ts";
import { failureOf } from "../support/failure.ts";
import { createProcess } from "../support/process.ts";
import { createDesk, hourMs, raceOn } from "./desk.ts";

const desk = createDesk({ text: "Hello" });
const { create, schedule, cancel, runDueAfter, shown } = desk;

beforeEach(() => desk.setUp());

describe("a cancelled post", () => {
  it.each([
    ["a scheduled one", () => schedule()],
    ["a draft", () => create({ draft: true })],
    ["a draft with a time", async () => desk.service.social.posts.update((await schedule()).id, { draft: true })],
  ])("keeps its content, and its targets are skipped: %s", async (_, make) => {
    const before = await make();
    await desk.service.clock.advance(5_000);
    const after = await cancel(before.id);
    expect(after).toEqual({
      ...before,
      status: "cancelled",
      updated_at: new Date(desk.service.clock.now()).toISOString(),
      targets: before.targets.map((target) => ({ ...target, status: "skipped" })),
    });
    expect(await desk.service.social.posts.get(before.id)).toEqual(after);
  });

  it("is never published, announced or delivered when its time comes, neither by alarm nor by sweep", async () => {
    const { social, clock, sandbox, storage } = desk.service;
    const endpoint = await clock.run(() => social.webhooks.create({ url: sandbox.receivers.url("host") }));
    const other = createProcess({ storage, sandbox, clock });
    await social.start();
    await other.social.start();
    const post = await schedule();
    await cancel(post.id);
    await clock.advance(2 * hourMs);
    await social.stop();
    await other.social.stop();
    await runDueAfter(24 * hourMs);
    expect(shown()).toEqual([]);
    expect(desk.events).toEqual([]);
    expect((await social.webhooks.deliveries.list(endpoint.id)).data).toEqual([]);
    expect((await social.posts.get(post.id)).status).toBe("cancelled");
  });

  it("leaves the profiles' other posts alone", async () => {
    const post = await schedule();
    const other = await schedule();
    await cancel(post.id);
    await runDueAfter(hourMs);
    expect((await desk.service.social.posts.get(other.id)).status).toBe("published");
    expect(shown()).toHaveLength(2);
  });

  it("stays cancelled: it accepts no retry and no second cancellation", async () => {
    const { id } = await cancel((await schedule()).id);
    const retried = await failureOf(desk.service.clock.run(() => desk.service.social.posts.retry(id)));
    expect(retried).toMatchObject({ code: "conflict", status: 409 });
    const again = await failureOf(cancel(id));
    expect(again).toMatchObject({ code: "conflict", status: 409 });
    expect(again.message).toContain("The post is cancelled;");
  });

  it("is not found by another account", async () => {
    const { id } = await schedule();
    const error = await failureOf(desk.service.social.forAccount("acct_42").posts.cancel(id));
    expect(error.code).toBe("not_found");
    expect((await desk.service.social.posts.get(id)).status).toBe("scheduled");
  });
});

describe("a post that has begun cannot be cancelled", () => {
  it.each<[string, () => Promise<Post>]>([
    ["published", () => create()],
    [
      "partially_published",
      () => {
        desk.refuseNext();
        return create();
      },
    ],
    [
      "failed",
      () => {
        desk.refuseNext();
        return create({ profile_ids: [desk.mastodon.id] });
      },
    ],
    [
      "publishing",
      async () => {
        await desk.setUp({ publishWaitMs: 1_000 });
        desk.service.sandbox.bluesky.faults.add({ kind: "hang", operation: "commit" });
        return create({ profile_ids: [desk.bluesky.id] });
      },
    ],
  ])("and the error names the status: %s", async (status, make) => {
    const post = await make();
    expect(post.status).toBe(status);
    const error = await failureOf(cancel(post.id));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    expect(error.message).toContain(`The post is ${status};`);
    expect(await desk.service.social.posts.get(post.id)).toMatchObject({ status });
  });
});

describe("when a cancellation and another change race, one wins", () => {
  it("the start wins: the post is published, and the cancellation is rejected", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("cancelled", async () => {
      await desk.service.clock.sleep(hourMs);
      await other.runDue();
    });
    expect(await failureOf(cancel(post.id))).toMatchObject({ code: "conflict", status: 409 });
    expect(await desk.service.social.posts.get(post.id)).toMatchObject({
      status: "published",
      targets: [{ status: "published" }, { status: "published" }],
    });
    expect(shown()).toEqual(["Hello", "Hello"]);
  });

  it("the cancellation wins: nothing is published, and the start continues with other posts", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    await schedule({ scheduled_at: desk.at(hourMs + 1) });
    overtake("publishing", () => other.posts.cancel(post.id));
    await runDueAfter(hourMs);
    await runDueAfter(hourMs);
    expect((await desk.service.social.posts.get(post.id)).status).toBe("cancelled");
    expect(shown()).toEqual(["Hello", "Hello"]);
    expect(desk.events).toEqual(["post.published Hello"]);
  });

  it("the cancellation wins: an update that publishes sends nothing", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("publishing", () => other.posts.cancel(post.id));
    const updating = desk.service.clock.run(() => desk.service.social.posts.update(post.id, { publish_now: true }));
    expect((await failureOf(updating)).code).toBe("conflict");
    expect(await desk.service.social.posts.get(post.id)).toMatchObject({
      status: "cancelled",
      targets: [{ status: "skipped" }, { status: "skipped" }],
    });
    expect(shown()).toEqual([]);
  });

  it("the update wins: its targets stay, and the cancellation is rejected", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("cancelled", () => other.posts.update(post.id, { profile_ids: [desk.mastodon.id] }));
    expect((await failureOf(cancel(post.id))).code).toBe("conflict");
    await runDueAfter(hourMs);
    expect(desk.service.sandbox.mastodon.posts()).toHaveLength(1);
    expect(desk.service.sandbox.bluesky.posts()).toEqual([]);
  });

  it("the first cancellation wins: the second is rejected", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("cancelled", () => other.posts.cancel(post.id));
    expect((await failureOf(cancel(post.id))).code).toBe("conflict");
    expect((await desk.service.social.posts.get(post.id)).status).toBe("cancelled");
  });
});
