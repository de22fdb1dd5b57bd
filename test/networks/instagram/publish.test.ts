import { describe, expect, it } from "vitest";
import type { Part } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { createApi } from "../../../src/networks/instagram/api.ts";
import { instagram } from "../../../src/networks/instagram/index.ts";
import type { InstagramOptions } from "../../../src/networks/instagram/options.ts";
import { createPublisher } from "../../../src/networks/instagram/publish.ts";
import { fixture } from "../../media/fixtures.ts";
import type { Desk } from "../desk.ts";
import { formOf, seenOf } from "../seen.ts";
import { liveIn, stepsOf, workOn } from "../steps.ts";
import { connectedBench, instagramBench, part, pictures, video } from "./bench.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "pull" });

const { inputOf, stage, send, publish } = stepsOf(publisher);

/** Publishes, and confirms what is live. */
async function published(desk: Desk, given: Part<InstagramOptions>) {
  const work = workOn(desk, given);
  const accepted = liveIn(await publish(work));
  const { bench, connected } = work;
  return { work, live: await bench.run(() => publisher.confirm(connected.context, accepted, inputOf(work))) };
}

/** The bodies of the requests that created containers. */
function containersAsked({ bench }: Desk): Record<string, string>[] {
  return seenOf(bench, "POST /:id/media").map(formOf);
}

describe("an Instagram post", () => {
  it("is an image with its caption and alt text, under another id than the container's", async () => {
    const scene = await connectedBench();
    const { work, live } = await published(scene, part({ media: pictures(scene.bench, 1) }));
    expect(containersAsked(scene)).toEqual([
      { image_url: "https://media.example/0.jpg", caption: "Hello", alt_text: "picture 0" },
    ]);
    const [post] = scene.bench.network.posts();
    expect(post).toMatchObject({ text: "Hello", alt: ["picture 0"], kind: "IMAGE" });
    expect(live).toEqual({ id: post?.id, url: post?.url, ref: null });
    expect(live.id).not.toBe(work.kept.container);
  });

  it("is a reel with its cover if it has one video", async () => {
    const scene = await connectedBench();
    const { bench } = scene;
    const cover = "https://media.example/cover.jpg";
    bench.files.set(cover, pictures(bench, 1).map(({ url }) => bench.files.get(url) as Uint8Array)[0] as Uint8Array);
    const options = { share_to_feed: false, audio_name: "Wind", trial_params: { graduation_strategy: "MANUAL" } };
    const file = video(bench, { thumbnail_url: cover, thumbnail_mime_type: "image/jpeg", alt: "left out" });
    await published(scene, part({ media: [file], options }));
    expect(containersAsked(scene)).toEqual([
      {
        media_type: "REELS",
        video_url: "https://media.example/film.mp4",
        caption: "Hello",
        share_to_feed: "false",
        cover_url: cover,
        audio_name: "Wind",
        trial_params: '{"graduation_strategy":"MANUAL"}',
      },
    ]);
    expect(bench.network.posts()).toMatchObject([{ product: "REELS", share_to_feed: false }]);
  });

  it("has music and its sponsor with Facebook Login", async () => {
    const scene = await connectedBench({ login: "facebook" });
    const audio_configuration = { audio_id: "77", audio_volume: 80, video_volume: 0 };
    const sponsors = { is_paid_partnership: true, branded_content_sponsor_ids: ["17841400000000002"] };
    await published(scene, part({ media: [video(scene.bench)], options: { audio_configuration, ...sponsors } }));
    expect(containersAsked(scene)).toMatchObject([
      {
        audio_configuration: '{"audio_id":"77","audio_volume":80,"video_volume":0}',
        is_paid_partnership: "true",
        branded_content_sponsor_ids: '["17841400000000002"]',
      },
    ]);
    expect(scene.bench.network.posts()).toMatchObject([
      { music: "77", is_paid_partnership: true, sponsors: ["17841400000000002"] },
    ]);
  });

  it("shows products of the shop, each in its file", async () => {
    const scene = await connectedBench({ login: "facebook" });
    const [rye, box] = ["9007199254741201", "9007199254741205"] as const;
    const product_tags = [
      { product_id: rye, x: 0.5, y: 0.25 },
      { product_id: box, item: 1 },
    ];
    await published(
      scene,
      part({ media: [...pictures(scene.bench, 1), video(scene.bench)], options: { product_tags } }),
    );
    expect(containersAsked(scene)).toMatchObject([
      { product_tags: `[{"product_id":"${rye}","x":0.5,"y":0.25}]` },
      { product_tags: `[{"product_id":"${box}"}]` },
      { children: expect.any(String) },
    ]);
    expect(scene.bench.network.posts()).toMatchObject([{ products: [[rye], [box]] }]);
  });

  it("shows no products if the connection lacks the shop's scopes, which needs no reconnect", async () => {
    const scene = await connectedBench({ login: "facebook", scopes: ["instagram_basic", "instagram_content_publish"] });
    const product_tags = [{ product_id: "9007199254741201", x: 0.5, y: 0.25 }];
    const given = part({ media: pictures(scene.bench, 1), options: { product_tags } });
    await expect(stage(workOn(scene, given))).rejects.toMatchObject({ refusal: { code: "unsupported" } });
  });

  it("is a carousel whose parent is created when each child is finished", async () => {
    const scene = await connectedBench();
    const options = {
      collaborators: ["@bob"],
      user_tags: [{ username: "carol", x: 0.5, y: 0.25, item: 1 }],
      is_ai_generated: true,
      branded_content_sponsor_ids: ["5"],
    };
    await published(scene, part({ media: [...pictures(scene.bench, 2), video(scene.bench)], options }));
    const [first, second, file, parent] = containersAsked(scene);
    expect(first).toEqual({
      is_carousel_item: "true",
      image_url: "https://media.example/0.jpg",
      alt_text: "picture 0",
    });
    expect(second).toMatchObject({ user_tags: '[{"username":"carol","x":0.5,"y":0.25}]' });
    expect(file).toEqual({
      is_carousel_item: "true",
      media_type: "VIDEO",
      video_url: "https://media.example/film.mp4",
    });
    expect(parent).toMatchObject({
      media_type: "CAROUSEL",
      caption: "Hello",
      collaborators: '["bob"]',
      is_ai_generated: "true",
      branded_content_sponsor_ids: '["5"]',
    });
    expect(scene.bench.network.posts()).toMatchObject([
      { kind: "CAROUSEL_ALBUM", media: 3, collaborators: ["bob"], sponsors: ["5"] },
    ]);
  });

  it("is one story for each file, without a caption", async () => {
    const scene = await connectedBench();
    const media = pictures(scene.bench, 2);
    const input = {
      text: "",
      title: null,
      link: null,
      thread: null,
      auto_thread: false,
      media,
      post_type: "story",
    } as const;
    const tags = [{ username: "carol", item: 1 }];
    const parts = publisher.prepare({ ...input, options: { user_tags: tags } }, [
      part({ text: "", post_type: "story", media }),
    ]);
    expect(parts.map((each) => [each.media.length, each.post_type])).toEqual([
      [1, "story"],
      [1, "story"],
    ]);
    for (const each of parts) await published(scene, each);
    expect(containersAsked(scene)).toEqual([
      { media_type: "STORIES", image_url: "https://media.example/0.jpg" },
      { media_type: "STORIES", image_url: "https://media.example/1.jpg", user_tags: '[{"username":"carol"}]' },
    ]);
    expect(scene.bench.network.posts().map(({ product }) => product)).toEqual(["STORY", "STORY"]);
  });

  it("is followed by its first comment, with comments disabled if requested", async () => {
    const scene = await connectedBench();
    const { bench } = scene;
    const given = part({ media: pictures(bench, 1), options: { first_comment: "#hidden" } });
    const plan = {
      text: "Hello",
      title: null,
      link: null,
      thread: null,
      auto_thread: false,
      post_type: "post",
    } as const;
    const [post, comment] = publisher.prepare({ ...plan, media: given.media, options: given.options }, [given]);
    if (post === undefined || comment === undefined) throw new Error("a part is missing");
    const { live } = await published(scene, post);
    const first = { id: live.id ?? "", url: null, ref: null };
    await send(workOn(scene, comment), { index: 1, first, previous: first });
    expect(bench.network.comments()).toMatchObject([{ post: live.id, text: "#hidden", username: "alice" }]);

    await published(scene, part({ media: pictures(bench, 1), options: { comment_enabled: false } }));
    expect(bench.network.posts().map(({ comment_enabled }) => comment_enabled)).toEqual([true, false]);
  });

  it("uses the API version that the host has chosen", async () => {
    const bench = instagramBench({}, { apiVersion: "v25.0" });
    await bench.connect({ access_token: bench.token });
    expect(bench.seen.map(({ url }) => url.pathname.split("/")[1])).toEqual(["v25.0", "v25.0"]);
    expect(() => instagram({ apiVersion: "v1.0" as "v25.0" })).toThrow(/apiVersion/);
  });
});

describe("containers at Instagram", () => {
  it("are ready before they are used", async () => {
    const scene = await connectedBench();
    scene.bench.network.processMediaFor(60);
    const work = workOn(scene, part({ media: [video(scene.bench)] }));
    await expect(stage(work)).rejects.toThrow(NotReady);
    await scene.bench.clock.advance(60_000);
    await stage(work);
    expect(scene.bench.network.containers()).toBe(1);
  });

  it("that failed temporarily are created once more, but not a third time", async () => {
    const scene = await connectedBench();
    const work = workOn(scene, part({ media: [video(scene.bench)] }));
    scene.bench.network.failNextMedia(2207082);
    await expect(stage(work)).rejects.toThrow(NotReady);
    scene.bench.network.failNextMedia(2207082);
    await expect(stage(work)).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringContaining("2207082"),
    });
    expect(scene.bench.network.containers()).toBe(2);
  });

  it("fail for a video in a professional format", async () => {
    const scene = await connectedBench();
    const file = video(scene.bench);
    scene.bench.files.set(file.url, fixture("h264-444.mp4"));
    await expect(stage(workOn(scene, part({ media: [file] })))).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringContaining("does not accept this video format"),
    });
  });

  it("report a permanent failure by their code", async () => {
    const scene = await connectedBench();
    scene.bench.network.failNextMedia(2207081);
    await expect(stage(workOn(scene, part({ media: [video(scene.bench)] })))).rejects.toMatchObject({
      code: "unsupported",
    });
    const url = "https://media.example/none.jpg";
    const missing = part({ media: [{ ...(pictures(scene.bench, 1)[0] as Part["media"][number]), url }] });
    await expect(stage(workOn(scene, missing))).rejects.toThrow(NotReady);
  });

  it("that are a day old are gone, and created again", async () => {
    const scene = await connectedBench();
    const work = workOn(scene, part({ media: pictures(scene.bench, 1) }));
    await stage(work);
    await scene.bench.clock.advance(25 * 3_600_000);
    await expect(stage(work)).rejects.toThrow(NotReady);
    await stage(work);
    expect(scene.bench.network.containers()).toBe(2);
  });

  it("are not published if the day's quota is used up, which is reported first", async () => {
    const scene = await connectedBench({ quota_total: 50 });
    scene.bench.network.useUpPosts(scene.connected.profile.external_id, 50);
    await expect(stage(workOn(scene, part({ media: pictures(scene.bench, 1) })))).rejects.toMatchObject({
      code: "rejected_by_network",
      message: expect.stringContaining("50 of the 50"),
    });
  });
});
