import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/networks/instagram/api.ts";
import { instagram } from "../../../src/networks/instagram/index.ts";
import { createPublisher } from "../../../src/networks/instagram/publish.ts";
import type { CreatePost } from "../../../src/posts/schema.ts";
import { uploadRefusal } from "../../../src/sandbox/parts/graph-files.ts";
import { jpeg, movie } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";
import { instagramBench, part, video, videoBytes } from "./bench.ts";

const upload = "POST /ig-api-upload/:id";

/** A service that Instagram cannot fetch anything from, with a connected account. */
async function unreachable(login: "instagram" | "facebook" = "facebook") {
  const service = createTestService({
    networks: [instagram({ videoUpload: "push" })],
    baseUrl: "http://localhost:3000/social",
  });
  const { social, sandbox, clock } = service;
  const { access_token } = sandbox.instagram.addAccount({ username: "alice", login });
  const profile = await clock.run(() =>
    social.profiles.connect({ network: "instagram", credentials: { access_token } }),
  );
  const put = async (bytes: Uint8Array) => (await clock.run(() => social.media.upload(bytes))).url;
  const publish = (post: Omit<CreatePost, "profile_ids">) =>
    clock.run(async () => {
      await social.start();
      const { id } = await social.posts.create({ profile_ids: [profile.id], ...post });
      await clock.sleep(15 * 60_000);
      await social.stop();
      return social.posts.get(id);
    });
  const problems = async (post: Omit<CreatePost, "profile_ids">) => {
    const { targets } = await clock.run(() => social.posts.validate({ profile_ids: [profile.id], ...post }));
    return targets.flatMap(({ issues }) => issues.map(({ field, message }) => [field, message]));
  };
  return { ...service, put, publish, problems };
}

/** A refusal by the upload host. */
function said(type: string, ways: Parameters<typeof uploadRefusal>[2] = {}) {
  return uploadRefusal(type, "Request processing failed", ways).answer;
}

const content = movie("isom", "first", { width: 720, height: 1280, seconds: 5 });

describe("videos that are uploaded to Instagram", () => {
  it("need no public URL", async () => {
    const { sandbox, put, publish } = await unreachable();
    const post = await publish({ text: "Bread", media: [await put(content)] });
    expect(post.targets).toMatchObject([{ status: "published", error: null }]);
    expect(sandbox.instagram.posts()).toMatchObject([{ text: "Bread", product: "REELS" }]);
    expect(sandbox.instagram.containers()).toBe(1);
  });

  it("are rejected before any request with Instagram Login, which has no uploads", async () => {
    const { put, problems } = await unreachable("instagram");
    expect(await problems({ media: [await put(content)] })).toEqual([
      ["media[0]", expect.stringMatching(/only with Facebook Login.*videoUpload: "pull"/)],
    ]);
  });

  it("may be stories, too", async () => {
    const { sandbox, put, publish } = await unreachable();
    const story = await publish({ media: [await put(content)], post_type: "story" });
    expect(story.targets).toMatchObject([{ status: "published", error: null }]);
    expect(sandbox.instagram.posts()).toMatchObject([{ product: "STORY", kind: "VIDEO" }]);
  });

  it("are rejected together with files that Instagram must fetch: an image, a cover", async () => {
    const { put, problems } = await unreachable();
    const [video, picture] = [await put(content), await put(jpeg(80, 80))];
    expect(await problems({ media: [video, picture] })).toEqual([
      ["media[1]", expect.stringMatching(/^Instagram fetches this file by URL, and .*localhost/)],
    ]);
    expect(await problems({ media: [{ url: video, thumbnail_url: picture }] })).toEqual([
      ["media[0].thumbnail_url", expect.stringMatching(/^Instagram fetches this cover by URL, and .*localhost/)],
    ]);
    expect(await problems({ media: [video], networks: { instagram: { cover_url: picture } } })).toEqual([
      ["networks.instagram.cover_url", expect.stringMatching(/^Instagram fetches this file by URL, and .*localhost/)],
    ]);
  });

  it.each([
    ["the upload was lost", { kind: "drop_before" }],
    ["the response to the upload was lost", { kind: "drop_after" }],
    [
      "Instagram cannot accept it now",
      { kind: "refuse", answer: said("ServiceUnavailable", { status: 503, retriable: true }) },
    ],
    ["Instagram could not process it", { kind: "refuse", answer: said("ProcessingFailedError") }],
    ["the credentials were rejected", { kind: "refuse", answer: said("NotAuthorizedError") }],
  ] as const)("are uploaded once more with a new container if %s", async (_, fault) => {
    const { sandbox, put, publish } = await unreachable();
    sandbox.instagram.faults.add({ ...fault, operation: upload });
    const post = await publish({ text: "Bread", media: [await put(content)] });
    expect(post.targets).toMatchObject([{ status: "published", error: null }]);
    expect(sandbox.instagram.posts()).toHaveLength(1);
    expect(sandbox.instagram.containers()).toBe(2);
  });

  it("may be in a carousel, each uploaded separately", async () => {
    const { sandbox, put, publish } = await unreachable();
    const another = movie("isom", "last", { width: 720, height: 1280, seconds: 6 });
    const post = await publish({ text: "Bread", media: [await put(content), await put(another)] });
    expect(post.targets).toMatchObject([{ status: "published", error: null }]);
    expect(sandbox.instagram.posts()).toMatchObject([{ kind: "CAROUSEL_ALBUM", media: 2 }]);
    expect(sandbox.instagram.containers()).toBe(3);
  });

  it("are uploaded once more if Instagram has accepted one but cannot use it", async () => {
    const { sandbox, put, publish } = await unreachable();
    sandbox.instagram.failNextMedia(2207082);
    const post = await publish({ text: "Bread", media: [await put(content)] });
    expect(post.targets).toMatchObject([{ status: "published", error: null }]);
    expect(sandbox.instagram.containers()).toBe(2);
  });

  it("go to no host other than Meta's, whatever URL a response names", async () => {
    const bench = instagramBench({ login: "facebook" });
    const connected = await bench.connect({ access_token: bench.token });
    const publisher = createPublisher(createApi("v26.0"), { videoUpload: "push" });
    const json = { id: "1", uri: "https://rupload.facebook.com.example.org/1" };
    bench.network.faults.add({ kind: "refuse", answer: { status: 200, json }, operation: "POST /:id/media" });
    const given = part({ media: [video(bench, { size_bytes: videoBytes })] });
    const stage = bench.run(() => publisher.stage(connected.stage({}), given));
    await expect(stage).rejects.toThrow(/not one of its known hosts/);
    expect(bench.seen.filter(({ url }) => url.hostname.startsWith("rupload"))).toEqual([]);
  });

  it("fail with the reason if Instagram could not process them twice", async () => {
    const { sandbox, put, publish } = await unreachable();
    sandbox.instagram.faults.add({
      kind: "refuse",
      operation: upload,
      times: 2,
      answer: said("ProcessingFailedError"),
    });
    const post = await publish({ text: "Bread", media: [await put(content)] });
    expect(post.targets).toMatchObject([{ status: "failed", error: { code: "media_error" } }]);
    expect(sandbox.instagram.containers()).toBe(2);
  });

  it("keep their container while Instagram processes them", async () => {
    const { sandbox, put, publish } = await unreachable();
    sandbox.instagram.processMediaFor(120);
    const post = await publish({ text: "Bread", media: [await put(content)] });
    expect(post.targets).toMatchObject([{ status: "published", error: null }]);
    expect(sandbox.instagram.containers()).toBe(1);
  });

  it("are rejected before any request if their length is unknown", async () => {
    const bench = instagramBench({ login: "facebook" });
    const connected = await bench.connect({ access_token: bench.token });
    const publisher = createPublisher(createApi("v26.0"), { videoUpload: "push" });
    const stage = bench.run(() => publisher.stage(connected.stage({}), part({ media: [video(bench)] })));
    await expect(stage).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringMatching(/does not report its size/),
    });
    expect(bench.seen.filter(({ operation }) => operation === upload)).toEqual([]);
  });
});
