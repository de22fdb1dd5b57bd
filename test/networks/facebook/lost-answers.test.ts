import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/networks/facebook/api.ts";
import { createPublisher } from "../../../src/networks/facebook/publish.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { type ConnectedService, connectedService, postAndWait } from "../service.ts";
import { stepsOf, workOn } from "../steps.ts";
import { connectedBench, type FacebookBench, part, pictures, video } from "./bench.ts";
import { scene } from "./scene.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "pull" });
const { inputOf, stage, send, look } = stepsOf(publisher);

/** A part whose request has not been sent yet. */
async function looking(partOn: (bench: FacebookBench) => ReturnType<typeof part>) {
  const desk = await connectedBench();
  const work = workOn(desk, partOn(desk.bench));
  await stage(work);
  return work;
}

const aVideo = (bench: FacebookBench) => part({ media: [video(bench)] });

function videoAnswer(status: object) {
  return { kind: "refuse", answer: { status: 200, json: { id: "1", status } } } as const;
}

describe("a look at a Facebook video", () => {
  it("finds it unpublished if no request asked to publish it", async () => {
    const work = await looking(aVideo);
    expect(await look(work)).toEqual({ absent: true });
  });

  it("waits for a video whose publication Facebook has accepted, whatever its status", async () => {
    const work = await looking(aVideo);
    const { video_id } = work.kept.video as { video_id: string };
    expect(await look(work, { job: { video_id } })).toMatchObject({ pending: expect.any(String) });
  });

  it.each([
    [
      "being processed, without a publishing phase",
      { video_status: "processing", publishing_phase: { status: "not_started" } },
    ],
    ["in a status without phases", { video_status: "processing" }],
    ["being published", { video_status: "ready", publishing_phase: { status: "in_progress" } }],
  ])("decides nothing about a video that is %s", async (_, status) => {
    const work = await looking(aVideo);
    work.bench.network.faults.add(videoAnswer(status));
    expect(await look(work)).toMatchObject({ pending: expect.any(String) });
  });

  it.each([
    ["in a list", { processing_phase: { status: "error", errors: [{ code: 1, message: "Bad frames" }] } }],
    ["as a single error", { processing_phase: { status: "error", error: { message: "Bad frames" } } }],
  ])("reports why a video has failed, %s, although its status is processed", async (_, phase) => {
    const work = await looking(aVideo);
    work.bench.network.faults.add(videoAnswer({ video_status: "processing", ...phase }));
    expect(await look(work)).toMatchObject({
      failed: { code: "media_error", message: expect.stringMatching(/Bad frames/) },
    });
  });

  it("never treats a published video as failed", async () => {
    const work = await looking(aVideo);
    const publishing_phase = { status: "complete", publish_status: "published" };
    work.bench.network.faults.add(
      videoAnswer({ video_status: "error", processing_phase: { status: "error" }, publishing_phase }),
    );
    expect(await look(work)).toMatchObject({ live: expect.anything() });
  });

  it("waits for a video that Facebook does not show", async () => {
    const work = await looking(aVideo);
    const error = { message: "Object does not exist", code: 100, error_subcode: 33 };
    work.bench.network.faults.add({ kind: "refuse", answer: { status: 400, json: { error } } });
    expect(await look(work)).toMatchObject({ pending: expect.any(String) });
  });

  it("returns the id of its post, never that of the video, and asks for it if it comes later", async () => {
    const work = await looking(aVideo);
    const { bench, connected } = work;
    bench.network.tellPostIdsAfter(100);
    await send(work);
    const [post] = bench.network.posts();
    const sighting = await look(work);
    expect(sighting).toEqual({ live: { id: null, url: post?.url, ref: { video_id: expect.any(String) } } });
    if (!("live" in sighting)) throw new Error("it is not live");
    await bench.clock.advance(100_000);
    const found = await bench.run(() => publisher.lookUpId(connected.context, sighting.live));
    expect(found).toMatchObject({ id: post?.id, url: post?.url });
  });
});

describe("a look at the Page's lists", () => {
  it("recognizes a post by its photos, although its words were changed", async () => {
    const work = await looking((own) => part({ text: "Bread", media: pictures(own, 2) }));
    await send(work);
    expect(await look(work)).toMatchObject({ lists: [{ posts: [{ origin: "ours" }] }] });
    work.bench.network.changeLists({ namesPhotos: false });
    expect(await look(work)).toMatchObject({
      lists: [{ posts: [{ origin: null, isSameKind: true, texts: ["Bread"] }] }],
    });
  });

  it("reads a card's URL from the redirect through Facebook", async () => {
    const link = { url: "https://example.com/a?b=c", title: null, description: null, image_url: null };
    const work = await looking(() => part({ text: "", link }));
    await send(work);
    expect(await look(work)).toMatchObject({ lists: [{ posts: [{ texts: ["", link.url] }] }] });
  });

  it("recognizes a story only by the photo that it shows", async () => {
    const work = await looking((own) => part({ text: "", post_type: "story", media: pictures(own, 1) }));
    const { bench } = work;
    bench.network.postAs(bench.pageId, { kind: "story" });
    await send(work);
    const [, own] = bench.network.posts();
    const sighting = await look(work);
    expect(sighting).toMatchObject({ lists: [{ isWhole: true, showsSuch: true, name: "stories" }] });
    const posts = "lists" in sighting ? (sighting.lists[0]?.posts ?? []) : [];
    expect(posts.filter(({ origin }) => origin === "ours").map(({ published }) => published.id)).toEqual([own?.id]);
  });

  it("counts for targeted posts only once a list has shown one", async () => {
    const options = { targeting: { age_min: 18 } };
    const work = await looking(() => part({ options }));
    const { connected, bench } = work;
    expect(await look(work)).toMatchObject({ lists: [{ showsSuch: false, name: "published_posts, targeted" }] });
    await send(work);
    const id = bench.network.posts()[0]?.id ?? "";
    const showing = () =>
      bench.run(() => publisher.lists.showing(connected.context, { id, url: null, ref: null }, inputOf(work)));
    expect(await showing()).toEqual(["published_posts, targeted"]);
    bench.network.changeLists({ showsTargeted: false });
    expect(await showing()).toEqual([]);
  });
});

describe("a lost response at Facebook", () => {
  const picture = ({ sandbox }: ConnectedService) =>
    sandbox.media.put("a.jpg", jpeg(80, 80), { contentType: "image/jpeg" });
  const moving = ({ sandbox }: ConnectedService) =>
    sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" });

  it("causes no second upload of a photo, whatever is lost", async () => {
    const service = await connectedService(scene);
    const { facebook } = service.sandbox;
    facebook.faults.add({ kind: "drop_before", operation: "commit" });
    facebook.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service, { media: [picture(service)] });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [facebook.posts()[0]?.id] });
    expect(facebook.posts()).toHaveLength(1);
    expect(facebook.uploads().photos).toBe(1);
  });

  it.each(["drop_before", "drop_after"] as const)("causes no second video: %s", async (kind) => {
    const service = await connectedService(scene);
    const { facebook } = service.sandbox;
    facebook.processPublicationsFor(200);
    facebook.faults.add({ kind, operation: "commit" });
    const post = await postAndWait(service, { media: [moving(service)] });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [facebook.posts()[0]?.id] });
    expect(facebook.posts()).toHaveLength(1);
    expect(facebook.uploads().videos).toBe(1);
  });

  it("of a story is resolved by the photo that it shows", async () => {
    const service = await connectedService(scene);
    const { facebook } = service.sandbox;
    facebook.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service, { post_type: "story", text: "", media: [picture(service)] });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [facebook.posts()[0]?.id] });
  });

  it("of a first comment is looked for under the post", async () => {
    const networks = { facebook: { first_comment: "And this." } };
    const service = await connectedService(scene);
    const { facebook } = service.sandbox;
    facebook.faults.add({ kind: "drop_after", operation: "POST /:id/comments" });
    const post = await postAndWait(service, { networks });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [facebook.posts()[0]?.id] });
    expect(facebook.comments()).toHaveLength(1);
  });

  it("is looked for again if Facebook refuses the repetition as a duplicate", async () => {
    const service = await connectedService(scene);
    const { facebook } = service.sandbox;
    facebook.changeLists({ refusesRepetition: true });
    facebook.lagReads(240);
    facebook.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await postAndWait(service);
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [facebook.posts()[0]?.id] });
    expect(facebook.posts()).toHaveLength(1);
  });

  it("of a failed video is not inconclusive: the target reports why", async () => {
    const service = await connectedService(scene);
    const { facebook } = service.sandbox;
    facebook.processPublicationsFor(100);
    facebook.failNextVideo("Bad frames");
    const post = await postAndWait(service, { media: [moving(service)] });
    expect(post.targets[0]).toMatchObject({
      status: "failed",
      error: { code: "media_error", message: expect.stringMatching(/Bad frames/) },
    });
    expect(facebook.posts()).toEqual([]);
  });
});
