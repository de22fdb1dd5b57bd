import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/networks/instagram/api.ts";
import { createPublisher } from "../../../src/networks/instagram/publish.ts";
import { jpeg } from "../../media/samples.ts";
import { type ConnectedService, connectedService, postAndWait } from "../service.ts";
import { stepsOf, workOn } from "../steps.ts";
import { connectedBench, part, pictures } from "./bench.ts";
import { scene } from "./scene.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "pull" });
const { stage, send, look } = stepsOf(publisher);

/** An image whose request has not been sent yet. */
async function looking(given: Parameters<typeof part>[0] = {}) {
  const desk = await connectedBench();
  const work = workOn(desk, part({ media: pictures(desk.bench, 1), ...given }));
  await stage(work);
  return work;
}

describe("a look at an Instagram container", () => {
  it("finds it unpublished if it is finished", async () => {
    const work = await looking();
    expect(await look(work)).toEqual({ absent: true });
  });

  it("decides nothing while Instagram processes it", async () => {
    const work = await looking();
    const answer = { status: 200, json: { id: work.kept.container, status_code: "IN_PROGRESS" } };
    work.bench.network.faults.add({ kind: "refuse", answer });
    expect(await look(work)).toEqual({ pending: expect.any(String) });
  });

  it("reads an unknown status as work in progress", async () => {
    const work = await looking();
    work.bench.network.faults.add({
      kind: "refuse",
      answer: { status: 200, json: { id: "1", status_code: "NEW_STATUS" } },
    });
    expect(await look(work)).toEqual({ pending: expect.any(String) });
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

  it("reports a failed container by its code", async () => {
    const work = await looking();
    const json = { id: "1", status_code: "ERROR", status: "Error: Media upload has failed with error code 2207026" };
    work.bench.network.faults.add({ kind: "refuse", answer: { status: 200, json } });
    expect(await look(work)).toMatchObject({ failed: { code: "media_error" } });
  });

  it("counts the list of trial reels only once it has shown one", async () => {
    const work = await looking();
    const options = { trial_params: { graduation_strategy: "MANUAL" as const } };
    expect(await look(work, { staged: {}, part: { ...part(), options } })).toMatchObject({
      lists: [{ showsSuch: false, name: "media, trial reels" }],
    });
  });

  it("uses only the list if a restored store knows no container", async () => {
    const work = await looking();
    await send(work);
    expect(await look(work, { staged: {}, isRestored: true })).toMatchObject({
      lists: [{ isWhole: true, showsSuch: true, posts: [{ published: { id: work.bench.network.posts()[0]?.id } }] }],
    });
  });
});

describe("a lost response at Instagram", () => {
  const picture = ({ sandbox }: ConnectedService) =>
    sandbox.media.put("a.jpg", jpeg(80, 80), { contentType: "image/jpeg" });

  it("leads to no second container, whatever is lost", async () => {
    const service = await connectedService(scene);
    const { instagram } = service.sandbox;
    instagram.faults.add({ kind: "drop_before", operation: "commit" });
    instagram.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service, { media: [picture(service)] });
    expect(post.status).toBe("published");
    expect(instagram.posts()).toHaveLength(1);
    expect(instagram.containers()).toBe(1);
    expect(post.targets[0]?.post_ids).toEqual([instagram.posts()[0]?.id]);
  });

  it("of a story is resolved by its time, although a story has no words", async () => {
    const service = await connectedService(scene);
    const { instagram } = service.sandbox;
    instagram.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service, { media: [picture(service)], post_type: "story", text: "" });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [instagram.posts()[0]?.id] });
  });

  it("leaves a post published without an id if no list ever shows it", async () => {
    const service = await connectedService(scene);
    const { instagram } = service.sandbox;
    instagram.lagReads(100_000);
    instagram.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service, { media: [picture(service)] });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [], url: null });
    expect(instagram.posts()).toHaveLength(1);
  });

  it("is resolved between two posts with the same words by the owner of the first one", async () => {
    const service = await connectedService(scene);
    const { instagram } = service.sandbox;
    instagram.postAs(instagram.accounts()[0] ?? "", { text: "Once.", kind: "VIDEO" });
    instagram.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service, { media: [picture(service)] });
    expect(post.targets[0]?.post_ids).toEqual([instagram.posts()[1]?.id]);
  });

  it("of a first comment is looked for under the post", async () => {
    const service = await connectedService(scene);
    const { instagram } = service.sandbox;
    instagram.faults.add({ kind: "drop_after", operation: "POST /:id/comments" });
    const networks = { instagram: { first_comment: "And this." } };
    const post = await postAndWait(service, { media: [picture(service)], networks });
    expect(post.status).toBe("published");
    expect(instagram.comments()).toHaveLength(1);
    expect(post.targets[0]?.post_ids).toEqual([instagram.posts()[0]?.id]);
  });
});
