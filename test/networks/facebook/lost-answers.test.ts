import { describe, expect, it } from "vitest";
import type { LookInput } from "../../../src/networks/contract/look.ts";
import { createApi } from "../../../src/networks/facebook/api.ts";
import type { FacebookOptions } from "../../../src/networks/facebook/options.ts";
import { createPublisher } from "../../../src/networks/facebook/publish.ts";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { Json } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";
import { commitInputOf } from "../parts.ts";
import { connectedBench, type FacebookBench, film, part, pictures } from "./bench.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "pull" });

/** A part whose request has not been sent yet, and what a look at it shows. */
async function looking(partOn: (bench: FacebookBench) => ReturnType<typeof part>) {
  const { bench, connected } = await connectedBench();
  const kept: Record<string, Json> = {};
  const own = partOn(bench);
  await bench.run(() => publisher.stage(connected.stage(kept), own));
  const input: LookInput<FacebookOptions> = {
    ...commitInputOf(connected, { part: own, staged: kept }),
    since: connected.context.now() - 120_000,
  };
  const look = (more: Partial<typeof input> = {}) =>
    bench.run(() => publisher.lookFor(connected.context, { ...input, ...more }));
  const publish = () => bench.run(() => connected.send(publisher.commit(input)));
  return { bench, connected, input, look, publish };
}

const aFilm = (bench: FacebookBench) => part({ media: [film(bench)] });

function videoAnswer(status: object) {
  return { kind: "refuse", answer: { status: 200, json: { id: "1", status } } } as const;
}

describe("a look at a film", () => {
  it("says that it is not public when nobody has asked for that", async () => {
    const { look } = await looking(aFilm);
    expect(await look()).toEqual({ absent: true });
  });

  it("waits for a film whose publication Facebook has accepted, whatever it says", async () => {
    const { look, input } = await looking(aFilm);
    const { video_id } = input.staged.video as { video_id: string };
    expect(await look({ job: { video_id } })).toMatchObject({ pending: expect.any(String) });
  });

  it.each([
    [
      "being processed, although nothing says that it is to be published",
      { video_status: "processing", publishing_phase: { status: "not_started" } },
    ],
    ["of a status without phases", { video_status: "processing" }],
    ["being published", { video_status: "ready", publishing_phase: { status: "in_progress" } }],
  ])("says nothing of one that is %s", async (_, status) => {
    const { bench, look } = await looking(aFilm);
    bench.network.faults.add(videoAnswer(status));
    expect(await look()).toMatchObject({ pending: expect.any(String) });
  });

  it.each([
    ["in a list", { processing_phase: { status: "error", errors: [{ code: 1, message: "Bad frames" }] } }],
    ["as one", { processing_phase: { status: "error", error: { message: "Bad frames" } } }],
  ])("tells why one has failed, %s, although it is said to be processed", async (_, phase) => {
    const { bench, look } = await looking(aFilm);
    bench.network.faults.add(videoAnswer({ video_status: "processing", ...phase }));
    expect(await look()).toMatchObject({
      failed: { code: "media_error", message: expect.stringMatching(/Bad frames/) },
    });
  });

  it("never takes a published one for failed", async () => {
    const { bench, look } = await looking(aFilm);
    const publishing_phase = { status: "complete", publish_status: "published" };
    bench.network.faults.add(
      videoAnswer({ video_status: "error", processing_phase: { status: "error" }, publishing_phase }),
    );
    expect(await look()).toMatchObject({ live: expect.anything() });
  });

  it("waits for one that Facebook does not show", async () => {
    const { bench, look } = await looking(aFilm);
    const error = { message: "Object does not exist", code: 100, error_subcode: 33 };
    bench.network.faults.add({ kind: "refuse", answer: { status: 400, json: { error } } });
    expect(await look()).toMatchObject({ pending: expect.any(String) });
  });

  it("gives the id of its post, never that of the film, and asks for it where it comes later", async () => {
    const { bench, connected, look, publish } = await looking(aFilm);
    bench.network.tellPostIdsAfter(100);
    await publish();
    const [post] = bench.network.posts();
    const sighting = await look();
    expect(sighting).toEqual({ live: { id: null, url: post?.url, ref: { video_id: expect.any(String) } } });
    if (!("live" in sighting)) throw new Error("it is not live");
    await bench.clock.advance(100_000);
    const found = await bench.run(() => publisher.lookUpId(connected.context, sighting.live));
    expect(found).toMatchObject({ id: post?.id, url: post?.url });
  });
});

describe("a look at the Page's lists", () => {
  it("knows a post by its photos, although its words were changed", async () => {
    const { bench, look, publish } = await looking((own) => part({ text: "Bread", media: pictures(own, 2) }));
    await publish();
    expect(await look()).toMatchObject({ lists: [{ posts: [{ origin: "ours" }] }] });
    bench.network.changeLists({ namesPhotos: false });
    expect(await look()).toMatchObject({ lists: [{ posts: [{ origin: null, isSameKind: true, texts: ["Bread"] }] }] });
  });

  it("reads the address of a card out of the one that leads through Facebook", async () => {
    const link = { url: "https://example.com/a?b=c", title: null, description: null, image_url: null };
    const { look, publish } = await looking(() => part({ text: "", link }));
    await publish();
    expect(await look()).toMatchObject({ lists: [{ posts: [{ texts: ["", link.url] }] }] });
  });

  it("tells a story by the photo that it shows, and no other", async () => {
    const { bench, look, publish } = await looking((own) =>
      part({ text: "", post_type: "story", media: pictures(own, 1) }),
    );
    bench.network.postAs(bench.pageId, { kind: "story" });
    await publish();
    const [, own] = bench.network.posts();
    const sighting = await look();
    expect(sighting).toMatchObject({ lists: [{ isWhole: true, showsSuch: true, name: "stories" }] });
    const posts = "lists" in sighting ? (sighting.lists[0]?.posts ?? []) : [];
    expect(posts.filter(({ origin }) => origin === "ours").map(({ published }) => published.id)).toEqual([own?.id]);
  });

  it("counts for targeted posts only once it has shown one", async () => {
    const options = { targeting: { age_min: 18 } };
    const { connected, input, bench, look, publish } = await looking(() => part({ options }));
    expect(await look()).toMatchObject({ lists: [{ showsSuch: false, name: "published_posts, targeted" }] });
    await publish();
    const id = bench.network.posts()[0]?.id ?? "";
    const showing = () =>
      bench.run(() => publisher.lists.showing(connected.context, { id, url: null, ref: null }, input));
    expect(await showing()).toEqual(["published_posts, targeted"]);
    bench.network.changeLists({ showsTargeted: false });
    expect(await showing()).toEqual([]);
  });
});

describe("a lost answer", () => {
  async function publishing(
    body: Partial<CreatePost>,
    before: (service: ReturnType<typeof createTestService>) => void,
  ) {
    const service = createTestService();
    const { social, sandbox, clock } = service;
    const { access_token } = sandbox.facebook.addPage({ name: "Bakery" });
    const profile = await clock.run(() =>
      social.profiles.connect({ network: "facebook", credentials: { access_token } }),
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

  const picture = ({ sandbox }: ReturnType<typeof createTestService>) =>
    sandbox.media.put("a.jpg", jpeg(80, 80), { contentType: "image/jpeg" });
  const moving = ({ sandbox }: ReturnType<typeof createTestService>) =>
    sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" });

  it("uploads no photo anew, whatever is lost", async () => {
    const body: Partial<CreatePost> = {};
    const { post, sandbox } = await publishing(body, (service) => {
      body.media = [picture(service)];
      service.sandbox.facebook.faults.add({ kind: "drop_before", operation: "commit" });
      service.sandbox.facebook.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [sandbox.facebook.posts()[0]?.id] });
    expect(sandbox.facebook.posts()).toHaveLength(1);
    expect(sandbox.facebook.uploads().photos).toBe(1);
  });

  it.each(["drop_before", "drop_after"] as const)("of a film makes no second one: %s", async (kind) => {
    const body: Partial<CreatePost> = {};
    const { post, sandbox } = await publishing(body, (service) => {
      body.media = [moving(service)];
      service.sandbox.facebook.processPublicationsFor(200);
      service.sandbox.facebook.faults.add({ kind, operation: "commit" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [sandbox.facebook.posts()[0]?.id] });
    expect(sandbox.facebook.posts()).toHaveLength(1);
    expect(sandbox.facebook.uploads().films).toBe(1);
  });

  it("of a story is told by the photo that it shows", async () => {
    const body: Partial<CreatePost> = { post_type: "story", text: "" };
    const { post, sandbox } = await publishing(body, (service) => {
      body.media = [picture(service)];
      service.sandbox.facebook.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [sandbox.facebook.posts()[0]?.id] });
  });

  it("of a first comment is looked for under the post", async () => {
    const networks = { facebook: { first_comment: "And this." } };
    const { post, sandbox } = await publishing({ networks }, ({ sandbox: { facebook } }) => {
      facebook.faults.add({ kind: "drop_after", operation: "POST /:id/comments" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [sandbox.facebook.posts()[0]?.id] });
    expect(sandbox.facebook.comments()).toHaveLength(1);
  });

  it("under which Facebook then refuses the repetition as a duplicate is looked for again", async () => {
    const { post, sandbox } = await publishing({}, ({ sandbox: { facebook } }) => {
      facebook.changeLists({ refusesRepetition: true });
      facebook.lagReads(240);
      facebook.faults.add({ kind: "drop_after", operation: "commit" });
    });
    expect(post.targets[0]).toMatchObject({ status: "published", post_ids: [sandbox.facebook.posts()[0]?.id] });
    expect(sandbox.facebook.posts()).toHaveLength(1);
  });

  it("of a film that fails is no doubt: the target says why", async () => {
    const body: Partial<CreatePost> = {};
    const { post, sandbox } = await publishing(body, (service) => {
      body.media = [moving(service)];
      service.sandbox.facebook.processPublicationsFor(100);
      service.sandbox.facebook.failNextFilm("Bad frames");
    });
    expect(post.targets[0]).toMatchObject({
      status: "failed",
      error: { code: "media_error", message: expect.stringMatching(/Bad frames/) },
    });
    expect(sandbox.facebook.posts()).toEqual([]);
  });
});
