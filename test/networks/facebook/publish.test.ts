import { describe, expect, it } from "vitest";
import type { Acceptance } from "../../../src/networks/contract/acceptance.ts";
import type { Part } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { createApi } from "../../../src/networks/facebook/api.ts";
import { facebook } from "../../../src/networks/facebook/index.ts";
import { createPublisher } from "../../../src/networks/facebook/publish.ts";
import type { Desk as AnyDesk } from "../desk.ts";
import { seenOf } from "../seen.ts";
import { liveIn, stepsOf, workOn } from "../steps.ts";
import { connectedBench, type FacebookBench, facebookBench, part, pictures, video } from "./bench.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "pull" });

const { inputOf, stage, send, publish, look } = stepsOf(publisher);

type Desk = AnyDesk<FacebookBench>;

/** Bodies of the requests for an operation. */
function bodiesOf({ bench }: Desk, operation: string): Record<string, unknown>[] {
  return seenOf(bench, operation).map(({ bytes, headers }) => {
    const text = new TextDecoder().decode(bytes);
    const isJson = headers.get("content-type")?.startsWith("application/json") === true;
    return isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  });
}

describe("a post in the feed", () => {
  it("has a text, and an id whose two numbers exceed a JavaScript number", async () => {
    const scene = await connectedBench();
    const work = workOn(scene, part());
    const live = liveIn(await publish(work));
    const [post] = scene.bench.network.posts();
    expect(live.id).toBe(post?.id);
    expect(live.id).toMatch(/^\d{17}_\d{17}$/);
    expect(live.url).toBe(`https://www.facebook.com/${post?.id}`);
    const confirmed = await scene.bench.run(() => publisher.confirm(scene.connected.context, live, inputOf(work)));
    expect(confirmed).toEqual({ id: post?.id, url: post?.url, ref: null });
  });

  it("shows its link as a card, with a button", async () => {
    const scene = await connectedBench();
    const link = { url: "https://example.com/a", title: null, description: null, image_url: null };
    await publish(workOn(scene, part({ link, options: { call_to_action: { type: "SHOP_NOW" } } })));
    expect(bodiesOf(scene, "POST /:id/feed")).toEqual([
      {
        message: "Hello",
        link: link.url,
        published: true,
        call_to_action: { type: "SHOP_NOW", value: { link: link.url } },
      },
    ]);
  });

  it("has photos that were uploaded unpublished, with their alt texts", async () => {
    const scene = await connectedBench();
    const work = workOn(scene, part({ media: pictures(scene.bench, 2) }));
    await stage(work);
    expect(scene.bench.network.posts()).toEqual([]);
    expect(bodiesOf(scene, "POST /:id/photos")).toEqual([
      { url: "https://media.example/0.jpg", published: "false", alt_text_custom: "picture 0" },
      { url: "https://media.example/1.jpg", published: "false", alt_text_custom: "picture 1" },
    ]);
    await send(work);
    expect(bodiesOf(scene, "POST /:id/feed")).toEqual([
      {
        message: "Hello",
        published: true,
        attached_media: [{ media_fbid: work.kept.photo_0 }, { media_fbid: work.kept.photo_1 }],
      },
    ]);
    expect(scene.bench.network.posts()).toMatchObject([{ media: 2, alt: ["picture 0", "picture 1"] }]);
  });

  it("reaches only its target audience", async () => {
    const scene = await connectedBench();
    const options = {
      targeting: { geo_locations: { countries: ["DE"], cities: [{ key: "2418779" }] }, age_min: 18 },
      feed_targeting: { geo_locations: { regions: [{ key: "3847" }] } },
    };
    await publish(workOn(scene, part({ options })));
    expect(bodiesOf(scene, "POST /:id/feed")[0]).toMatchObject(options);
  });

  it("has a coloured background", async () => {
    const scene = await connectedBench();
    await publish(workOn(scene, part({ options: { text_format_preset_id: "106018623298955" } })));
    expect(scene.bench.network.posts()).toMatchObject([{ extras: { text_format_preset_id: "106018623298955" } }]);
  });

  it("is followed by its first comment", async () => {
    const scene = await connectedBench();
    const given = part({ options: { first_comment: "#hidden" } });
    const plan = { text: "Hello", title: null, link: null, thread: null, auto_thread: false } as const;
    const [post, comment] = publisher.prepare({ ...plan, media: [], post_type: "post", options: given.options }, [
      given,
    ]);
    if (post === undefined || comment === undefined) throw new Error("a part is missing");
    const { id } = liveIn(await publish(workOn(scene, post)));
    const first = { id: id ?? "", url: null, ref: null };
    const work = workOn(scene, comment);
    const more = { index: 1, first, previous: first };
    const live = liveIn(await send(work, more));
    expect(scene.bench.network.comments()).toMatchObject([{ id: live.id, post: id, message: "#hidden" }]);
    expect(await look(work, more)).toMatchObject({
      lists: [{ isWhole: true, posts: [{ published: { id: live.id } }] }],
    });
  });
});

describe("a video for Facebook", () => {
  const given = (scene: Desk, more: Partial<Part> = {}) => part({ media: [video(scene.bench)], ...more });

  it("is uploaded in the pieces that Facebook requests, and becomes a job when it is finished", async () => {
    const scene = await connectedBench();
    scene.bench.network.askForPieces(10);
    const options = { content_category: "BUSINESS", call_to_action: { type: "SIGN_UP", link: "https://example.com" } };
    const work = workOn(scene, given(scene, { title: "Bread", options }));
    const acceptance = await publish(work);
    expect(seenOf(scene.bench, "POST /:id/videos transfer")).toHaveLength(4);
    expect(acceptance).toEqual({ job: { video_id: expect.stringMatching(/^\d{17}$/) } });
    const { upload_session_id } = work.kept.video as { upload_session_id?: string };
    expect(bodiesOf(scene, "POST /:id/videos finish")).toEqual([
      {
        upload_phase: "finish",
        upload_session_id,
        description: "Hello",
        title: "Bread",
        content_category: "BUSINESS",
        call_to_action: '{"type":"SIGN_UP","value":{"link":"https://example.com"}}',
      },
    ]);
    expect(scene.bench.network.posts()).toMatchObject([{ kind: "video", title: "Bread", text: "Hello" }]);
  });

  it("resumes after the bytes that Facebook has", async () => {
    const scene = await connectedBench();
    const { network } = scene.bench;
    network.askForPieces(10);
    network.faults.add({ kind: "drop_after", operation: "POST /:id/videos transfer" });
    const work = workOn(scene, given(scene));
    await expect(stage(work)).rejects.toThrow();
    await stage(work);
    expect(seenOf(scene.bench, "POST /:id/videos transfer")).toHaveLength(4);
    await send(work);
    expect(network.posts()).toHaveLength(1);
    expect(network.uploads().videos).toBe(1);
  });

  it("sends the rest of a piece of which only a part arrived", async () => {
    const scene = await connectedBench();
    scene.bench.network.askForPieces(20);
    scene.bench.network.takeOnly(5);
    await publish(workOn(scene, given(scene)));
    expect(scene.bench.network.posts()).toHaveLength(1);
  });

  it("gets the option's cover before it is public", async () => {
    const scene = await connectedBench();
    const [cover] = pictures(scene.bench, 1);
    if (cover === undefined) throw new Error("there is no picture");
    const options = { thumbnail: cover.url };
    await publish(
      workOn(scene, given(scene, { options, option_files: [{ url: cover.url, mime_type: "image/jpeg" }] })),
    );
    const operations = scene.bench.seen.map(({ operation }) => operation);
    expect(operations.indexOf("POST /:id/thumbnails")).toBeGreaterThan(-1);
    expect(operations.indexOf("POST /:id/thumbnails")).toBeLessThan(operations.indexOf("POST /:id/videos finish"));
  });

  it("without a known length is rejected before any request is sent", async () => {
    const scene = await connectedBench();
    const before = scene.bench.seen.length;
    await expect(
      stage(workOn(scene, part({ media: [video(scene.bench, { size_bytes: null })] }))),
    ).rejects.toMatchObject({
      code: "media_error",
    });
    expect(scene.bench.seen).toHaveLength(before);
  });
});

describe("a reel that Facebook fetches", () => {
  const given = (scene: Desk, more: Partial<Part> = {}) =>
    part({ post_type: "reel", media: [video(scene.bench)], ...more });

  it("is requested with the upload's own word before the token", async () => {
    const scene = await connectedBench();
    const acceptance = await publish(workOn(scene, given(scene, { title: "Bread", options: { place: "123" } })));
    const upload = scene.bench.seen.find(({ url }) => url.hostname === "rupload.facebook.com");
    expect(upload?.headers.get("authorization")).toBe(`OAuth ${scene.bench.token}`);
    expect(upload?.headers.get("file_url")).toBe("https://media.example/film.mp4");
    expect(bodiesOf(scene, "POST /:id/video_reels finish")).toMatchObject([
      { video_state: "PUBLISHED", description: "Hello", title: "Bread", place: "123" },
    ]);
    expect(acceptance).toEqual({ job: { video_id: expect.any(String) } });
  });

  it("waits until Facebook has fetched it", async () => {
    const scene = await connectedBench();
    scene.bench.network.fetchVideosFor(30);
    const work = workOn(scene, given(scene));
    await expect(stage(work)).rejects.toBeInstanceOf(NotReady);
    await scene.bench.clock.advance(30_000);
    await stage(work);
    expect(scene.bench.network.uploads().videos).toBe(1);
  });

  it("is started a second time, but not a third, if Facebook cannot read it", async () => {
    const scene = await connectedBench();
    const work = workOn(scene, given(scene));
    const answer = {
      status: 200,
      json: { status: { video_status: "upload_failed", uploading_phase: { status: "error" } } },
    };
    scene.bench.network.faults.add({ kind: "refuse", answer, operation: "GET /:id?fields=status", times: 2 });
    await expect(stage(work)).rejects.toBeInstanceOf(NotReady);
    await expect(stage(work)).rejects.toMatchObject({ code: "media_error" });
    expect(scene.bench.network.uploads().videos).toBe(2);
  });

  it("is started a second time, but not a third, if Facebook cannot fetch it", async () => {
    const scene = await connectedBench();
    const work = workOn(scene, given(scene));
    scene.bench.files.delete("https://media.example/film.mp4");
    await expect(stage(work)).rejects.toBeInstanceOf(NotReady);
    await expect(stage(work)).rejects.toMatchObject({ code: "media_error", message: expect.stringMatching(/fetch/) });
    expect(scene.bench.network.uploads().videos).toBe(2);
  });

  it("never sends the token to a host other than Facebook's", async () => {
    const scene = await connectedBench();
    const json = { video_id: "1", upload_url: "https://rupload.facebook.com.example.org/1" };
    scene.bench.network.faults.add({
      kind: "refuse",
      answer: { status: 200, json },
      operation: "POST /:id/video_reels start",
    });
    await expect(stage(workOn(scene, given(scene)))).rejects.toThrow(/not one of its known hosts/);
  });
});

describe("stories", () => {
  it("go out once for each file, without a text", async () => {
    const scene = await connectedBench();
    const media = [...pictures(scene.bench, 1), video(scene.bench)];
    const plan = { text: "", title: null, link: null, thread: null, auto_thread: false, media } as const;
    const parts = publisher.prepare({ ...plan, post_type: "story", options: {} }, [
      part({ text: "", post_type: "story", media }),
    ]);
    expect(parts.map((each) => each.media.length)).toEqual([1, 1]);
    const accepted: Acceptance[] = [];
    for (const each of parts) accepted.push(await publish(workOn(scene, each)));
    const [photo, moving] = scene.bench.network.posts();
    expect(accepted[0]).toMatchObject({ live: { id: photo?.id } });
    expect(accepted[1]).toEqual({ job: { video_id: expect.any(String), post_id: moving?.id.split("_")[1] } });
    expect([photo?.kind, moving?.kind]).toEqual(["story", "story"]);
  });
});

it("requests use the API version that the host has chosen", async () => {
  const bench = facebookBench({}, { apiVersion: "v25.0" });
  await bench.connect({ access_token: bench.token });
  expect(bench.seen.every(({ url }) => url.pathname.startsWith("/v25.0/"))).toBe(true);
  expect(() => facebook({ apiVersion: "v20.0" as never })).toThrow();
});
