import { beforeEach, describe, expect, it } from "vitest";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { png } from "../media/samples.ts";
import { connectAll, connectBluesky, connectDiscord, connectMastodon } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let bluesky: Profile;
let mastodon: Profile;
let discord: Profile;

beforeEach(async () => {
  service = createTestService();
  [bluesky, mastodon, discord] = await connectAll(service);
});

function create(body: Partial<CreatePost>) {
  return service.clock.run(() =>
    service.social.posts.create({ profile_ids: [bluesky.id, mastodon.id, discord.id], text: "Hello", ...body }),
  );
}

function picture(name = "picture.png", size = 40): string {
  return service.sandbox.media.put(name, png(size, size), { contentType: "image/png" });
}

describe("create with immediate publication", () => {
  it("publishes on every addressed profile and returns the post with its targets in order", async () => {
    const post = await create({ text: "Hello, all three" });
    expect(post).toMatchObject({
      status: "published",
      text: "Hello, all three",
      source: "library",
      scheduled_at: null,
    });
    expect(post.targets.map(({ network, status, attempts }) => ({ network, status, attempts }))).toEqual([
      { network: "bluesky", status: "published", attempts: 1 },
      { network: "mastodon", status: "published", attempts: 1 },
      { network: "discord", status: "published", attempts: 1 },
    ]);
    for (const target of post.targets) {
      expect(target.post_ids).toHaveLength(1);
      expect(target.url).toMatch(/^https:\/\//);
      expect(target.error).toBeNull();
    }
    expect(post.published_at).toBe(post.targets[0]?.published_at);
  });

  it("attaches an image with its alt text everywhere and measures it", async () => {
    const url = picture();
    const post = await create({ media: [{ url, alt: "A square" }] });
    expect(post.media).toEqual([
      {
        url,
        type: "image",
        mime_type: "image/png",
        size_bytes: png(40, 40).length,
        alt: "A square",
        thumbnail_url: null,
      },
    ]);
    const { sandbox } = service;
    for (const network of [sandbox.bluesky, sandbox.mastodon, sandbox.discord]) {
      expect(network.posts()).toMatchObject([{ media: 1, alt: ["A square"] }]);
    }
  });

  it("splits a long caption where the network has threads, and leaves it whole where it fits", async () => {
    const text = Array.from({ length: 30 }, (_, index) => `This is sentence number ${index} of a long caption.`).join(
      " ",
    );
    const post = await create({ text, auto_thread: true });
    expect(post.status).toBe("published");
    const [onBluesky, onMastodon, onDiscord] = post.targets;
    expect(onBluesky?.post_ids.length).toBeGreaterThan(onMastodon?.post_ids.length ?? 0);
    expect(onMastodon?.post_ids.length).toBeGreaterThan(1);
    expect(onDiscord?.post_ids).toHaveLength(1);
    expect(
      service.sandbox.bluesky
        .posts()
        .map((part) => part.text)
        .join(" "),
    ).toBe(text);
  });

  it("publishes explicit thread parts unchanged, and the text where there are no threads", async () => {
    await create({ text: "In one piece", thread: ["One", "Two", "Three"] });
    expect(service.sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["One", "Two", "Three"]);
    expect(service.sandbox.discord.posts().map(({ text }) => text)).toEqual(["In one piece"]);
  });

  it("appends a link where the network makes its card from the text, and attaches it as a card elsewhere", async () => {
    await create({ link: { url: "https://example.com/page", title: "A page" } });
    expect(service.sandbox.mastodon.posts()[0]?.text).toBe("Hello\n\nhttps://example.com/page");
    expect(service.sandbox.bluesky.posts()[0]?.text).toBe("Hello");
  });

  it("replaces content for one network only, and passes on that network's own options", async () => {
    await create({
      networks: { mastodon: { text: "Hello, fediverse", visibility: "unlisted" }, bluesky: { langs: ["en"] } },
    });
    expect(service.sandbox.mastodon.posts()[0]?.text).toBe("Hello, fediverse");
    expect(service.sandbox.bluesky.posts()[0]?.text).toBe("Hello");
  });

  it("sends the settings of a live post under that post's own key", async () => {
    const post = await create({ networks: { bluesky: { replies: "nobody", disable_quotes: true } } });
    const [uri = ""] = post.targets[0]?.post_ids ?? [];
    const gate = (kind: string) =>
      service.sandbox.bluesky.record(uri.replace("app.bsky.feed.post", `app.bsky.feed.${kind}`));
    expect(gate("threadgate")).toMatchObject({ post: uri, allow: [] });
    expect(gate("postgate")).toMatchObject({ post: uri });
  });

  it("reads null in an override as the base value", async () => {
    await create({ networks: { mastodon: { text: null } } });
    expect(service.sandbox.mastodon.posts()[0]?.text).toBe("Hello");
  });

  it("reports a post that one network refuses as partially published", async () => {
    service.sandbox.mastodon.suspend(mastodon.external_id);
    const post = await create({});
    expect(post.status).toBe("partially_published");
    expect(post.targets[1]).toMatchObject({ status: "failed", post_ids: [], published_at: null });
    expect(post.targets[1]?.error?.code).toBe("profile_unavailable");
  });
});

describe("create with an invalid request", () => {
  const tooLong = "x".repeat(20_001);
  it.each([
    ["no profiles", { profile_ids: [] }, "profile_ids"],
    ["profile_ids missing", { profile_ids: undefined }, "profile_ids"],
    ["an unknown profile", { profile_ids: ["prof_unknown"] }, "profile_ids[0]"],
    ["a text over 20,000 characters", { text: tooLong }, "text"],
    ["a lone surrogate", { text: "half \uD83D" }, "text"],
    ["36 files", { media: Array.from({ length: 36 }, () => "https://media.sandbox.example/x.png") }, "media"],
    ["a file that is no URL", { media: ["picture.png"] }, "media[0]"],
    ["a file object without a URL", { media: [{ alt: "x" }] }, "media[0].url"],
    [
      "an unknown key of a file",
      { media: [{ url: "https://media.sandbox.example/x.png", altt: "x" }] },
      "media[0].altt",
    ],
    ["a link that is no URL", { link: "example" }, "link"],
    ["an unknown post type", { post_type: "tweet" }, "post_type"],
    ["a title over 300 characters", { title: "x".repeat(301) }, "title"],
    ["51 thread parts", { thread: Array.from({ length: 51 }, () => "part") }, "thread"],
    ["an empty thread part", { thread: ["One", ""] }, "thread[1]"],
    ["auto_thread that is not a boolean", { auto_thread: "yes" }, "auto_thread"],
    ["a time without a time zone", { scheduled_at: "2026-12-01T10:00:00" }, "scheduled_at"],
    ["an unknown network", { networks: { friendster: { text: "x" } } }, "networks.friendster"],
    ["an unknown field", { txet: "x" }, "txet"],
    ["a short idempotency key", { idempotency_key: "short" }, "idempotency_key"],
    ["a long idempotency key", { idempotency_key: "x".repeat(256) }, "idempotency_key"],
    ["an idempotency key that no store accepts", { idempotency_key: "a\0b-padding" }, "idempotency_key"],
    ["half a character in an idempotency key", { idempotency_key: "\ud800-padding" }, "idempotency_key"],
  ])("names the field: %s", async (_, body, field) => {
    const error = await failureOf(create(body as Partial<CreatePost>));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.details.map((detail) => detail.field)).toContain(field);
    expect(service.sandbox.bluesky.posts()).toEqual([]);
  });

  it.each([
    [
      "an unknown option",
      { networks: { mastodon: { visibilty: "public" } } },
      "mastodon",
      "networks.mastodon.visibilty",
    ],
    [
      "a wrong option",
      { networks: { mastodon: { visibility: "secret" } } },
      "mastodon",
      "networks.mastodon.visibility",
    ],
    ["a wrong override", { networks: { bluesky: { text: 5 } } }, "bluesky", "networks.bluesky.text"],
    ["a text over one network's limit", { text: "x".repeat(501) }, "mastodon", "text"],
    [
      "an override over the limit",
      { networks: { bluesky: { text: "x".repeat(301) } } },
      "bluesky",
      "networks.bluesky.text",
    ],
    ["an override that is not an object", { networks: { mastodon: "x" } }, "mastodon", "networks.mastodon"],
    ["a reel", { post_type: "reel" as const }, "discord", "post_type"],
    ["nothing to post", { text: "" }, "mastodon", "text"],
    ["a file that does not exist", { media: ["https://media.sandbox.example/gone.png"] }, "bluesky", "media[0]"],
    ["a thread part over the limit", { thread: ["One", "x".repeat(301)] }, "bluesky", "thread[1]"],
  ])("names network and field: %s", async (_, body, network, field) => {
    const error = await failureOf(create(body as Partial<CreatePost>));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.details).toContainEqual(expect.objectContaining({ network, field }));
    const { sandbox } = service;
    expect([...sandbox.bluesky.posts(), ...sandbox.mastodon.posts(), ...sandbox.discord.posts()]).toEqual([]);
  });

  it("gives one detail per network when a caption is too long for several", async () => {
    const error = await failureOf(create({ text: "x".repeat(2_001) }));
    expect(error.details.map(({ network }) => network)).toEqual(["bluesky", "mastodon", "discord"]);
  });

  it("rejects a profile that is named twice, at its place in the list", async () => {
    const error = await failureOf(create({ profile_ids: [bluesky.id, bluesky.id] }));
    expect(error.details).toMatchObject([{ field: "profile_ids[1]" }]);
  });

  it("reports another account's profile exactly like one that does not exist", async () => {
    const { social, clock } = service;
    const foreign = social.forAccount("somebody-else");
    const stranger = await connectBluesky({ ...service, social: foreign }, "bob.sandbox.example");
    const asked = (id: string) => failureOf(clock.run(() => social.posts.create({ profile_ids: [id], text: "Hi" })));
    expect((await asked(stranger.id)).details).toEqual((await asked("prof_unknown")).details);
  });

  it("rejects a request outside the host's plan with 402", async () => {
    const limited = createTestService({ entitlements: ({ profile }) => profile.network !== "mastodon" });
    const covered = await connectDiscord(limited);
    const uncovered = await connectMastodon(limited);
    const error = await failureOf(
      limited.clock.run(() => limited.social.posts.create({ profile_ids: [covered.id, uncovered.id], text: "Hi" })),
    );
    expect(error).toMatchObject({ code: "payment_required", status: 402, details: [{ network: "mastodon" }] });
    expect(limited.sandbox.discord.posts()).toEqual([]);
  });

  it("refuses to publish immediately on a profile that needs attention or is disconnected", async () => {
    service.sandbox.bluesky.revoke("alice.sandbox.example");
    service.sandbox.bluesky.expireTokens();
    await create({});
    const broken = await failureOf(create({}));
    expect(broken.details).toMatchObject([{ field: "profile_ids[0]", code: "reauthentication_required" }]);
    await service.clock.run(() => service.social.profiles.disconnect(mastodon.id));
    const gone = await failureOf(create({ profile_ids: [mastodon.id] }));
    expect(gone.details).toMatchObject([{ field: "profile_ids[0]", code: "profile_unavailable" }]);
  });
});

describe("an idempotency key", () => {
  const idempotency_key = "order-4711-announcement";

  it("returns the original post when it was used before, whatever the body holds", async () => {
    const first = await create({ idempotency_key });
    const again = await service.clock.run(() =>
      service.social.posts.createOrReplay({ profile_ids: [discord.id], text: "Something else", idempotency_key }),
    );
    expect(again).toEqual({ post: first, replayed: true });
    expect(service.sandbox.bluesky.posts()).toHaveLength(1);
  });

  it("is looked up before any validation: the original post comes back even where the request would now be rejected", async () => {
    const first = await create({ idempotency_key });
    await service.clock.run(() => service.social.profiles.disconnect(bluesky.id));
    const again = await create({ idempotency_key, text: "x".repeat(2_001) });
    expect(again).toEqual(first);
  });

  it("publishes once when two requests come at the same time, and both get the outcome", async () => {
    const { social, clock } = service;
    const body = { profile_ids: [bluesky.id, mastodon.id, discord.id], text: "Hello", idempotency_key };
    const answers = await clock.run(() =>
      Promise.all(Array.from({ length: 10 }, () => social.posts.createOrReplay(body))),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ post }) => JSON.stringify(post))).size).toBe(1);
    expect(answers[0]?.post.status).toBe("published");
    expect(service.sandbox.mastodon.posts()).toHaveLength(1);
  });

  it("stays unused by a rejected request", async () => {
    await failureOf(create({ idempotency_key, text: "x".repeat(2_001) }));
    expect((await create({ idempotency_key })).status).toBe("published");
  });

  it("belongs to one account", async () => {
    await create({ idempotency_key });
    const foreign = service.social.forAccount("somebody-else");
    const profile = await connectBluesky({ ...service, social: foreign }, "bob.sandbox.example");
    const { replayed } = await service.clock.run(() =>
      foreign.posts.createOrReplay({ profile_ids: [profile.id], text: "Mine", idempotency_key }),
    );
    expect(replayed).toBe(false);
  });
});

describe("waiting for the outcome", () => {
  it("ends after publishWaitMs with unfinished targets still publishing, and these finish later", async () => {
    service.sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await create({});
    expect(post.status).toBe("publishing");
    expect(post.targets.map(({ status }) => status)).toEqual(["published", "publishing", "published"]);
    expect(post.targets[1]?.error?.message).toMatch(
      /waiting to check whether it was published; next check \d\d:\d\d:\d\dZ/,
    );
    const { social, clock } = service;
    await clock.run(async () => {
      await clock.sleep(200_000);
      await social.runDue();
    });
    expect((await social.posts.get(post.id)).status).toBe("published");
    expect(service.sandbox.mastodon.posts()).toHaveLength(1);
  });
});
