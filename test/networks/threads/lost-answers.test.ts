import { describe, expect, it } from "vitest";
import type { LookInput } from "../../../src/networks/contract/look.ts";
import type { ThreadsOptions } from "../../../src/networks/threads/options.ts";
import { publisher } from "../../../src/networks/threads/publish.ts";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { Json } from "../../../src/wire/json.ts";
import { createTestService } from "../../support/service.ts";
import { commitInputOf } from "../parts.ts";
import { connectedBench, part } from "./bench.ts";

/** A text whose request has not been sent yet, and what a look at it shows. */
async function looking(given: Parameters<typeof part>[0] = {}) {
  const { bench, connected } = await connectedBench();
  const kept: Record<string, Json> = {};
  const own = part(given);
  await bench.run(() => publisher.stage(connected.stage(kept), own));
  const input: LookInput<ThreadsOptions> = {
    ...commitInputOf(connected, { part: own, staged: kept }),
    since: connected.context.now() - 120_000,
  };
  const look = (more: Partial<typeof input> = {}) =>
    bench.run(() => publisher.lookFor(connected.context, { ...input, ...more }));
  const publish = () => bench.run(() => connected.send(publisher.commit(input)));
  return { bench, input, look, publish };
}

describe("a look at a container", () => {
  it("says that it is not published when it is finished", async () => {
    const { look } = await looking();
    expect(await look()).toEqual({ absent: true });
  });

  it.each(["IN_PROGRESS", "NEW_STATUS"])("says nothing of one that is %s", async (status) => {
    const { bench, look } = await looking();
    bench.network.faults.add({ kind: "refuse", answer: { status: 200, json: { id: "1", status } } });
    expect(await look()).toEqual({ pending: expect.any(String) });
  });

  it("tells one that failed", async () => {
    const { bench, look } = await looking();
    const json = { id: "1", status: "ERROR", error_message: "FAILED_PROCESSING_VIDEO" };
    bench.network.faults.add({ kind: "refuse", answer: { status: 200, json } });
    expect(await look()).toMatchObject({ failed: { code: "media_error" } });
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

  it("takes what has no container's fields for the post only when it reads as one", async () => {
    const { bench, look, publish } = await looking();
    await publish();
    const [post] = bench.network.posts();
    expect(await look({ staged: { container: post?.id ?? "" } })).toEqual({
      live: { id: post?.id, url: post?.url, ref: null },
    });
    expect(await look({ staged: { container: "18000000000999999" } })).toMatchObject({ lists: [{ name: "threads" }] });
  });

  it("says nothing of it where a limit is used up", async () => {
    const { bench, look, publish } = await looking();
    await publish();
    const error = { message: "(#17) User request limit reached", type: "OAuthException", code: 17 };
    const operation = "GET /:id?fields=id,permalink,timestamp";
    bench.network.faults.add({ kind: "refuse", operation, answer: { status: 400, json: { error } } });
    const staged = { container: bench.network.posts()[0]?.id ?? "" };
    await expect(look({ staged })).rejects.toMatchObject({ refusal: { remedy: "rate_limit" } });
  });

  it("counts a list for ghost posts only once it has shown one", async () => {
    const { look } = await looking();
    expect(await look({ staged: {}, part: part({ options: { is_ghost_post: true } }) })).toMatchObject({
      lists: [{ showsSuch: false, name: "threads, ghost posts" }],
    });
  });

  it("reads the replies, with what they reply to, for a part of a thread", async () => {
    const { bench, look, publish } = await looking();
    await publish();
    const [root] = bench.network.posts();
    const previous = { id: root?.id ?? "", url: null, ref: null };
    const reply = bench.network.postAs(bench.accountId, { text: "Two.", reply_to: previous.id });
    expect(await look({ staged: {}, index: 1, first: previous, previous })).toMatchObject({
      parent: root?.id,
      lists: [{ name: "replies", isWhole: true, posts: [{ published: { id: reply }, parent: root?.id }] }],
    });
    expect(await look({ staged: {}, index: 1 })).toEqual({ cannot_tell: expect.any(String) });
  });
});

describe("a lost answer", () => {
  async function publishing(
    body: Partial<CreatePost>,
    before: (service: ReturnType<typeof createTestService>) => void,
  ) {
    const service = createTestService();
    const { social, sandbox, clock } = service;
    const { access_token } = sandbox.threads.addAccount({ username: "alice" });
    const profile = await clock.run(() =>
      social.profiles.connect({ network: "threads", credentials: { access_token } }),
    );
    before(service);
    return clock.run(async () => {
      await social.start();
      const { id } = await social.posts.create({ profile_ids: [profile.id], text: "Once.", ...body });
      await clock.sleep(3 * 3_600_000);
      await social.stop();
      return { post: await social.posts.get(id), sandbox };
    });
  }

  it("makes no second container, whatever is lost", async () => {
    const { post, sandbox } = await publishing({}, ({ sandbox: { threads } }) => {
      threads.faults.add({ kind: "drop_before", operation: "commit" });
      threads.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.status).toBe("published");
    expect(sandbox.threads.containers()).toBe(1);
    expect(post.targets[0]?.post_ids).toEqual([sandbox.threads.posts()[0]?.id]);
  });

  it("of a part of a thread is found among the replies, and the next one replies to it", async () => {
    const { post, sandbox } = await publishing({ thread: ["One.", "Two.", "Three."] }, ({ sandbox: { threads } }) => {
      threads.faults.add({ kind: "drop_after", operation: "commit", after: 1 });
    });
    const posts = sandbox.threads.posts();
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: posts.map(({ id }) => id) });
    expect(posts.map(({ reply_to }) => reply_to)).toEqual([null, posts[0]?.id, posts[1]?.id]);
    expect(sandbox.threads.containers()).toBe(3);
  });

  it("finds a text whose topic is shown without its sign", async () => {
    const { post, sandbox } = await publishing({ text: "Leaves of #tea" }, ({ sandbox: { threads } }) => {
      threads.changeLists({ showsTopicsBare: true });
      threads.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]?.post_ids).toEqual([sandbox.threads.posts()[0]?.id]);
  });

  it("leaves a post published without an id where no list ever shows it", async () => {
    const { post, sandbox } = await publishing({}, ({ sandbox: { threads } }) => {
      threads.lagReads(100_000);
      threads.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [], url: null });
    expect(sandbox.threads.posts()).toHaveLength(1);
  });

  it("is not needed for a container that is not seen everywhere: the same one is published a little later", async () => {
    const { post, sandbox } = await publishing({}, ({ sandbox: { threads } }) => threads.spreadContainersFor(12));
    expect(post.status).toBe("published");
    expect(sandbox.threads.containers()).toBe(1);
    expect(sandbox.threads.posts()).toHaveLength(1);
  });
});
