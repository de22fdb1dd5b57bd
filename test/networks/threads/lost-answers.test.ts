import { describe, expect, it } from "vitest";
import { publisher } from "../../../src/networks/threads/publish.ts";
import { connectedService, postAndWait } from "../service.ts";
import { stepsOf, workOn } from "../steps.ts";
import { connectedBench, part } from "./bench.ts";
import { scene } from "./scene.ts";

const { stage, send, look } = stepsOf(publisher);

/** A text whose request has not been sent yet. */
async function looking(given: Parameters<typeof part>[0] = {}) {
  const work = workOn(await connectedBench(), part(given));
  await stage(work);
  return work;
}

describe("a look at a Threads container", () => {
  it("finds it unpublished if it is finished", async () => {
    const work = await looking();
    expect(await look(work)).toEqual({ absent: true });
  });

  it.each(["IN_PROGRESS", "NEW_STATUS"])("decides nothing about one that is %s", async (status) => {
    const work = await looking();
    work.bench.network.faults.add({ kind: "refuse", answer: { status: 200, json: { id: "1", status } } });
    expect(await look(work)).toEqual({ pending: expect.any(String) });
  });

  it("reports one that failed", async () => {
    const work = await looking();
    const json = { id: "1", status: "ERROR", error_message: "FAILED_PROCESSING_VIDEO" };
    work.bench.network.faults.add({ kind: "refuse", answer: { status: 200, json } });
    expect(await look(work)).toMatchObject({ failed: { code: "media_error" } });
  });

  it("finds the post's own id in the account's list, never the container's", async () => {
    const work = await looking();
    await send(work);
    const [post] = work.bench.network.posts();
    expect(await look(work)).toMatchObject({
      among: { lists: [{ posts: [{ published: { id: post?.id, url: post?.url } }] }] },
      at_cap: { live: { id: null } },
    });
    expect(post?.id).not.toBe(work.kept.container);
  });

  it("accepts an object without a container's fields as the post only if it can be read as one", async () => {
    const work = await looking();
    await send(work);
    const [post] = work.bench.network.posts();
    expect(await look(work, { staged: { container: post?.id ?? "" } })).toEqual({
      live: { id: post?.id, url: post?.url, ref: null },
    });
    expect(await look(work, { staged: { container: "18000000000999999" } })).toMatchObject({
      lists: [{ name: "threads" }],
    });
  });

  it("decides nothing if a rate limit is used up", async () => {
    const work = await looking();
    const { bench } = work;
    await send(work);
    const error = { message: "(#17) User request limit reached", type: "OAuthException", code: 17 };
    const operation = "GET /:id?fields=id,permalink,timestamp";
    bench.network.faults.add({ kind: "refuse", operation, answer: { status: 400, json: { error } } });
    const staged = { container: bench.network.posts()[0]?.id ?? "" };
    await expect(look(work, { staged })).rejects.toMatchObject({ refusal: { remedy: "rate_limit" } });
  });

  it("counts a list for ghost posts only once it has shown one", async () => {
    const work = await looking();
    expect(await look(work, { staged: {}, part: part({ options: { is_ghost_post: true } }) })).toMatchObject({
      lists: [{ showsSuch: false, name: "threads, ghost posts" }],
    });
  });

  it("reads the replies and their parents for a part of a thread", async () => {
    const work = await looking();
    const { bench } = work;
    await send(work);
    const [root] = bench.network.posts();
    const previous = { id: root?.id ?? "", url: null, ref: null };
    const reply = bench.network.postAs(bench.accountId, { text: "Two.", reply_to: previous.id });
    expect(await look(work, { staged: {}, index: 1, first: previous, previous })).toMatchObject({
      parent: root?.id,
      lists: [{ name: "replies", isWhole: true, posts: [{ published: { id: reply }, parent: root?.id }] }],
    });
    expect(await look(work, { staged: {}, index: 1 })).toEqual({ cannot_tell: expect.any(String) });
  });
});

describe("a lost response at Threads", () => {
  it("leads to no second container, whatever is lost", async () => {
    const service = await connectedService(scene);
    const { threads } = service.sandbox;
    threads.faults.add({ kind: "drop_before", operation: "commit" });
    threads.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service);
    expect(post.status).toBe("published");
    expect(threads.containers()).toBe(1);
    expect(post.targets[0]?.post_ids).toEqual([threads.posts()[0]?.id]);
  });

  it("of a thread's part is resolved among the replies, and the next part replies to it", async () => {
    const service = await connectedService(scene);
    const { threads } = service.sandbox;
    threads.faults.add({ kind: "drop_after", operation: "commit", after: 1 });
    const post = await postAndWait(service, { thread: ["One.", "Two.", "Three."] });
    const posts = threads.posts();
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: posts.map(({ id }) => id) });
    expect(posts.map(({ reply_to }) => reply_to)).toEqual([null, posts[0]?.id, posts[1]?.id]);
    expect(threads.containers()).toBe(3);
  });

  it("is resolved for a text whose topic is shown without its sign", async () => {
    const service = await connectedService(scene);
    const { threads } = service.sandbox;
    threads.changeLists({ showsTopicsBare: true });
    threads.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service, { text: "Leaves of #tea" });
    expect(post.targets[0]?.post_ids).toEqual([threads.posts()[0]?.id]);
  });

  it("leaves a post published without an id if no list ever shows it", async () => {
    const service = await connectedService(scene);
    const { threads } = service.sandbox;
    threads.lagReads(100_000);
    threads.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service);
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [], url: null });
    expect(threads.posts()).toHaveLength(1);
  });

  it("needs no look if a container is not yet visible everywhere: the same one is published a little later", async () => {
    const service = await connectedService(scene);
    const { threads } = service.sandbox;
    threads.spreadContainersFor(12);
    const post = await postAndWait(service);
    expect(post.status).toBe("published");
    expect(threads.containers()).toBe(1);
    expect(threads.posts()).toHaveLength(1);
  });
});
