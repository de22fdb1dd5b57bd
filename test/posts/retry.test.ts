import { beforeEach, describe, expect, it } from "vitest";
import type { EventName } from "../../src/ports/events.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { connectBluesky, connectMastodon, connectWebhook } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let mastodon: Profile;
let events: string[];

beforeEach(async () => {
  service = createTestService();
  mastodon = await connectMastodon(service);
  events = [];
  for (const name of ["post.published", "post.partially_published", "post.failed"] as const satisfies EventName[]) {
    service.social.on(name, ({ post }) => events.push(`${name} ${post.targets.map(({ status }) => status)}`));
  }
});

const refusal = { status: 422, json: { error: "Validation failed: Text is not nice" } };

it("a retry continues a thread behind its last live part and repeats none", async () => {
  const { social, clock, sandbox } = service;
  sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit", after: 2 });
  const body = { profile_ids: [mastodon.id], thread: ["One", "Two", "Three", "Four"] };
  const failed = await clock.run(() => social.posts.create(body));
  expect(failed.status).toBe("failed");
  expect(failed.targets[0]?.error?.message).toContain("2 of 4 parts are live; retry continues at part 3.");
  expect(failed.targets[0]?.post_ids).toEqual(sandbox.mastodon.posts().map(({ id }) => id));
  expect(failed.targets[0]?.url).toBe(sandbox.mastodon.posts()[0]?.url);

  const whole = await clock.run(() => social.posts.retry(failed.id));
  expect(whole.status).toBe("published");
  expect(whole.targets[0]).toMatchObject({ attempts: 2, error: null });
  const posts = sandbox.mastodon.posts();
  expect(posts.map(({ text }) => text)).toEqual(["One", "Two", "Three", "Four"]);
  posts.slice(1).forEach((post, index) => {
    expect(post.reply_to).toBe(posts[index]?.id);
  });
  expect(events).toEqual(["post.failed failed", "post.published published"]);
});

it("a retry includes only failed targets, and only those of the profiles named", async () => {
  const { social, clock, sandbox } = service;
  const bluesky = await connectBluesky(service);
  sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
  const post = await clock.run(() => social.posts.create({ profile_ids: [bluesky.id, mastodon.id], text: "Hello" }));
  expect(post.status).toBe("partially_published");
  const wrong = await failureOf(clock.run(() => social.posts.retry(post.id, { profile_ids: [bluesky.id] })));
  expect(wrong.code).toBe("conflict");
  const stranger = await failureOf(clock.run(() => social.posts.retry(post.id, { profile_ids: ["prof_x"] })));
  expect(stranger.details).toMatchObject([{ field: "profile_ids[0]" }]);
  const mended = await clock.run(() => social.posts.retry(post.id, { profile_ids: [mastodon.id] }));
  expect(mended.targets.map(({ attempts }) => attempts)).toEqual([1, 2]);
  expect(mended.status).toBe("published");
  expect(sandbox.bluesky.posts()).toHaveLength(1);
});

it("a retry is rejected with 409 when nothing has failed", async () => {
  const { social, clock } = service;
  const post = await clock.run(() => social.posts.create({ profile_ids: [mastodon.id], text: "Hello" }));
  const error = await failureOf(clock.run(() => social.posts.retry(post.id)));
  expect(error).toMatchObject({ code: "conflict", status: 409 });
});

describe("a target that may be live", () => {
  /** Mastodon has refused it; the outcome on the webhook, which cannot be asked, is unknown. */
  async function createDoubtful(more: string[] = []): Promise<{ post: Post; webhook: Profile }> {
    const { social, clock, sandbox } = service;
    const webhook = await connectWebhook(service);
    sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
    sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
    const profile_ids = [mastodon.id, webhook.id, ...more];
    const post = await clock.run(() => social.posts.create({ profile_ids, text: "Hello" }));
    expect(post.targets.slice(0, 2).map(({ error }) => error?.code)).toEqual(["invalid_request", "timeout"]);
    return { post, webhook };
  }

  it("is left out while the rest starts, and its target says so", async () => {
    const { social, clock, sandbox } = service;
    const { post } = await createDoubtful();
    const retried = await clock.run(() => social.posts.retry(post.id));
    expect(retried.status).toBe("partially_published");
    const [certain, doubtful] = retried.targets;
    expect(certain).toMatchObject({ status: "published", attempts: 2 });
    expect(certain?.warnings).toBeUndefined();
    expect(doubtful).toMatchObject({ status: "failed", attempts: 1, error: { code: "timeout" } });
    expect(doubtful?.warnings).toEqual([expect.stringMatching(/^Not retried: .*may already be live.*force/)]);
    expect(await social.posts.get(post.id)).toEqual(retried);
    expect([sandbox.mastodon.posts().length, sandbox.discord.posts().length]).toEqual([1, 1]);
    expect(events).toEqual(["post.failed failed,failed", "post.partially_published published,failed"]);
  });

  it("carries one warning, however often it was left out, and none once it is retried with force", async () => {
    const { social, clock, sandbox } = service;
    const { post } = await createDoubtful();
    sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
    await clock.run(() => social.posts.retry(post.id));
    const again = await clock.run(() => social.posts.retry(post.id));
    expect(again.targets[1]?.warnings).toHaveLength(1);
    const forced = await clock.run(() => social.posts.retry(post.id, { force: true }));
    expect(forced.status).toBe("published");
    expect(forced.targets[1]?.warnings).toBeUndefined();
    expect(sandbox.discord.posts()).toHaveLength(2);
  });

  it("is rejected when it is named, even beside others, and the error lists the safe profiles", async () => {
    const { social, clock, sandbox } = service;
    const bluesky = await connectBluesky(service);
    const { post, webhook } = await createDoubtful([bluesky.id]);
    for (const profile_ids of [[webhook.id], [mastodon.id, webhook.id]]) {
      const error = await failureOf(clock.run(() => social.posts.retry(post.id, { profile_ids })));
      expect(error).toMatchObject({ code: "conflict", status: 409 });
      expect(error.message).toContain("force");
      expect(error.details).toMatchObject([
        { field: "profile_ids", profile_ids: [mastodon.id] },
        { field: `profile_ids[${profile_ids.indexOf(webhook.id)}]`, network: "discord", code: "timeout" },
      ]);
    }
    expect(sandbox.mastodon.posts()).toEqual([]);
    const [safe] = (await failureOf(social.posts.retry(post.id, { profile_ids: [webhook.id] }))).details;
    const mended = await clock.run(() => social.posts.retry(post.id, { profile_ids: safe?.profile_ids }));
    expect(mended.targets.map(({ status }) => status)).toEqual(["published", "failed", "published"]);
    expect(mended.targets[1]?.warnings).toBeUndefined();
  });

  it("is rejected when nothing else is left, and goes out again with force", async () => {
    const { social, clock, sandbox } = service;
    const { post } = await createDoubtful();
    await clock.run(() => social.posts.retry(post.id));
    const error = await failureOf(clock.run(() => social.posts.retry(post.id)));
    expect(error).toMatchObject({ code: "conflict", details: [{ network: "discord", code: "timeout" }] });
    expect(error.message).toContain("force");
    const forced = await clock.run(() => social.posts.retry(post.id, { force: true }));
    expect(forced.status).toBe("published");
    expect([sandbox.mastodon.posts().length, sandbox.discord.posts().length]).toEqual([1, 2]);
  });
});

it("a retry validates again: a profile that was disconnected since is a detail of the error, and nothing is sent", async () => {
  const { social, clock, sandbox } = service;
  sandbox.mastodon.faults.add({ kind: "refuse", answer: refusal, operation: "commit" });
  const post = await clock.run(() => social.posts.create({ profile_ids: [mastodon.id], text: "Hello" }));
  await clock.run(() => social.profiles.disconnect(mastodon.id));
  const error = await failureOf(clock.run(() => social.posts.retry(post.id)));
  expect(error.details).toMatchObject([{ code: "profile_unavailable", field: "profile_ids[0]" }]);
  expect(sandbox.mastodon.posts()).toEqual([]);
});

it.each([
  ["an unknown field", { forced: true }, "forced"],
  ["an empty list of profiles", { profile_ids: [] }, "profile_ids"],
])("an invalid retry gets an error with the field's name: %s", async (_, options, field) => {
  const { social, clock } = service;
  const post = await clock.run(() => social.posts.create({ profile_ids: [mastodon.id], text: "Hello" }));
  const error = await failureOf(social.posts.retry(post.id, options as object));
  expect(error.details.map((detail) => detail.field)).toContain(field);
});
