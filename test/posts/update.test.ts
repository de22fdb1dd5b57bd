import { beforeEach, describe, expect, it } from "vitest";
import type { UpdatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { png } from "../media/samples.ts";
import { connectWebhook } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createDesk, hourMs } from "./desk.ts";

const desk = createDesk({ text: "Old" });
const { at, create, schedule, update, runDueAfter, shown } = desk;

beforeEach(() => desk.setUp());

function createFailed(): Promise<Post> {
  desk.refuseNext();
  return create({ profile_ids: [desk.mastodon.id] });
}

function picture(name: string): string {
  return desk.service.sandbox.media.put(name, png(40, 40), { contentType: "image/png" });
}

describe("an update", () => {
  const card = { url: "https://example.com/", title: null, description: null, image_url: null };

  it.each<[string, UpdatePost, Partial<Post>]>([
    ["text", { text: "New" }, { text: "New" }],
    ["text, with an empty one", { text: "" }, { text: "" }],
    ["link", { link: "https://example.com/" }, { link: card }],
    ["link, with none", { link: null }, { link: null }],
    ["post_type", { post_type: "story" }, { post_type: "story" }],
    ["title", { title: "New" }, { title: "New" }],
    ["title, with none", { title: null }, { title: null }],
    ["thread", { thread: ["One", "Two", "Three"] }, { thread: ["One", "Two", "Three"] }],
    ["thread, with none", { thread: null }, { thread: null }],
    ["auto_thread", { auto_thread: false }, { auto_thread: false }],
    ["media, with none", { media: [] }, { media: [] }],
    [
      "networks, all of them",
      { networks: { mastodon: { visibility: "unlisted" } } },
      { networks: { mastodon: { visibility: "unlisted" } } },
    ],
    ["networks, with none", { networks: {} }, { networks: {} }],
    ["nothing, where the field is undefined", { text: undefined, profile_ids: undefined } as object, {}],
    ["nothing, where it names no field", {}, {}],
  ])("replaces %s, and keeps the rest", async (_, body, expected) => {
    const before = await create({
      draft: true,
      scheduled_at: at(hourMs),
      media: [{ url: picture("old.png"), alt: "Old" }],
      link: { url: "https://example.com/old", title: "Old" },
      title: "Old",
      thread: ["One", "Two"],
      auto_thread: true,
      networks: { bluesky: { langs: ["en"] }, mastodon: { spoiler_text: "Old" } },
      idempotency_key: "article-4711",
    });
    await desk.service.clock.advance(5_000);
    const after = await update(before.id, body);
    const { updated_at, targets, ...rest } = before;
    expect(after).toMatchObject({ ...rest, ...expected });
    expect(Date.parse(after.updated_at) - Date.parse(updated_at)).toBe(5_000);
    expect(after.targets.map(({ profile_id }) => profile_id)).toEqual(targets.map(({ profile_id }) => profile_id));
    expect(await desk.service.social.posts.get(before.id)).toEqual(after);
  });

  it("replaces a file whole: its alt text is gone with it", async () => {
    const post = await schedule({ media: [{ url: picture("old.png"), alt: "Old" }] });
    const url = picture("new.png");
    expect((await update(post.id, { media: [url] })).media).toMatchObject([{ url, alt: null }]);
    await runDueAfter(hourMs);
    expect(desk.service.sandbox.bluesky.posts()).toMatchObject([{ media: 1, text: "Old" }]);
  });

  it("makes the post publish the new content at its time, once", async () => {
    const post = await schedule({ networks: { mastodon: { text: "Old, fediverse" } } });
    await update(post.id, { text: "Newer", networks: {} });
    await update(post.id, { text: "New" });
    await runDueAfter(hourMs);
    await runDueAfter(hourMs);
    expect(shown()).toEqual(["New", "New"]);
    expect(desk.events).toEqual(["post.published New"]);
  });

  it.each([
    ["an unknown field", { txt: "New" }, "txt"],
    ["an idempotency key", { idempotency_key: "article-4711" }, "idempotency_key"],
    ["a status", { status: "published" }, "status"],
    ["null as profiles", { profile_ids: [] }, "profile_ids"],
    ["no profiles", { profile_ids: null }, "profile_ids"],
    ["no text", { text: null }, "text"],
    ["text that is no time", { scheduled_at: "tomorrow" }, "scheduled_at"],
    ["an empty thread", { thread: [] }, "thread"],
    ["a network's wrong option", { networks: { bluesky: { colour: "red" } } }, "networks.bluesky.colour"],
  ])("with %s is rejected by field, and changes nothing", async (_, body, field) => {
    const before = await schedule();
    const error = await failureOf(update(before.id, body as object));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.details.map((detail) => detail.field)).toContain(field);
    expect(await desk.service.social.posts.get(before.id)).toEqual(before);
  });

  it("is planned like a new post: content that a network would refuse is listed by network, and changes nothing", async () => {
    const before = await schedule();
    const tooLong = await failureOf(update(before.id, { text: "x".repeat(400) }));
    expect(tooLong.details).toMatchObject([{ field: "text", network: "bluesky" }]);
    const missing = await failureOf(update(before.id, { media: ["https://media.sandbox.example/gone.png"] }));
    expect(missing.details).toMatchObject([
      { network: "bluesky", code: "media_error", field: "media[0]" },
      { network: "mastodon", code: "media_error", field: "media[0]" },
    ]);
    const twice = await failureOf(update(before.id, { profile_ids: [desk.bluesky.id, desk.bluesky.id] }));
    expect(twice.details).toMatchObject([{ field: "profile_ids[1]" }]);
    expect(await desk.service.social.posts.get(before.id)).toEqual(before);
    await update(before.id, { text: "x".repeat(400), profile_ids: [desk.mastodon.id] });
  });

  it("checks the plan again: 402 where it does not cover a profile", async () => {
    const covered = new Set<string>();
    await desk.setUp({ entitlements: ({ profile }) => covered.has(profile.network) });
    covered.add("bluesky");
    const post = await schedule({ profile_ids: [desk.bluesky.id] });
    const error = await failureOf(update(post.id, { profile_ids: [desk.bluesky.id, desk.mastodon.id] }));
    expect(error).toMatchObject({ code: "payment_required", details: [{ network: "mastodon" }] });
    covered.clear();
    expect((await failureOf(update(post.id, { text: "New" }))).code).toBe("payment_required");
    expect((await desk.service.social.posts.get(post.id)).text).toBe("Old");
  });

  it("makes new targets when profiles are added, removed or reordered", async () => {
    const webhook = await connectWebhook(desk.service);
    const before = await schedule();
    const after = await update(before.id, { profile_ids: [webhook.id, desk.bluesky.id] });
    expect(after.targets.map(({ profile_id, status, attempts }) => [profile_id, status, attempts])).toEqual([
      [webhook.id, "pending", 0],
      [desk.bluesky.id, "pending", 0],
    ]);
    const old = new Set(before.targets.map(({ id }) => id));
    expect(after.targets.filter(({ id }) => old.has(id))).toEqual([]);
    const onMastodon = await desk.service.social.posts.list({ profile_id: desk.mastodon.id });
    expect(onMastodon.data).toEqual([]);
    await runDueAfter(hourMs);
    const { sandbox } = desk.service;
    expect([sandbox.bluesky, sandbox.discord, sandbox.mastodon].map((network) => network.posts().length)).toEqual([
      1, 1, 0,
    ]);
  });
});

describe("the time of a scheduled post", () => {
  it("is moved: nothing goes out at the old one, by sweep or by alarm", async () => {
    await desk.service.social.start();
    const post = await schedule();
    expect(await update(post.id, { scheduled_at: at(3 * hourMs) })).toMatchObject({ status: "scheduled" });
    await desk.service.clock.advance(2 * hourMs);
    expect(shown()).toEqual([]);
    await desk.service.clock.advance(hourMs);
    expect(shown()).toEqual(["Old", "Old"]);
    await desk.service.social.stop();
  });

  it("is moved to an earlier one, whose alarm rings", async () => {
    await desk.service.social.start();
    const post = await schedule({ scheduled_at: at(100 * hourMs) });
    await update(post.id, { scheduled_at: at(hourMs) });
    await desk.service.clock.advance(hourMs);
    expect(shown()).toEqual(["Old", "Old"]);
    await desk.service.social.stop();
  });

  it("sets an alarm for each profile", async () => {
    const alarms: [number, string][] = [];
    const wake = (time: number, key: string) => void alarms.push([time, key]);
    await desk.setUp({ scheduler: { start: async () => {}, wake, stop: async () => {} } });
    const post = await schedule();
    alarms.length = 0;
    const scheduled_at = at(2 * hourMs);
    await update(post.id, { scheduled_at });
    expect(alarms).toEqual([desk.bluesky.id, desk.mastodon.id].map((id) => [Date.parse(scheduled_at), id]));
  });

  it.each<[string, (post: Post) => UpdatePost]>([
    ["a time in the past", () => ({ scheduled_at: at(-hourMs), text: "New" })],
    ["a time less than a minute ahead", () => ({ scheduled_at: at(59_999), text: "New" })],
    ["publish_now", () => ({ publish_now: true, text: "New" })],
    ["publish_now and another time", () => ({ publish_now: true, scheduled_at: at(9 * hourMs), text: "New" })],
  ])("is now with %s, and the post never goes out again", async (_, bodyFor) => {
    const post = await schedule();
    const after = await update(post.id, bodyFor(post));
    expect(after).toMatchObject({ status: "published", targets: [{ attempts: 1 }, { attempts: 1 }] });
    await runDueAfter(10 * hourMs);
    expect(shown()).toEqual(["New", "New"]);
    expect(desk.events).toEqual(["post.published New"]);
  });

  it("is waited for when it is a minute ahead", async () => {
    const post = await schedule();
    expect((await update(post.id, { scheduled_at: at(60_000) })).status).toBe("scheduled");
    expect(shown()).toEqual([]);
  });

  it.each([
    ["nothing else", {}],
    ["draft: false", { draft: false }],
  ])("stays unchanged, however near, when only the text is changed with %s", async (_, more) => {
    const post = await schedule();
    await desk.service.clock.advance(hourMs - 30_000);
    const after = await update(post.id, { text: "New", ...more });
    expect(after).toMatchObject({ status: "scheduled", scheduled_at: post.scheduled_at });
    expect(shown()).toEqual([]);
    await runDueAfter(29_999);
    expect(shown()).toEqual([]);
    await runDueAfter(1);
    expect(shown()).toEqual(["New", "New"]);
  });

  it("that passed while no process ran still starts the post as changed since", async () => {
    const post = await schedule();
    await desk.service.clock.advance(2 * hourMs);
    expect((await update(post.id, { text: "New" })).status).toBe("scheduled");
    await runDueAfter(0);
    expect(shown()).toEqual(["New", "New"]);
  });

  it("set to null makes a draft without a time", async () => {
    const post = await schedule();
    expect(await update(post.id, { scheduled_at: null })).toMatchObject({ status: "draft", scheduled_at: null });
    await runDueAfter(2 * hourMs);
    expect(shown()).toEqual([]);
  });

  it("is kept by draft: true, which stops the post all the same", async () => {
    const post = await schedule();
    const draft = await update(post.id, { draft: true });
    expect(draft).toMatchObject({ status: "draft", scheduled_at: post.scheduled_at });
    await runDueAfter(2 * hourMs);
    expect(shown()).toEqual([]);
  });
});

describe("a disconnected profile", () => {
  it("is rejected when the post is to go out now, else reported when the post is due", async () => {
    const post = await schedule();
    await desk.service.clock.run(() => desk.service.social.profiles.disconnect(desk.mastodon.id));
    const error = await failureOf(update(post.id, { publish_now: true }));
    expect(error.details).toMatchObject([
      { field: "profile_ids[1]", network: "mastodon", code: "profile_unavailable" },
    ]);
    expect((await update(post.id, { text: "New" })).status).toBe("scheduled");
    await runDueAfter(hourMs);
    expect(await desk.service.social.posts.get(post.id)).toMatchObject({
      status: "partially_published",
      targets: [{ status: "published" }, { status: "failed", error: { code: "profile_unavailable" } }],
    });
  });
});

describe("a failed post without a live part", () => {
  it.each<[string, () => UpdatePost, string]>([
    ["is published", () => ({ text: "New", publish_now: true }), "published"],
    ["is published by a time that is over", () => ({ text: "New", scheduled_at: at(-1) }), "published"],
    ["is scheduled", () => ({ text: "New", scheduled_at: at(hourMs) }), "scheduled"],
    ["is kept as a draft", () => ({ text: "New" }), "draft"],
    ["is kept as a draft with a time", () => ({ text: "New", scheduled_at: at(hourMs), draft: true }), "draft"],
  ])("%s, following the update", async (_, bodyFor, status) => {
    const failed = await createFailed();
    expect(failed.status).toBe("failed");
    const after = await update(failed.id, bodyFor());
    const attempts = status === "published" ? 1 : 0;
    expect(after).toMatchObject({ id: failed.id, status, targets: [{ attempts, error: null }] });
    await runDueAfter(hourMs);
    expect(shown()).toEqual(status === "draft" ? [] : ["New"]);
    expect(desk.events).toEqual(["post.failed Old", ...(status === "draft" ? [] : ["post.published New"])]);
  });

  it("that was to go out with publish_now becomes a draft", async () => {
    desk.refuseNext();
    const failed = await create({ profile_ids: [desk.mastodon.id], publish_now: true });
    expect((await update(failed.id, { text: "New" })).status).toBe("draft");
    expect((await update(failed.id, { draft: false, scheduled_at: at(hourMs) })).status).toBe("scheduled");
    expect(shown()).toEqual([]);
  });

  it("that was scheduled becomes a draft, whose old time has no effect", async () => {
    const post = await schedule({ profile_ids: [desk.mastodon.id] });
    desk.refuseNext();
    await runDueAfter(hourMs);
    expect((await desk.service.social.posts.get(post.id)).status).toBe("failed");
    expect((await update(post.id, { text: "New" })).status).toBe("draft");
    await runDueAfter(hourMs);
    expect(shown()).toEqual([]);
    expect((await update(post.id, { draft: false })).status).toBe("published");
    expect(shown()).toEqual(["New"]);
  });

  it("settles again: one more event, and one more delivery with its current content", async () => {
    const { social, sandbox, clock } = desk.service;
    const endpoint = await clock.run(() => social.webhooks.create({ url: sandbox.receivers.url("host") }));
    const failed = await createFailed();
    await runDueAfter(1_000);
    await update(failed.id, { text: "New", publish_now: true });
    await runDueAfter(0);
    const { data } = await social.webhooks.deliveries.list(endpoint.id);
    expect(data.map(({ event, status }) => [event, status])).toEqual([
      ["post.published", "delivered"],
      ["post.failed", "delivered"],
    ]);
    expect(data.map((delivery) => (delivery.data as { post: Post }).post.text)).toEqual(["New", "Old"]);
    expect(sandbox.receivers.deliveries()).toHaveLength(2);
  });

  it("can fail again, and be updated again", async () => {
    const failed = await createFailed();
    desk.refuseNext();
    expect((await update(failed.id, { text: "Newer", publish_now: true })).status).toBe("failed");
    expect((await update(failed.id, { text: "New", publish_now: true })).status).toBe("published");
    expect(shown()).toEqual(["New"]);
    expect(desk.events).toEqual(["post.failed Old", "post.failed Newer", "post.published New"]);
  });

  it("forgets the profile that it failed on", async () => {
    const failed = await createFailed();
    const after = await update(failed.id, { profile_ids: [desk.bluesky.id], publish_now: true });
    expect(after).toMatchObject({ status: "published", targets: [{ network: "bluesky" }] });
    expect(desk.service.sandbox.mastodon.posts()).toEqual([]);
  });
});

describe("a post that is out, or may be", () => {
  it("rejects an update where a part is live", async () => {
    desk.refuseNext(1);
    const halfLive = await create({ profile_ids: [desk.mastodon.id], thread: ["One", "Two"] });
    expect(halfLive.status).toBe("failed");
    const error = await failureOf(update(halfLive.id, { text: "New" }));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    expect(error.message).toContain("live");
    expect(await desk.service.social.posts.get(halfLive.id)).toEqual(halfLive);
  });

  it("rejects an update where it may be live", async () => {
    const webhook = await connectWebhook(desk.service);
    desk.service.sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
    const doubtful = await create({ profile_ids: [webhook.id] });
    expect(doubtful.targets[0]?.error?.code).toBe("timeout");
    const error = await failureOf(update(doubtful.id, { publish_now: true }));
    expect(error.code).toBe("conflict");
    expect(desk.service.sandbox.discord.posts()).toHaveLength(1);
  });

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
      "publishing",
      async () => {
        await desk.setUp({ publishWaitMs: 1_000 });
        desk.service.sandbox.bluesky.faults.add({ kind: "hang", operation: "commit" });
        return create({ profile_ids: [desk.bluesky.id] });
      },
    ],
    [
      "cancelled",
      async () => {
        const post = await schedule();
        return desk.service.social.posts.cancel(post.id);
      },
    ],
  ])("rejects an update, with its status in the error: %s", async (status, make) => {
    const post = await make();
    expect(post.status).toBe(status);
    for (const body of [{ text: "New" }, { publish_now: true }, { draft: true }, {}]) {
      const error = await failureOf(update(post.id, body));
      expect(error).toMatchObject({ code: "conflict", status: 409 });
      expect(error.message).toContain(`The post is ${status};`);
    }
    expect((await desk.service.social.posts.get(post.id)).text).toBe("Old");
    expect(shown()).not.toContain("New");
  });
});
