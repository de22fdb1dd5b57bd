import { describe, expect, it } from "vitest";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { Post } from "../../../src/publishing/schema.ts";
import { connectBluesky } from "../../support/connect.ts";
import { createTestService } from "../../support/service.ts";

const minuteMs = 60_000;
const trouble = { status: 503, json: { error: "UpstreamFailure", message: "Upstream Failure" } };

/** A post's outcome while writes get 503 for this long; with `done`, they are carried out all the same. */
async function through(outageMs: number, given: { body: Partial<CreatePost>; done?: boolean }) {
  const service = createTestService();
  const { social, sandbox, clock } = service;
  const profile = await connectBluesky(service);
  const kind = given.done === true ? "refuse_though_done" : "refuse";
  sandbox.bluesky.faults.add({ kind, answer: trouble, operation: "applyWrites", times: 10_000 });
  const endsAt = clock.now() + outageMs;
  const { id } = await clock.run(() => social.posts.create({ profile_ids: [profile.id], ...given.body }));
  let post: Post = await social.posts.get(id);
  while (post.status === "publishing") {
    await clock.advance(5_000);
    if (clock.now() >= endsAt) sandbox.bluesky.faults.clear();
    await clock.run(() => social.runDue());
    post = await social.posts.get(id);
  }
  return { post, posts: sandbox.bluesky.posts(), tookMs: clock.now() - endsAt + outageMs };
}

describe("Bluesky writes that fail with 503", () => {
  it("for three minutes only delay a post, which goes out once", async () => {
    const { post, posts, tookMs } = await through(3 * minuteMs, { body: { text: "Patience" } });
    expect(post.status).toBe("published");
    expect(posts.map(({ text }) => text)).toEqual(["Patience"]);
    expect(tookMs).toBeLessThan(5 * minuteMs);
  });

  it("for three minutes although they are carried out lead to only one post", async () => {
    const { post, posts } = await through(3 * minuteMs, { body: { text: "Once" }, done: true });
    expect(post.status).toBe("published");
    expect(posts).toHaveLength(1);
  });

  it.each([false, true])(
    "for 40 seconds only delay a thread of three, which goes out once (done: %s)",
    async (done) => {
      const { post, posts } = await through(40_000, { body: { thread: ["One", "Two", "Three"] }, done });
      expect(post.status).toBe("published");
      expect(posts.map(({ text }) => text)).toEqual(["One", "Two", "Three"]);
      expect(posts.map(({ id }) => id)).toEqual(post.targets[0]?.post_ids);
    },
  );

  it("for longer than maxRetryMs end the post as known not to be posted", async () => {
    const { post, posts, tookMs } = await through(24 * 60 * minuteMs, { body: { text: "Given up" } });
    expect(post.targets[0]).toMatchObject({ status: "failed", error: { code: "network_error" } });
    expect(posts).toEqual([]);
    expect(tookMs).toBeGreaterThan(29 * minuteMs);
    expect(tookMs).toBeLessThan(35 * minuteMs);
  });
});
