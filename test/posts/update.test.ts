import { beforeEach, describe, expect, it } from "vitest";
import type { CreatePost, Post, UpdatePost } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { connectBluesky, connectMastodon, connectWebhook } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { overtakenStorage } from "../support/overtake.ts";
import { createProcess } from "../support/process.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let bluesky: Profile;
let mastodon: Profile;
let events: string[];

const hourMs = 3_600_000;
const refusal = { status: 422, json: { error: "Validation failed: Text is not nice" } };

beforeEach(() => setUp());

async function setUp(options: Parameters<typeof createTestService>[0] = {}): Promise<void> {
  service = createTestService(options);
  bluesky = await connectBluesky(service);
  mastodon = await connectMastodon(service);
  events = [];
  for (const name of ["post.published", "post.partially_published", "post.failed"] as const) {
    service.social.on(name, ({ post }) => events.push(`${name} ${post.text}`));
  }
}

function at(aheadMs: number): string {
  return new Date(service.clock.now() + aheadMs).toISOString();
}

function create(body: Partial<CreatePost> = {}): Promise<Post> {
  const base = { profile_ids: [bluesky.id, mastodon.id], text: "Old" };
  return service.clock.run(() => service.social.posts.create({ ...base, ...body }));
}

function schedule(body: Partial<CreatePost> = {}): Promise<Post> {
  return create({ scheduled_at: at(hourMs), ...body });
}

function createFailed(): Promise<Post> {
  service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
  return create({ profile_ids: [mastodon.id] });
}

function update(id: string, body: UpdatePost): Promise<Post> {
  return service.clock.run(() => service.social.posts.update(id, body));
}

function runDueAfter(ms: number) {
  const { social, clock } = service;
  return clock.run(async () => {
    await clock.sleep(ms);
    return social.runDue();
  });
}

function shown(): string[] {
  const { sandbox } = service;
  return [sandbox.bluesky, sandbox.mastodon, sandbox.discord].flatMap((network) =>
    network.posts().map(({ text }) => text),
  );
}

function picture(name: string): string {
  return service.sandbox.media.put(name, png(40, 40), { contentType: "image/png" });
}

describe("an update", () => {
  const card = { url: "https://example.com/", title: null, description: null, image_url: null };

  it.each<[string, UpdatePost, Partial<Post>]>([
    ["text", { text: "New" }, { text: "New" }],
    ["text, by an empty one", { text: "" }, { text: "" }],
    ["link", { link: "https://example.com/" }, { link: card }],
    ["link, by none", { link: null }, { link: null }],
    ["post_type", { post_type: "story" }, { post_type: "story" }],
    ["title", { title: "New" }, { title: "New" }],
    ["title, by none", { title: null }, { title: null }],
    ["thread", { thread: ["One", "Two", "Three"] }, { thread: ["One", "Two", "Three"] }],
    ["thread, by none", { thread: null }, { thread: null }],
    ["auto_thread", { auto_thread: false }, { auto_thread: false }],
    ["media, by none", { media: [] }, { media: [] }],
    [
      "networks, all of them",
      { networks: { mastodon: { visibility: "unlisted" } } },
      { networks: { mastodon: { visibility: "unlisted" } } },
    ],
    ["networks, by none", { networks: {} }, { networks: {} }],
    ["nothing, where the field is undefined", { text: undefined, profile_ids: undefined } as object, {}],
    ["nothing, where it names nothing", {}, {}],
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
    await service.clock.advance(5_000);
    const after = await update(before.id, body);
    const { updated_at, targets, ...rest } = before;
    expect(after).toMatchObject({ ...rest, ...expected });
    expect(Date.parse(after.updated_at) - Date.parse(updated_at)).toBe(5_000);
    expect(after.targets.map(({ profile_id }) => profile_id)).toEqual(targets.map(({ profile_id }) => profile_id));
    expect(await service.social.posts.get(before.id)).toEqual(after);
  });

  it("replaces a file whole: its words are gone with it", async () => {
    const post = await schedule({ media: [{ url: picture("old.png"), alt: "Old" }] });
    const url = picture("new.png");
    expect((await update(post.id, { media: [url] })).media).toMatchObject([{ url, alt: null }]);
    await runDueAfter(hourMs);
    expect(service.sandbox.bluesky.posts()).toMatchObject([{ media: 1, text: "Old" }]);
  });

  it("publishes at its time what it says now, once", async () => {
    const post = await schedule({ networks: { mastodon: { text: "Old, fediverse" } } });
    await update(post.id, { text: "Newer", networks: {} });
    await update(post.id, { text: "New" });
    await runDueAfter(hourMs);
    await runDueAfter(hourMs);
    expect(shown()).toEqual(["New", "New"]);
    expect(events).toEqual(["post.published New"]);
  });

  it.each([
    ["a field that is not there", { txt: "New" }, "txt"],
    ["an idempotency key", { idempotency_key: "article-4711" }, "idempotency_key"],
    ["a status", { status: "published" }, "status"],
    ["no profile at all", { profile_ids: [] }, "profile_ids"],
    ["no profiles", { profile_ids: null }, "profile_ids"],
    ["no text", { text: null }, "text"],
    ["a time that is none", { scheduled_at: "tomorrow" }, "scheduled_at"],
    ["an empty thread", { thread: [] }, "thread"],
    ["a network's wrong option", { networks: { bluesky: { colour: "red" } } }, "networks.bluesky.colour"],
  ])("with %s is refused by name, and changes nothing", async (_, body, field) => {
    const before = await schedule();
    const error = await failureOf(update(before.id, body as object));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.details.map((detail) => detail.field)).toContain(field);
    expect(await service.social.posts.get(before.id)).toEqual(before);
  });

  it("is planned like a new post: what a network would refuse is told by network, and changes nothing", async () => {
    const before = await schedule();
    const tooLong = await failureOf(update(before.id, { text: "x".repeat(400) }));
    expect(tooLong.details).toMatchObject([{ field: "text", network: "bluesky" }]);
    const missing = await failureOf(update(before.id, { media: ["https://media.sandbox.example/gone.png"] }));
    expect(missing.details).toMatchObject([
      { network: "bluesky", code: "media_error", field: "media[0]" },
      { network: "mastodon", code: "media_error", field: "media[0]" },
    ]);
    const twice = await failureOf(update(before.id, { profile_ids: [bluesky.id, bluesky.id] }));
    expect(twice.details).toMatchObject([{ field: "profile_ids[1]" }]);
    expect(await service.social.posts.get(before.id)).toEqual(before);
    await update(before.id, { text: "x".repeat(400), profile_ids: [mastodon.id] });
  });

  it("asks for the plan again: 402 where it does not cover a profile", async () => {
    const covered = new Set<string>();
    await setUp({ entitlements: ({ profile }) => covered.has(profile.network) });
    covered.add("bluesky");
    const post = await schedule({ profile_ids: [bluesky.id] });
    const error = await failureOf(update(post.id, { profile_ids: [bluesky.id, mastodon.id] }));
    expect(error).toMatchObject({ code: "payment_required", details: [{ network: "mastodon" }] });
    covered.clear();
    expect((await failureOf(update(post.id, { text: "New" }))).code).toBe("payment_required");
    expect((await service.social.posts.get(post.id)).text).toBe("Old");
  });

  it("makes new targets: added, removed, put in another order", async () => {
    const webhook = await connectWebhook(service);
    const before = await schedule();
    const after = await update(before.id, { profile_ids: [webhook.id, bluesky.id] });
    expect(after.targets.map(({ profile_id, status, attempts }) => [profile_id, status, attempts])).toEqual([
      [webhook.id, "pending", 0],
      [bluesky.id, "pending", 0],
    ]);
    const old = new Set(before.targets.map(({ id }) => id));
    expect(after.targets.filter(({ id }) => old.has(id))).toEqual([]);
    const onMastodon = await service.social.posts.list({ profile_id: mastodon.id });
    expect(onMastodon.data).toEqual([]);
    await runDueAfter(hourMs);
    const { sandbox } = service;
    expect([sandbox.bluesky, sandbox.discord, sandbox.mastodon].map((network) => network.posts().length)).toEqual([
      1, 1, 0,
    ]);
  });
});

describe("the time of a scheduled post", () => {
  it("is moved: nothing goes out at the old one, by sweep or by alarm", async () => {
    await service.social.start();
    const post = await schedule();
    expect(await update(post.id, { scheduled_at: at(3 * hourMs) })).toMatchObject({ status: "scheduled" });
    await service.clock.advance(2 * hourMs);
    expect(shown()).toEqual([]);
    await service.clock.advance(hourMs);
    expect(shown()).toEqual(["Old", "Old"]);
    await service.social.stop();
  });

  it("is moved to an earlier one, whose alarm rings", async () => {
    await service.social.start();
    const post = await schedule({ scheduled_at: at(100 * hourMs) });
    await update(post.id, { scheduled_at: at(hourMs) });
    await service.clock.advance(hourMs);
    expect(shown()).toEqual(["Old", "Old"]);
    await service.social.stop();
  });

  it("is told to the scheduler for each profile", async () => {
    const alarms: [number, string][] = [];
    const wake = (time: number, key: string) => void alarms.push([time, key]);
    await setUp({ scheduler: { start: async () => {}, wake, stop: async () => {} } });
    const post = await schedule();
    alarms.length = 0;
    const scheduled_at = at(2 * hourMs);
    await update(post.id, { scheduled_at });
    expect(alarms).toEqual([bluesky.id, mastodon.id].map((id) => [Date.parse(scheduled_at), id]));
  });

  it.each<[string, (post: Post) => UpdatePost]>([
    ["a time in the past", () => ({ scheduled_at: at(-hourMs), text: "New" })],
    ["a time less than a minute ahead", () => ({ scheduled_at: at(59_999), text: "New" })],
    ["publish_now", () => ({ publish_now: true, text: "New" })],
    ["publish_now and another time", () => ({ publish_now: true, scheduled_at: at(9 * hourMs), text: "New" })],
  ])("is now with %s, and never comes again", async (_, bodyFor) => {
    const post = await schedule();
    const after = await update(post.id, bodyFor(post));
    expect(after).toMatchObject({ status: "published", targets: [{ attempts: 1 }, { attempts: 1 }] });
    await runDueAfter(10 * hourMs);
    expect(shown()).toEqual(["New", "New"]);
    expect(events).toEqual(["post.published New"]);
  });

  it("a minute ahead is waited for", async () => {
    const post = await schedule();
    expect((await update(post.id, { scheduled_at: at(60_000) })).status).toBe("scheduled");
    expect(shown()).toEqual([]);
  });

  it.each([
    ["nothing else", {}],
    ["draft: false", { draft: false }],
  ])("stays what it is, however near, when only the text is changed with %s", async (_, more) => {
    const post = await schedule();
    await service.clock.advance(hourMs - 30_000);
    const after = await update(post.id, { text: "New", ...more });
    expect(after).toMatchObject({ status: "scheduled", scheduled_at: post.scheduled_at });
    expect(shown()).toEqual([]);
    await runDueAfter(29_999);
    expect(shown()).toEqual([]);
    await runDueAfter(1);
    expect(shown()).toEqual(["New", "New"]);
  });

  it("that is over while nothing runs still starts what was changed since", async () => {
    const post = await schedule();
    await service.clock.advance(2 * hourMs);
    expect((await update(post.id, { text: "New" })).status).toBe("scheduled");
    await runDueAfter(0);
    expect(shown()).toEqual(["New", "New"]);
  });

  it("null makes a draft, which keeps no time", async () => {
    const post = await schedule();
    expect(await update(post.id, { scheduled_at: null })).toMatchObject({ status: "draft", scheduled_at: null });
    await runDueAfter(2 * hourMs);
    expect(shown()).toEqual([]);
  });

  it("is kept by draft: true, which stops it all the same", async () => {
    const post = await schedule();
    const draft = await update(post.id, { draft: true });
    expect(draft).toMatchObject({ status: "draft", scheduled_at: post.scheduled_at });
    await runDueAfter(2 * hourMs);
    expect(shown()).toEqual([]);
  });
});

describe("a profile that is disconnected", () => {
  it("is refused when the post is to go out now, and told when it is due otherwise", async () => {
    const post = await schedule();
    await service.clock.run(() => service.social.profiles.disconnect(mastodon.id));
    const error = await failureOf(update(post.id, { publish_now: true }));
    expect(error.details).toMatchObject([
      { field: "profile_ids[1]", network: "mastodon", code: "profile_unavailable" },
    ]);
    expect((await update(post.id, { text: "New" })).status).toBe("scheduled");
    await runDueAfter(hourMs);
    expect(await service.social.posts.get(post.id)).toMatchObject({
      status: "partially_published",
      targets: [{ status: "published" }, { status: "failed", error: { code: "profile_unavailable" } }],
    });
  });
});

describe("a failed post that nothing of is live", () => {
  it.each<[string, () => UpdatePost, string]>([
    ["is published", () => ({ text: "New", publish_now: true }), "published"],
    ["is published by a time that is over", () => ({ text: "New", scheduled_at: at(-1) }), "published"],
    ["is scheduled", () => ({ text: "New", scheduled_at: at(hourMs) }), "scheduled"],
    ["is kept as a draft", () => ({ text: "New" }), "draft"],
    ["is kept as a draft with a time", () => ({ text: "New", scheduled_at: at(hourMs), draft: true }), "draft"],
  ])("%s as the update says", async (_, bodyFor, status) => {
    const failed = await createFailed();
    expect(failed.status).toBe("failed");
    const after = await update(failed.id, bodyFor());
    const attempts = status === "published" ? 1 : 0;
    expect(after).toMatchObject({ id: failed.id, status, targets: [{ attempts, error: null }] });
    await runDueAfter(hourMs);
    expect(shown()).toEqual(status === "draft" ? [] : ["New"]);
    expect(events).toEqual(["post.failed Old", ...(status === "draft" ? [] : ["post.published New"])]);
  });

  it("that was to go out with publish_now waits for the next word like any other", async () => {
    service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
    const failed = await create({ profile_ids: [mastodon.id], publish_now: true });
    expect((await update(failed.id, { text: "New" })).status).toBe("draft");
    expect((await update(failed.id, { draft: false, scheduled_at: at(hourMs) })).status).toBe("scheduled");
    expect(shown()).toEqual([]);
  });

  it("that was scheduled waits as a draft, whose old time nobody goes by", async () => {
    const post = await schedule({ profile_ids: [mastodon.id] });
    service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
    await runDueAfter(hourMs);
    expect((await service.social.posts.get(post.id)).status).toBe("failed");
    expect((await update(post.id, { text: "New" })).status).toBe("draft");
    await runDueAfter(hourMs);
    expect(shown()).toEqual([]);
    expect((await update(post.id, { draft: false })).status).toBe("published");
    expect(shown()).toEqual(["New"]);
  });

  it("settles anew: one more event, and one more delivery with what it says then", async () => {
    const { social, sandbox, clock } = service;
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
    service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
    expect((await update(failed.id, { text: "Newer", publish_now: true })).status).toBe("failed");
    expect((await update(failed.id, { text: "New", publish_now: true })).status).toBe("published");
    expect(shown()).toEqual(["New"]);
    expect(events).toEqual(["post.failed Old", "post.failed Newer", "post.published New"]);
  });

  it("forgets the profile that it failed on", async () => {
    const failed = await createFailed();
    const after = await update(failed.id, { profile_ids: [bluesky.id], publish_now: true });
    expect(after).toMatchObject({ status: "published", targets: [{ network: "bluesky" }] });
    expect(service.sandbox.mastodon.posts()).toEqual([]);
  });
});

describe("a post that is out, or may be", () => {
  it("is refused where a part is live", async () => {
    service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit", after: 1 });
    const halfLive = await create({ profile_ids: [mastodon.id], thread: ["One", "Two"] });
    expect(halfLive.status).toBe("failed");
    const error = await failureOf(update(halfLive.id, { text: "New" }));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    expect(error.message).toContain("live");
    expect(await service.social.posts.get(halfLive.id)).toEqual(halfLive);
  });

  it("is refused where it may be live", async () => {
    const webhook = await connectWebhook(service);
    service.sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
    const doubtful = await create({ profile_ids: [webhook.id] });
    expect(doubtful.targets[0]?.error?.code).toBe("timeout");
    const error = await failureOf(update(doubtful.id, { publish_now: true }));
    expect(error.code).toBe("conflict");
    expect(service.sandbox.discord.posts()).toHaveLength(1);
  });

  it.each<[string, () => Promise<Post>]>([
    ["published", () => create()],
    [
      "partially_published",
      () => {
        service.sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
        return create();
      },
    ],
    [
      "publishing",
      async () => {
        await setUp({ publishWaitMs: 1_000 });
        service.sandbox.bluesky.faults.add({ kind: "hang", operation: "commit" });
        return create({ profile_ids: [bluesky.id] });
      },
    ],
    [
      "cancelled",
      async () => {
        const post = await schedule();
        return service.social.posts.cancel(post.id);
      },
    ],
  ])("is refused by the name of its status: %s", async (status, make) => {
    const post = await make();
    expect(post.status).toBe(status);
    for (const body of [{ text: "New" }, { publish_now: true }, { draft: true }, {}]) {
      const error = await failureOf(update(post.id, body));
      expect(error).toMatchObject({ code: "conflict", status: 409 });
      expect(error.message).toContain(`The post is ${status};`);
    }
    expect((await service.social.posts.get(post.id)).text).toBe("Old");
    expect(shown()).not.toContain("New");
  });
});

describe("of two that change a post at once one wins, and the other hears of it", () => {
  async function race() {
    const clock = manualClock();
    const shared = memoryStorage({ clock });
    const { storage, overtake } = overtakenStorage(shared);
    const media = { isDown: false };
    const untrustedHttp: typeof fetch = async (...request) =>
      media.isDown ? new Response("", { status: 503 }) : service.sandbox.untrustedHttp(...request);
    await setUp({ clock, storage, untrustedHttp });
    const other = createProcess({ storage: shared, sandbox: service.sandbox, clock });
    return { overtake, other: other.social, media };
  }

  it("the start, before an update has written", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("scheduled", async () => {
      await service.clock.sleep(hourMs);
      await other.runDue();
    });
    const error = await failureOf(update(post.id, { text: "New", scheduled_at: at(9 * hourMs) }));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    await runDueAfter(10 * hourMs);
    expect(shown()).toEqual(["Old", "Old"]);
    expect(await service.social.posts.get(post.id)).toMatchObject({ text: "Old", status: "published" });
  });

  it("the start, before an update that publishes has written", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("publishing", async () => {
      await service.clock.sleep(hourMs);
      await other.runDue();
    });
    expect((await failureOf(update(post.id, { text: "New", publish_now: true }))).code).toBe("conflict");
    expect(shown()).toEqual(["Old", "Old"]);
  });

  it.each<[string, () => UpdatePost, string[]]>([
    ["an update of the text", () => ({ text: "New" }), ["New", "New"]],
    ["an update that publishes", () => ({ text: "New", publish_now: true }), ["New", "New"]],
    ["an update of the time", () => ({ text: "New", scheduled_at: at(2 * hourMs) }), []],
    ["an update to a draft", () => ({ draft: true }), []],
    ["an update of the profiles", () => ({ text: "New", profile_ids: [mastodon.id] }), ["New"]],
  ])("%s, before the start has written", async (_, bodyFor, expected) => {
    const { overtake, other } = await race();
    const post = await schedule();
    let winner: Post | undefined;
    overtake("publishing", async () => {
      winner = await other.posts.update(post.id, bodyFor());
    });
    await runDueAfter(hourMs);
    await runDueAfter(0);
    expect(winner?.id).toBe(post.id);
    expect(shown()).toEqual(expected);
    expect(events.length).toBeLessThanOrEqual(1);
  });

  it("an update, before the start has read its targets: what was planned from the old text is not sent", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("targets", () => other.posts.update(post.id, { text: "New" }));
    await runDueAfter(hourMs);
    await runDueAfter(0);
    expect(shown()).toEqual(["New", "New"]);
    expect(events).toEqual(["post.published New"]);
  });

  it("an update, before another has read the targets: none is left behind", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("targets", () => other.posts.update(post.id, { profile_ids: [bluesky.id] }));
    expect((await failureOf(update(post.id, { profile_ids: [mastodon.id] }))).code).toBe("conflict");
    expect((await service.social.posts.get(post.id)).targets).toMatchObject([{ profile_id: bluesky.id }]);
  });

  it("an update, before the start has put off a post whose file cannot be read", async () => {
    const { overtake, other, media } = await race();
    const post = await schedule({ media: [picture("old.png")] });
    media.isDown = true;
    let winner: Post | undefined;
    overtake("put_off", async () => {
      media.isDown = false;
      winner = await other.posts.update(post.id, { media: [], text: "New", scheduled_at: at(hourMs) });
    });
    await runDueAfter(hourMs);
    expect(await service.social.posts.get(post.id)).toEqual(winner);
    await runDueAfter(hourMs - 1);
    expect(shown()).toEqual([]);
    await runDueAfter(1);
    expect(shown()).toEqual(["New", "New"]);
  });

  it("a retry, before an update has written", async () => {
    const { overtake, other } = await race();
    const failed = await createFailed();
    overtake("publishing", () => other.posts.retry(failed.id));
    expect((await failureOf(update(failed.id, { text: "New", publish_now: true }))).code).toBe("conflict");
    expect(shown()).toEqual(["Old"]);
  });

  it("an update, before a retry has written", async () => {
    const { overtake, other } = await race();
    const failed = await createFailed();
    overtake("publishing", () => other.posts.update(failed.id, { text: "New", publish_now: true }));
    const error = await failureOf(service.clock.run(() => service.social.posts.retry(failed.id)));
    expect(error.code).toBe("conflict");
    expect(shown()).toEqual(["New"]);
  });

  it("an update, before another has written", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("scheduled", () => other.posts.update(post.id, { text: "First" }));
    expect((await failureOf(update(post.id, { text: "Second" }))).code).toBe("conflict");
    await runDueAfter(hourMs);
    expect(shown()).toEqual(["First", "First"]);
  });

  it("a disconnection, before an update that publishes has written", async () => {
    const { overtake, other } = await race();
    const post = await schedule();
    overtake("publishing", () => other.profiles.disconnect(mastodon.id));
    const error = await failureOf(update(post.id, { publish_now: true }));
    expect(error.code).toBe("conflict");
    expect(shown()).toEqual([]);
    expect(await service.social.posts.get(post.id)).toEqual(post);
  });
});
