import { describe, expect, it } from "vitest";
import type { Acceptance } from "../../../src/networks/contract/acceptance.ts";
import type { Part, PublishedPart } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { createApi } from "../../../src/networks/facebook/api.ts";
import { facebook } from "../../../src/networks/facebook/index.ts";
import type { FacebookOptions } from "../../../src/networks/facebook/options.ts";
import { createPublisher } from "../../../src/networks/facebook/publish.ts";
import type { Json } from "../../../src/wire/json.ts";
import { commitInputOf } from "../parts.ts";
import { connectedBench, facebookBench, film, part, pictures } from "./bench.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "pull" });

type Bench = Awaited<ReturnType<typeof connectedBench>>;

function inputFor({ connected }: Bench, given: Part<FacebookOptions>, staged: Record<string, Json>) {
  return commitInputOf(connected, { part: given, staged });
}

async function staged({ bench, connected }: Bench, given: Part<FacebookOptions>): Promise<Record<string, Json>> {
  const kept: Record<string, Json> = {};
  await bench.run(() => publisher.stage(connected.stage(kept), given));
  return kept;
}

async function sent(scene: Bench, given: Part<FacebookOptions>, kept?: Record<string, Json>) {
  const { bench, connected } = scene;
  const input = inputFor(scene, given, kept ?? (await staged(scene, given)));
  const response = await bench.run(() => connected.send(publisher.commit(input)));
  return { input, acceptance: publisher.accepted(response, input) };
}

function liveIn(acceptance: Acceptance | null): PublishedPart {
  if (acceptance === null || !("live" in acceptance)) throw new Error("nothing is live");
  return acceptance.live;
}

/** Bodies that were sent to an operation. */
function bodiesOf({ bench }: Bench, operation: string): Record<string, unknown>[] {
  const asked = bench.seen.filter((each) => each.operation === operation);
  return asked.map(({ bytes, headers }) => {
    const text = new TextDecoder().decode(bytes);
    const isJson = headers.get("content-type")?.startsWith("application/json") === true;
    return isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  });
}

describe("a post in the feed", () => {
  it("is a text, under an id whose two numbers are longer than a JavaScript number holds", async () => {
    const scene = await connectedBench();
    const { input, acceptance } = await sent(scene, part());
    const [post] = scene.bench.network.posts();
    const live = liveIn(acceptance);
    expect(live.id).toBe(post?.id);
    expect(live.id).toMatch(/^\d{17}_\d{17}$/);
    expect(live.url).toBe(`https://www.facebook.com/${post?.id}`);
    const confirmed = await scene.bench.run(() => publisher.confirm(scene.connected.context, live, input));
    expect(confirmed).toEqual({ id: post?.id, url: post?.url, ref: null });
  });

  it("has its link as a card, with a button", async () => {
    const scene = await connectedBench();
    const link = { url: "https://example.com/a", title: null, description: null, image_url: null };
    await sent(scene, part({ link, options: { call_to_action: { type: "SHOP_NOW" } } }));
    expect(bodiesOf(scene, "POST /:id/feed")).toEqual([
      {
        message: "Hello",
        link: link.url,
        published: true,
        call_to_action: { type: "SHOP_NOW", value: { link: link.url } },
      },
    ]);
  });

  it("has photos that were uploaded before, unseen, with their words", async () => {
    const scene = await connectedBench();
    const kept = await staged(scene, part({ media: pictures(scene.bench, 2) }));
    expect(scene.bench.network.posts()).toEqual([]);
    expect(bodiesOf(scene, "POST /:id/photos")).toEqual([
      { url: "https://media.example/0.jpg", published: "false", alt_text_custom: "picture 0" },
      { url: "https://media.example/1.jpg", published: "false", alt_text_custom: "picture 1" },
    ]);
    await sent(scene, part({ media: pictures(scene.bench, 2) }), kept);
    expect(bodiesOf(scene, "POST /:id/feed")).toEqual([
      {
        message: "Hello",
        published: true,
        attached_media: [{ media_fbid: kept.photo_0 }, { media_fbid: kept.photo_1 }],
      },
    ]);
    expect(scene.bench.network.posts()).toMatchObject([{ media: 2, alt: ["picture 0", "picture 1"] }]);
  });

  it("goes to those whom it is for", async () => {
    const scene = await connectedBench();
    const options = {
      targeting: { geo_locations: { countries: ["DE"], cities: [{ key: "2418779" }] }, age_min: 18 },
      feed_targeting: { geo_locations: { regions: [{ key: "3847" }] } },
    };
    await sent(scene, part({ options }));
    expect(bodiesOf(scene, "POST /:id/feed")[0]).toMatchObject(options);
  });

  it("has a coloured background", async () => {
    const scene = await connectedBench();
    await sent(scene, part({ options: { text_format_preset_id: "106018623298955" } }));
    expect(scene.bench.network.posts()).toMatchObject([{ extras: { text_format_preset_id: "106018623298955" } }]);
  });

  it("has a first comment behind it", async () => {
    const scene = await connectedBench();
    const given = part({ options: { first_comment: "#hidden" } });
    const plan = { text: "Hello", title: null, link: null, thread: null, auto_thread: false } as const;
    const [post, comment] = publisher.prepare({ ...plan, media: [], post_type: "post", options: given.options }, [
      given,
    ]);
    if (post === undefined || comment === undefined) throw new Error("a part is missing");
    const { id } = liveIn((await sent(scene, post)).acceptance);
    const first = { id: id ?? "", url: null, ref: null };
    const input = { ...inputFor(scene, comment, {}), index: 1, first, previous: first };
    const response = await scene.bench.run(() => scene.connected.send(publisher.commit(input)));
    const live = liveIn(publisher.accepted(response, input));
    expect(scene.bench.network.comments()).toMatchObject([{ id: live.id, post: id, message: "#hidden" }]);
    const look = () =>
      scene.bench.run(() =>
        publisher.lookFor(scene.connected.context, { ...input, since: scene.connected.context.now() - 120_000 }),
      );
    expect(await look()).toMatchObject({ lists: [{ isWhole: true, posts: [{ published: { id: live.id } }] }] });
  });
});

describe("a film", () => {
  const given = (scene: Bench, more: Partial<Part> = {}) => part({ media: [film(scene.bench)], ...more });

  it("is uploaded in the pieces that Facebook asks for, and is a job once it is finished", async () => {
    const scene = await connectedBench();
    scene.bench.network.askForPieces(10);
    const options = { content_category: "BUSINESS", call_to_action: { type: "SIGN_UP", link: "https://example.com" } };
    const { acceptance, input } = await sent(scene, given(scene, { title: "Bread", options }));
    expect(scene.bench.seen.filter(({ operation }) => operation === "POST /:id/videos transfer")).toHaveLength(4);
    expect(acceptance).toEqual({ job: { video_id: expect.stringMatching(/^\d{17}$/) } });
    const [{ upload_session_id } = {}] = [input.staged.video as { upload_session_id?: string }];
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
    expect(scene.bench.network.posts()).toMatchObject([{ kind: "film", title: "Bread", text: "Hello" }]);
  });

  it("goes on from the bytes that Facebook has", async () => {
    const scene = await connectedBench();
    const { network } = scene.bench;
    network.askForPieces(10);
    network.faults.add({ kind: "drop_after", operation: "POST /:id/videos transfer" });
    const kept: Record<string, Json> = {};
    const stage = () => scene.bench.run(() => publisher.stage(scene.connected.stage(kept), given(scene)));
    await expect(stage()).rejects.toThrow();
    await stage();
    const pieces = scene.bench.seen.filter(({ operation }) => operation === "POST /:id/videos transfer");
    expect(pieces).toHaveLength(4);
    await sent(scene, given(scene), kept);
    expect(network.posts()).toHaveLength(1);
    expect(network.uploads().films).toBe(1);
  });

  it("sends the rest of a piece of which only some arrived", async () => {
    const scene = await connectedBench();
    scene.bench.network.askForPieces(20);
    scene.bench.network.takeOnly(5);
    await sent(scene, given(scene));
    expect(scene.bench.network.posts()).toHaveLength(1);
  });

  it("gets the cover that the option names before it is public", async () => {
    const scene = await connectedBench();
    const [cover] = pictures(scene.bench, 1);
    if (cover === undefined) throw new Error("there is no picture");
    const options = { thumbnail: cover.url };
    await sent(scene, given(scene, { options, option_files: [{ url: cover.url, mime_type: "image/jpeg" }] }));
    const operations = scene.bench.seen.map(({ operation }) => operation);
    expect(operations.indexOf("POST /:id/thumbnails")).toBeGreaterThan(-1);
    expect(operations.indexOf("POST /:id/thumbnails")).toBeLessThan(operations.indexOf("POST /:id/videos finish"));
  });

  it("without a length is refused before anything is sent", async () => {
    const scene = await connectedBench();
    const before = scene.bench.seen.length;
    await expect(staged(scene, part({ media: [film(scene.bench, { size_bytes: null })] }))).rejects.toMatchObject({
      code: "media_error",
    });
    expect(scene.bench.seen).toHaveLength(before);
  });
});

describe("a reel", () => {
  const given = (scene: Bench, more: Partial<Part> = {}) =>
    part({ post_type: "reel", media: [film(scene.bench)], ...more });

  it("is fetched by Facebook, with the word that uploads want before the token", async () => {
    const scene = await connectedBench();
    const { acceptance } = await sent(scene, given(scene, { title: "Bread", options: { place: "123" } }));
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
    scene.bench.network.fetchFilmsFor(30);
    const kept: Record<string, Json> = {};
    const stage = () => scene.bench.run(() => publisher.stage(scene.connected.stage(kept), given(scene)));
    await expect(stage()).rejects.toBeInstanceOf(NotReady);
    await scene.bench.clock.advance(30_000);
    await stage();
    expect(scene.bench.network.uploads().films).toBe(1);
  });

  it("that Facebook cannot read is sent a second time, and no third", async () => {
    const scene = await connectedBench();
    const kept: Record<string, Json> = {};
    const stage = () => scene.bench.run(() => publisher.stage(scene.connected.stage(kept), given(scene)));
    const answer = {
      status: 200,
      json: { status: { video_status: "upload_failed", uploading_phase: { status: "error" } } },
    };
    scene.bench.network.faults.add({ kind: "refuse", answer, operation: "GET /:id?fields=status", times: 2 });
    await expect(stage()).rejects.toBeInstanceOf(NotReady);
    await expect(stage()).rejects.toMatchObject({ code: "media_error" });
    expect(scene.bench.network.uploads().films).toBe(2);
  });

  it("that Facebook cannot fetch is begun a second time, and no third", async () => {
    const scene = await connectedBench();
    const kept: Record<string, Json> = {};
    const own = given(scene);
    scene.bench.files.delete("https://media.example/film.mp4");
    const stage = () => scene.bench.run(() => publisher.stage(scene.connected.stage(kept), own));
    await expect(stage()).rejects.toBeInstanceOf(NotReady);
    await expect(stage()).rejects.toMatchObject({ code: "media_error", message: expect.stringMatching(/fetch/) });
    expect(scene.bench.network.uploads().films).toBe(2);
  });

  it("sends the token to no other host than Facebook's own", async () => {
    const scene = await connectedBench();
    const json = { video_id: "1", upload_url: "https://rupload.facebook.com.example.org/1" };
    scene.bench.network.faults.add({
      kind: "refuse",
      answer: { status: 200, json },
      operation: "POST /:id/video_reels start",
    });
    await expect(staged(scene, given(scene))).rejects.toThrow(/not one of its known hosts/);
  });
});

describe("stories", () => {
  it("are one for each file, without words", async () => {
    const scene = await connectedBench();
    const media = [...pictures(scene.bench, 1), film(scene.bench)];
    const plan = { text: "", title: null, link: null, thread: null, auto_thread: false, media } as const;
    const parts = publisher.prepare({ ...plan, post_type: "story", options: {} }, [
      part({ text: "", post_type: "story", media }),
    ]);
    expect(parts.map((each) => each.media.length)).toEqual([1, 1]);
    const accepted: (Acceptance | null)[] = [];
    for (const each of parts) accepted.push((await sent(scene, each)).acceptance);
    const [photo, moving] = scene.bench.network.posts();
    expect(liveIn(accepted[0] ?? null).id).toBe(photo?.id);
    expect(accepted[1]).toEqual({ job: { video_id: expect.any(String), post_id: moving?.id.split("_")[1] } });
    expect([photo?.kind, moving?.kind]).toEqual(["story", "story"]);
  });
});

it("names the version that the host has chosen", async () => {
  const bench = facebookBench({}, { apiVersion: "v25.0" });
  await bench.connect({ access_token: bench.token });
  expect(bench.seen.every(({ url }) => url.pathname.startsWith("/v25.0/"))).toBe(true);
  expect(() => facebook({ apiVersion: "v20.0" as never })).toThrow();
});
