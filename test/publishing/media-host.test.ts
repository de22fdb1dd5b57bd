import { describe, expect, it } from "vitest";
import type { Post } from "../../src/publishing/schema.ts";
import { png } from "../media/samples.ts";
import { connectDiscord, connectMastodon } from "../support/connect.ts";
import { createTestService } from "../support/service.ts";

/**
 * Publishes an image whose host responds with `status` for so long after the post is made; then
 * sweeps for an hour. The `asleepHours` follow its first ten minutes.
 */
async function publishWhileAway(options: {
  network: "mastodon" | "discord";
  status: number;
  minutes: number;
  maxLatenessMs?: number;
  asleepHours?: number;
}): Promise<Post> {
  let awayUntil = 0;
  const { sandbox, clock, storage } = createTestService();
  const address = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  const http: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const isAway = url === address && clock.monotonic() < awayUntil;
    return isAway ? new Response(null, { status: options.status }) : sandbox.http(input, init);
  };
  const service = createTestService({
    storage,
    clock,
    http,
    untrustedHttp: http,
    ...(options.maxLatenessMs === undefined ? {} : { maxLatenessMs: options.maxLatenessMs }),
  });
  const { social } = service;
  const connect = options.network === "mastodon" ? connectMastodon : connectDiscord;
  const { id: profileId } = await connect({ ...service, sandbox });
  return clock.run(async () => {
    const scheduled_at = new Date(clock.now() + 120_000).toISOString();
    const body = { profile_ids: [profileId], text: "Scheduled", media: [address], scheduled_at };
    const { id } = await social.posts.create(body);
    await clock.sleep(60_000);
    awayUntil = clock.monotonic() + 60_000 + options.minutes * 60_000;
    for (let passed = 0; passed < 60 * 60; passed += 30) {
      await clock.sleep(passed === 600 ? (options.asleepHours ?? 0) * 3_600_000 + 30_000 : 30_000);
      await social.runDue();
    }
    const shown = [...sandbox.mastodon.posts(), ...sandbox.discord.posts()];
    const post = await social.posts.get(id);
    expect(shown.map((each) => each.id)).toEqual(post.targets[0]?.post_ids);
    return post;
  });
}

describe.each(["mastodon", "discord"] as const)("the file host of a post on %s", (network) => {
  it("delays the post when it is down for a quarter of an hour", async () => {
    const post = await publishWhileAway({ network, status: 503, minutes: 15 });
    expect(post.targets[0]).toMatchObject({ status: "published", error: null });
  });

  it("fails the post when it stays down, and the error says how long it was tried", async () => {
    const post = await publishWhileAway({ network, status: 503, minutes: 59 });
    expect(post.targets[0]).toMatchObject({ status: "failed", error: { code: "media_error" } });
    expect(post.targets[0]?.error?.message).toMatch(
      /^Given up after 3\d minutes\. media\[0\]: media\.sandbox\.example\/picture\.png/,
    );
  });

  it("makes the post no later, however small the allowed lateness is", async () => {
    const maxLatenessMs = 60_000;
    const delayed = await publishWhileAway({ network, status: 503, minutes: 15, maxLatenessMs });
    expect(delayed.targets[0]).toMatchObject({ status: "published", error: null });
    const failed = await publishWhileAway({ network, status: 503, minutes: 59, maxLatenessMs });
    expect(failed.targets[0]?.error?.message).toMatch(/^Given up after 3\d minutes\. media\[0\]: /);
  });

  it.each([
    [undefined, 72, "72 h"],
    [600_000, 1, "39 min"],
  ])(
    "does not excuse the lateness of a service that slept meanwhile: %s ms are too many",
    async (maxLatenessMs, asleepHours, words) => {
      const late = maxLatenessMs === undefined ? {} : { maxLatenessMs };
      const post = await publishWhileAway({ network, status: 503, minutes: 15, asleepHours, ...late });
      expect(post.targets[0]).toMatchObject({ status: "failed", error: { code: "internal_error" } });
      expect(post.targets[0]?.error?.message).toContain(`found ${words} late`);
    },
  );

  it("fails the post immediately when the file is gone", async () => {
    const post = await publishWhileAway({ network, status: 404, minutes: 15 });
    expect(post.targets[0]).toMatchObject({ status: "failed", error: { code: "media_error" } });
    expect(post.targets[0]?.error?.message).toContain("does not exist");
  });
});
