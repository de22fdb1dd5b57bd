import { describe, expect, it } from "vitest";
import type { LookInput } from "../../../src/networks/contract/look.ts";
import { createApi } from "../../../src/networks/instagram/api.ts";
import type { InstagramOptions } from "../../../src/networks/instagram/options.ts";
import { createPublisher } from "../../../src/networks/instagram/publish.ts";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { Json } from "../../../src/wire/json.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";
import { commitInputOf } from "../parts.ts";
import { connectedBench, part, pictures } from "./bench.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "pull" });

/** A picture whose request has not been sent yet, and what a look at it shows. */
async function looking(given: Parameters<typeof part>[0] = {}) {
  const { bench, connected } = await connectedBench();
  const kept: Record<string, Json> = {};
  const own = part({ media: pictures(bench, 1), ...given });
  await bench.run(() => publisher.stage(connected.stage(kept), own));
  const input: LookInput<InstagramOptions> = {
    ...commitInputOf(connected, { part: own, staged: kept }),
    since: connected.context.now() - 120_000,
  };
  const look = (more: Partial<typeof input> = {}) =>
    bench.run(() => publisher.lookFor(connected.context, { ...input, ...more }));
  const publish = () => bench.run(() => connected.send(publisher.commit(input)));
  return { bench, connected, input, look, publish };
}

describe("a look at a container", () => {
  it("says that it is not published when it is finished", async () => {
    const { look } = await looking();
    expect(await look()).toEqual({ absent: true });
  });

  it("says nothing while Instagram works on it", async () => {
    const { bench, look, input } = await looking();
    const answer = { status: 200, json: { id: input.staged.container, status_code: "IN_PROGRESS" } };
    bench.network.faults.add({ kind: "refuse", answer });
    expect(await look()).toEqual({ pending: expect.any(String) });
  });

  it("takes a status that nobody knows for work that goes on", async () => {
    const { bench, look } = await looking();
    bench.network.faults.add({ kind: "refuse", answer: { status: 200, json: { id: "1", status_code: "NEW_STATUS" } } });
    expect(await look()).toEqual({ pending: expect.any(String) });
  });

  it("finds the post's own id in the account's list, never the container's", async () => {
    const { bench, look, publish, input } = await looking();
    await publish();
    const [post] = bench.network.posts();
    expect(await look()).toMatchObject({
      among: { lists: [{ posts: [{ published: { id: post?.id, url: post?.url } }] }] },
      at_cap: { live: { id: null } },
    });
    expect(post?.id).not.toBe(input.staged.container);
  });

  it("tells a container that failed, by its code", async () => {
    const { bench, look } = await looking();
    const json = { id: "1", status_code: "ERROR", status: "Error: Media upload has failed with error code 2207026" };
    bench.network.faults.add({ kind: "refuse", answer: { status: 200, json } });
    expect(await look()).toMatchObject({ failed: { code: "media_error" } });
  });

  it("counts the list of trial reels only once it has shown one", async () => {
    const { look } = await looking();
    const options = { trial_params: { graduation_strategy: "MANUAL" as const } };
    expect(await look({ staged: {}, part: { ...part(), options } })).toMatchObject({
      lists: [{ showsSuch: false, name: "media, trial reels" }],
    });
  });

  it("goes by the list alone where a restored store knows no container", async () => {
    const { look, publish, bench } = await looking();
    await publish();
    expect(await look({ staged: {}, isRestored: true })).toMatchObject({
      lists: [{ isWhole: true, showsSuch: true, posts: [{ published: { id: bench.network.posts()[0]?.id } }] }],
    });
  });
});

describe("a lost answer", () => {
  async function publishing(
    body: Partial<CreatePost>,
    before: (service: ReturnType<typeof createTestService>) => void,
  ) {
    const service = createTestService();
    const { social, sandbox, clock } = service;
    const { access_token } = sandbox.instagram.addAccount({ username: "alice" });
    const profile = await clock.run(() =>
      social.profiles.connect({ network: "instagram", credentials: { access_token } }),
    );
    const url = sandbox.media.put("a.jpg", jpeg(80, 80), { contentType: "image/jpeg" });
    before(service);
    return clock.run(async () => {
      await social.start();
      const { id } = await social.posts.create({ profile_ids: [profile.id], text: "Once.", media: [url], ...body });
      await clock.sleep(3 * 3_600_000);
      await social.stop();
      return { post: await social.posts.get(id), sandbox };
    });
  }

  it("makes no second container, whatever is lost", async () => {
    const { post, sandbox } = await publishing({}, ({ sandbox: { instagram } }) => {
      instagram.faults.add({ kind: "drop_before", operation: "commit" });
      instagram.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.status).toBe("published");
    expect(sandbox.instagram.posts()).toHaveLength(1);
    expect(sandbox.instagram.containers()).toBe(1);
    expect(post.targets[0]?.post_ids).toEqual([sandbox.instagram.posts()[0]?.id]);
  });

  it("of a story is found by its time, although it has no words", async () => {
    const { post, sandbox } = await publishing({ post_type: "story", text: "" }, ({ sandbox: { instagram } }) => {
      instagram.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [sandbox.instagram.posts()[0]?.id] });
  });

  it("leaves a post published without an id where no list ever shows it", async () => {
    const { post, sandbox } = await publishing({}, ({ sandbox: { instagram } }) => {
      instagram.lagReads(100_000);
      instagram.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [], url: null });
    expect(sandbox.instagram.posts()).toHaveLength(1);
  });

  it("tells two posts of the same words apart by whose the first one is", async () => {
    const { post, sandbox } = await publishing({}, ({ sandbox: { instagram } }) => {
      instagram.postAs(instagram.accounts()[0] ?? "", { text: "Once.", kind: "VIDEO" });
      instagram.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]?.post_ids).toEqual([sandbox.instagram.posts()[1]?.id]);
  });

  it("of a first comment is looked for under the post", async () => {
    const { post, sandbox } = await publishing(
      { networks: { instagram: { first_comment: "And this." } } },
      ({ sandbox: { instagram } }) => {
        instagram.faults.add({ kind: "drop_after", operation: "POST /:id/comments" });
      },
    );
    expect(post.status).toBe("published");
    expect(sandbox.instagram.comments()).toHaveLength(1);
    expect(post.targets[0]?.post_ids).toEqual([sandbox.instagram.posts()[0]?.id]);
  });
});
