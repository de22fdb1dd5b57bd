import { beforeEach, describe, expect, it } from "vitest";
import type { UpdatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import { png } from "../media/samples.ts";
import { connectMastodon, connectWebhook } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createDesk, raceOn } from "./desk.ts";

const desk = createDesk({ text: "Old" });
const { create, update, shown } = desk;
const mended = { networks: { mastodon: { text: "Mended" } } };

beforeEach(() => desk.setUp());

/** Live on Bluesky, refused by Mastodon. */
function createPartly(body: Parameters<typeof create>[0] = {}): Promise<Post> {
  desk.refuseNext();
  return create(body);
}

function read(id: string): Promise<Post> {
  return desk.service.social.posts.get(id);
}

function retry(id: string): Promise<Post> {
  return desk.service.clock.run(() => desk.service.social.posts.retry(id));
}

/** The error of an update that must not have changed anything. */
async function refusalOf(post: Post, body: UpdatePost) {
  const before = await read(post.id);
  const error = await failureOf(update(post.id, body));
  expect(await read(post.id)).toEqual(before);
  return error;
}

describe("a post that has failed on some networks", () => {
  it("accepts other content for these, and a retry publishes it there and only there", async () => {
    const { sandbox, clock } = desk.service;
    const partly = await createPartly();
    await clock.advance(5_000);
    const after = await update(partly.id, mended);
    const updated_at = new Date(clock.now()).toISOString();
    expect(after).toEqual({ ...partly, networks: mended.networks, updated_at });
    expect(await read(partly.id)).toEqual(after);
    expect(shown()).toEqual(["Old"]);
    const whole = await retry(partly.id);
    expect(whole).toMatchObject({ status: "published", text: "Old", networks: mended.networks });
    expect(whole.targets.map(({ id, attempts }) => [id, attempts])).toEqual(
      partly.targets.map(({ id }, index) => [id, index + 1]),
    );
    expect(sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["Old"]);
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["Mended"]);
    expect(desk.events).toEqual(["post.partially_published Old", "post.published Old"]);
  });

  it("keeps the overrides that are not named, and accepts all of them as they were read", async () => {
    const networks = { bluesky: { langs: ["en"] }, mastodon: { text: "Old, fediverse", visibility: "unlisted" } };
    const partly = await createPartly({ networks });
    const after = await update(partly.id, mended);
    expect(after.networks).toEqual({ ...networks, ...mended.networks });
    const again = await update(partly.id, { networks: { ...after.networks, mastodon: {} } });
    expect(again.networks).toEqual({ ...networks, mastodon: {} });
    expect(await update(partly.id, { networks: again.networks })).toEqual(again);
    const turned = { bluesky: { labels: ["porn"], langs: ["en"] } };
    expect((await failureOf(update(partly.id, { networks: turned }))).details).toMatchObject([
      { field: "networks.bluesky" },
    ]);
    expect((await retry(partly.id)).status).toBe("published");
    expect(shown()).toEqual(["Old", "Old"]);
  });

  it("is published there in the same call with publish_now, like a retry without force", async () => {
    const webhook = await connectWebhook(desk.service);
    desk.service.sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
    const partly = await createPartly({ profile_ids: [desk.bluesky.id, desk.mastodon.id, webhook.id] });
    const after = await update(partly.id, { ...mended, publish_now: true });
    expect(after.targets.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["published", 1],
      ["published", 2],
      ["failed", 1],
    ]);
    expect(after.targets[2]?.warnings).toHaveLength(1);
    expect(after).toMatchObject({ status: "partially_published", networks: mended.networks });
    expect(shown()).toEqual(["Old", "Mended", "Old"]);
  });

  it.each<[string, UpdatePost]>([
    ["text", { text: "New" }],
    ["media", { media: [] }],
    ["link", { link: null }],
    ["post_type", { post_type: "post" }],
    ["title", { title: null }],
    ["thread", { thread: ["New"] }],
    ["auto_thread", { auto_thread: true }],
    ["profile_ids", { profile_ids: ["prof_1"] }],
    ["scheduled_at", { scheduled_at: null }],
    ["draft", { draft: false }],
  ])(
    "keeps the content that all networks share: %s is rejected by field, even beside a valid change",
    async (field, body) => {
      const partly = await createPartly();
      const error = await refusalOf(partly, { ...mended, ...body });
      expect(error).toMatchObject({ code: "conflict", status: 409, details: [{ field, code: "conflict" }] });
      expect(error.message).toContain("The post is partially_published;");
      expect(error.message).toContain("networks.mastodon");
    },
  );

  it.each<[string, UpdatePost]>([
    ["nothing", {}],
    ["no network", { networks: {} }],
    ["publish_now alone", { publish_now: true }],
  ])("is not changed by an update that names %s", async (_, body) => {
    const partly = await createPartly();
    const error = await refusalOf(partly, body);
    expect(error.code).toBe("conflict");
    expect(error.message).toContain("networks.mastodon");
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ["an unknown option", { colour: "red" }, "networks.mastodon.colour", "invalid_request"],
    ["a text that is too long", { text: "x".repeat(501) }, "networks.mastodon.text", "invalid_request"],
    ["a file that does not exist", { media: "https://media.sandbox.example/gone.png" }, "media", "media_error"],
  ])("is validated like a new post: %s is rejected by field", async (_, override, field, code) => {
    const partly = await createPartly();
    const error = await refusalOf(partly, { networks: { mastodon: override } });
    expect(error.code).toBe("invalid_request");
    expect(error.details[0]).toMatchObject({ network: "mastodon", code });
    expect(error.details[0]?.field).toContain(field);
  });

  it("checks the plan again: 402 where it does not cover a profile", async () => {
    let isCovered = true;
    await desk.setUp({ entitlements: () => isCovered });
    const partly = await createPartly();
    isCovered = false;
    expect((await refusalOf(partly, mended)).code).toBe("payment_required");
  });

  it("keeps the keys of its retries", async () => {
    const { social, clock } = desk.service;
    const partly = await createPartly();
    desk.refuseNext();
    await clock.run(() => social.posts.retry(partly.id, { idempotency_key: "retry-0001" }));
    const after = await update(partly.id, mended);
    const repeated = await clock.run(() => social.posts.retry(partly.id, { idempotency_key: "retry-0001" }));
    expect(repeated).toEqual(after);
  });
});

describe("a network keeps its override", () => {
  it("where the post is live, also when others are named beside it", async () => {
    const partly = await createPartly();
    const error = await refusalOf(partly, { networks: { ...mended.networks, bluesky: { text: "New" } } });
    expect(error.details).toMatchObject([{ field: "networks.bluesky", network: "bluesky", code: "conflict" }]);
    expect(error.message).toContain("live");
  });

  it("where another profile's target is live", async () => {
    const second = await connectMastodon(desk.service, "bob");
    desk.refuseNext();
    const partly = await create({ profile_ids: [desk.mastodon.id, second.id] });
    expect(partly.status).toBe("partially_published");
    expect((await refusalOf(partly, mended)).details).toMatchObject([{ field: "networks.mastodon" }]);
  });

  it("where a part of a thread is live", async () => {
    desk.refuseNext(1);
    const partly = await create({ thread: ["One", "Two"] });
    expect(partly.targets.map(({ status }) => status)).toEqual(["published", "failed"]);
    expect((await refusalOf(partly, mended)).details).toMatchObject([{ field: "networks.mastodon" }]);
  });

  it("where it may be live, while the target of another network is changed", async () => {
    const webhook = await connectWebhook(desk.service);
    desk.service.sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
    desk.refuseNext();
    const failed = await create({ profile_ids: [desk.mastodon.id, webhook.id] });
    expect(failed.status).toBe("failed");
    const error = await refusalOf(failed, { networks: { discord: { text: "New" } } });
    expect(error.details).toMatchObject([{ field: "networks.discord", network: "discord" }]);
    await update(failed.id, mended);
    await retry(failed.id);
    expect(shown()).toEqual(["Mended", "Old"]);
  });

  it("where it may be live under a key that lasts for ever: the first version counts there", async () => {
    const partly = await createPartly();
    const [target] = partly.targets;
    const { storage } = desk.service;
    const { private: state } = (await storage.get("targets", target?.id ?? "")) ?? expect.unreachable();
    const doubtful = { status: "failed", private: { ...(state as object), live: [], may_be_live: true } };
    await storage.write([
      { kind: "update", collection: "targets", id: target?.id ?? "", change: doubtful, where: {} },
      { kind: "update", collection: "posts", id: partly.id, change: { status: "failed" }, where: {} },
    ]);
    const error = await refusalOf(partly, { networks: { bluesky: { text: "New" } } });
    expect(error.details).toMatchObject([{ field: "networks.bluesky" }]);
  });

  it("where it is still being published, while another network is changed and retried", async () => {
    await desk.setUp({ publishWaitMs: 10_000 });
    const { sandbox, clock, social } = desk.service;
    const hang: FaultKind = { kind: "hang" };
    sandbox.bluesky.faults.add({ ...hang, operation: "commit" });
    const open = await createPartly();
    expect(open.targets.map(({ status }) => status)).toEqual(["publishing", "failed"]);
    const error = await refusalOf(open, { networks: { bluesky: { text: "New" } } });
    expect(error.details).toMatchObject([{ field: "networks.bluesky" }]);
    expect((await update(open.id, mended)).status).toBe("publishing");
    await retry(open.id);
    for (let minute = 0; minute < 20; minute++) {
      await clock.advance(60_000);
      await clock.run(() => social.runDue());
    }
    expect((await read(open.id)).status).toBe("published");
    expect(shown()).toEqual(["Old", "Mended"]);
  });

  it("where the post does not go to", async () => {
    const partly = await createPartly();
    const error = await refusalOf(partly, { networks: { discord: { text: "New" } } });
    expect(error.details).toMatchObject([{ field: "networks.discord", network: "discord" }]);
  });
});

describe("the files of a changed post", () => {
  const picture = () => png(40, 40);

  it("are uploaded with it, and published by the retry", async () => {
    const partly = await createPartly();
    const media = [{ file: new Blob([picture()], { type: "image/png" }), alt: "Hills." }];
    const after = await update(partly.id, { networks: { mastodon: { media } } });
    const { social, sandbox } = desk.service;
    const { data } = await social.media.list();
    expect(after.networks.mastodon?.media).toEqual([{ url: data[0]?.url, alt: "Hills." }]);
    expect((await retry(partly.id)).status).toBe("published");
    expect(sandbox.mastodon.posts()).toMatchObject([{ media: 1 }]);
  });

  it("cannot be deleted while a part of the post is under way; files that it no longer names can", async () => {
    await desk.setUp({ publishWaitMs: 10_000 });
    const { social, sandbox, clock } = desk.service;
    const upload = () => clock.run(() => social.media.upload(new Blob([picture()], { type: "image/png" })));
    const before = await upload();
    const since = await upload();
    sandbox.bluesky.faults.add({ kind: "hang", operation: "commit" });
    const open = await createPartly({ networks: { mastodon: { media: [before.url] } } });
    await update(open.id, { networks: { mastodon: { media: [since.url] } } });
    await social.media.delete(before.url);
    expect((await failureOf(social.media.delete(since.url))).code).toBe("conflict");
  });

  it("of a live part may be deleted", async () => {
    const { social, clock } = desk.service;
    const upload = () => clock.run(() => social.media.upload(new Blob([picture()], { type: "image/png" })));
    const live = await upload();
    const partly = await createPartly({ networks: { bluesky: { media: [live.url] } } });
    await social.media.delete(live.url);
    expect((await update(partly.id, mended)).networks).toMatchObject(mended.networks);
  });
});

describe("when two changes of a partly published post race", () => {
  it.each(["a retry", "another update"])("%s wins, and the update gets a conflict", async (what) => {
    const { overtake, other } = await raceOn(desk);
    const partly = await createPartly();
    const winning = { networks: { mastodon: { text: "Winning" } } };
    overtake("put_off", () =>
      what === "a retry" ? other.posts.retry(partly.id) : other.posts.update(partly.id, winning),
    );
    const error = await failureOf(update(partly.id, mended));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    if (what === "another update") await retry(partly.id);
    expect(shown()).toEqual(["Old", what === "a retry" ? "Old" : "Winning"]);
  });
});
