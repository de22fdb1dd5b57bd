import { describe, expect, it } from "vitest";
import type { Part } from "../../../src/networks/contract/plan.ts";
import { endpoint, jsonBody } from "../../../src/networks/tiktok/api.ts";
import type { TiktokOptions } from "../../../src/networks/tiktok/options.ts";
import { createPublisher } from "../../../src/networks/tiktok/publish.ts";
import { sourceInfo, takenPieces } from "../../../src/networks/tiktok/upload.ts";
import type { NewAccount } from "../../../src/sandbox/tiktok/network.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { jpeg } from "../../media/samples.ts";
import type { Desk } from "../desk.ts";
import { jsonOf, seenOf } from "../seen.ts";
import { jobIn, stepsOf, type Work, workOn } from "../steps.ts";
import { connectedBench, part, photosOn, type TiktokBench, videoOn } from "./bench.ts";
import { pieces, videoBytes } from "./video.ts";

const publisher = createPublisher(pieces);

const { inputOf, stage, look, ...steps } = stepsOf(publisher);

async function work(
  partOn: (bench: TiktokBench) => Part<TiktokOptions> = (bench) => part([videoOn(bench)]),
  account: NewAccount = {},
) {
  const desk = await connectedBench(account);
  return workOn(desk, partOn(desk.bench));
}

/** Sends the request that publishes; returns the job. */
async function send(each: Work<TiktokOptions>): Promise<JsonObject> {
  return jobIn(await steps.send(each));
}

function rangesOf({ bench }: Desk): (string | null)[] {
  return seenOf(bench, "sendChunk", "finishUpload").map(({ headers }) => headers.get("content-range"));
}

describe("the requests for a video", () => {
  it("carry all its options, always with both brand switches", async () => {
    const said = { disable_duet: true, video_cover_timestamp_ms: 200, is_aigc: true, brand_organic_toggle: true };
    const each = await work((bench) => part([videoOn(bench)], { text: "Bread #sourdough", options: said }));
    await stage(each);
    expect(jsonOf(seenOf(each.bench, "initVideo")[0])).toEqual({
      post_info: {
        title: "Bread #sourdough",
        privacy_level: "PUBLIC_TO_EVERYONE",
        disable_comment: false,
        disable_duet: true,
        disable_stitch: false,
        video_cover_timestamp_ms: 200,
        brand_content_toggle: false,
        brand_organic_toggle: true,
        is_aigc: true,
      },
      source_info: { source: "FILE_UPLOAD", video_size: 3_500, chunk_size: 1_000, total_chunk_count: 3 },
    });
  });

  it("upload it in pieces, the last one with the remainder, and never send the credential with them", async () => {
    const each = await work();
    await stage(each);
    expect(each.bench.network.posts()).toEqual([]);
    await send(each);
    expect(rangesOf(each)).toEqual(["bytes 0-999/3500", "bytes 1000-1999/3500", "bytes 2000-3499/3500"]);
    const puts = seenOf(each.bench, "sendChunk", "finishUpload");
    expect(Buffer.concat(puts.map(({ bytes }) => bytes))).toEqual(Buffer.from(videoBytes()));
    for (const { headers } of puts) {
      expect(headers.get("authorization")).toBeNull();
      expect(headers.get("content-type")).toBe("video/mp4");
    }
    expect(each.bench.network.posts()).toHaveLength(1);
  });

  it("switch comments, duets and stitches off where the account has them off", async () => {
    const each = await work((bench) => part([videoOn(bench)], { options: { privacy_level: "SELF_ONLY" } }), {
      isPrivate: true,
      commentsAreOff: true,
    });
    await stage(each);
    expect(jsonOf(seenOf(each.bench, "initVideo")[0])).toMatchObject({
      post_info: { disable_comment: true, disable_duet: true, disable_stitch: true },
    });
  });

  it("send a draft without any options, if a draft was requested", async () => {
    const each = await work((bench) => part([videoOn(bench)], { options: { inbox: true } }));
    await stage(each);
    expect(jsonOf(seenOf(each.bench, "initInboxVideo")[0])).toEqual({ source_info: expect.any(Object) });
    expect(each.kept).not.toHaveProperty("creator");
    expect(await look(each, { job: await send(each) })).toEqual({
      live: {
        id: null,
        url: null,
        ref: { publish_id: expect.stringMatching(/^v_inbox_file/), kind: "video" },
        warnings: ["TikTok does not keep a draft's text: the user must write it."],
      },
    });
    expect(each.bench.network.posts()).toEqual([]);
  });

  it("go to no host other than TikTok's", async () => {
    const each = await work();
    const json = {
      data: { publish_id: "v", upload_url: "https://tiktokapis.com.example/video" },
      error: { code: "ok" },
    };
    each.bench.network.faults.add({ kind: "refuse", operation: "initVideo", answer: { status: 200, json } });
    await expect(stage(each)).rejects.toMatchObject({
      code: "network_error",
      message: expect.stringContaining("tiktokapis.com.example"),
    });
    expect(each.kept).not.toHaveProperty("upload");
  });
});

describe("the pieces of a video", () => {
  it.each([
    [1, 1, 1],
    [10_000_001, 10_000_001, 1],
    [19_999_999, 19_999_999, 1],
    [64_000_000, 64_000_000, 1],
    [64_000_001, 10_000_000, 6],
    [4_000_000_000, 10_000_000, 400],
  ])(
    "of %i bytes have %i bytes each: a single piece is the whole file",
    (video_size, chunk_size, total_chunk_count) => {
      expect(sourceInfo(video_size, takenPieces)).toMatchObject({ video_size, chunk_size, total_chunk_count });
    },
  );

  it.each([
    { video_size: 15_000_000, chunk_size: 10_000_000, total_chunk_count: 1 },
    { video_size: 15_000_000, chunk_size: 7_500_000, total_chunk_count: 1 },
    { video_size: 65_000_000, chunk_size: 65_000_000, total_chunk_count: 1 },
  ])("are refused by the simulated network where TikTok refuses them: %j", async (given) => {
    const { bench, connected } = await connectedBench();
    const source_info = { source: "FILE_UPLOAD", ...given };
    const url = endpoint("post/publish/inbox/video/init");
    const asked = bench.run(() =>
      connected.context.request({ method: "POST", url, body: jsonBody({ source_info }), accept: [400] }),
    );
    expect((await asked).body).toMatchObject({ error: { code: "invalid_params" } });
  });
});

describe("the account's state, read before each post,", () => {
  it.each<[string, NewAccount, JsonObject, string, RegExp]>([
    ["a level that it does not have", { isPrivate: true }, {}, "invalid_request", /FOLLOWER_OF_CREATOR/],
    ["a video that is too long for it", { maxVideoSeconds: 180 }, {}, "media_error", /media\[0\].*180 s/],
  ])("rejects %s before the upload begins", async (_, account, options, code, message) => {
    const each = await work((bench) => part([videoOn(bench, { duration_seconds: 200 })], { options }), account);
    await expect(stage(each)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(seenOf(each.bench, "initVideo")).toEqual([]);
  });

  it.each([
    ["it has posted enough today", "spam_risk_too_many_posts"],
    ["the app has too many active users today", "reached_active_user_cap"],
  ])("reveals a refusal in a response with a success status: %s", async (_, code) => {
    const each = await work();
    const { network } = each.bench;
    network.change(code === "reached_active_user_cap" ? { capIsReached: true } : { postsPerDay: 0 });
    await expect(stage(each)).rejects.toMatchObject({
      refusal: { effect: "none", code: "rejected_by_network", status: 200 },
    });
    expect(seenOf(each.bench, "initVideo")).toEqual([]);
  });
});

describe("an interrupted upload to TikTok", () => {
  it("resumes after the bytes that TikTok holds, not after the bytes that were sent", async () => {
    const each = await work();
    each.bench.network.faults.add({ kind: "drop_after", operation: "sendChunk", after: 1 });
    await expect(stage(each)).rejects.toThrow();
    await stage(each);
    await send(each);
    expect(rangesOf(each)).toEqual(["bytes 0-999/3500", "bytes 1000-1999/3500", "bytes 2000-3499/3500"]);
    expect(seenOf(each.bench, "initVideo")).toHaveLength(1);
  });

  it("sends the rest of a piece of which only a part arrived", async () => {
    const each = await work();
    each.bench.network.change({ nextChunkTakes: 400 });
    await stage(each);
    await send(each);
    expect(rangesOf(each)).toContain("bytes 400-999/3500");
    expect(each.bench.network.posts()).toHaveLength(1);
  });

  it("resumes within the last piece, if some of it arrived", async () => {
    const each = await work();
    await stage(each);
    each.bench.network.change({ nextChunkTakes: 100 });
    const { bench, connected, part: given } = each;
    const { status } = await bench.run(() => connected.send(publisher.commit(inputOf(each)), given.media));
    expect(status).toBe(206);
    expect(await look(each)).toEqual({ absent: true });
    await stage(each);
    await send(each);
    expect(rangesOf(each).at(-1)).toBe("bytes 2100-3499/3500");
    expect(bench.network.posts()).toHaveLength(1);
  });

  it("does not restart once the last piece may have gone out: the engine decides about that", async () => {
    const each = await work();
    await stage(each);
    await send(each);
    const kept = structuredClone(each.kept);
    await stage(each);
    expect(each.kept).toEqual(kept);
    expect(seenOf(each.bench, "initVideo")).toHaveLength(1);
  });
});

describe("after a lost response", () => {
  it("TikTok posts nothing while bytes are missing", async () => {
    const each = await work();
    await stage(each);
    expect(await look(each)).toEqual({ absent: true });
  });

  it("a complete upload is neither absent nor live while TikTok processes it", async () => {
    const each = await work();
    each.bench.network.processFor(3_600);
    await stage(each);
    await send(each);
    expect(await look(each)).toEqual({ pending: "TikTok is processing the video." });
  });

  it("a publication that TikTok does not know may still be there", async () => {
    const each = await work();
    await stage(each);
    await send(each);
    each.bench.network.change({ knowsNoPublication: true });
    const since = each.bench.clock.now() - 120_000;
    expect(await look(each, { since })).toEqual({ pending: "TikTok does not list the publication yet." });
    await each.bench.clock.advance(600_000);
    expect(await look(each, { since })).toMatchObject({ lists: [{ posts: [], isWhole: false, showsSuch: false }] });
  });

  it("the account's list can find photos, but never rule them out", async () => {
    const each = await work((bench) => part(photosOn(bench, 2), { title: "Bread", text: "All about bread" }));
    await stage(each);
    expect(await look(each)).toMatchObject({ lists: [{ posts: [], isWhole: false, showsSuch: false }] });
    await send(each);
    const [post] = each.bench.network.posts();
    expect(await look(each)).toMatchObject({
      lists: [{ posts: [{ published: { id: post?.id } }], isWhole: false, showsSuch: false }],
    });
    expect(publisher.textForms(each.part, 0)).toEqual(["Bread\nAll about bread", "All about bread", "Bread"]);
  });

  it.each<[string, JsonObject, NewAccount, RegExp]>([
    ["that are not public", { privacy_level: "SELF_ONLY" }, {}, /only public posts/],
    ["in a draft", { inbox: true }, {}, /only public posts/],
    ["of a connection without the scope", {}, { scopes: ["user.info.basic", "video.publish"] }, /video\.list/],
  ])("no list can show photos %s", async (_, options, account, words) => {
    const each = await work((bench) => part(photosOn(bench, 1), { options }), account);
    expect(await look(each)).toEqual({ cannot_tell: expect.stringMatching(words) });
  });
});

describe("photos of the simulated TikTok", () => {
  it.each([
    ["with a shorter side of 1080 pixels are posted", 1_080, 1_440, 1],
    ["with a shorter side of 1086 pixels fail, and the whole carousel with them", 1_086, 1_448, 0],
    ["of 1254 × 1254 pixels fail", 1_254, 1_254, 0],
  ])("%s", async (_, width, height, count) => {
    const each = await work((bench) => part(photosOn(bench, 2)));
    each.bench.files.set(each.part.media[1]?.url ?? "", jpeg(width, height));
    await stage(each);
    const seen = await look(each, { job: await send(each) });
    expect(each.bench.network.posts()).toHaveLength(count);
    expect(seen).toMatchObject(count === 1 ? { live: {} } : { failed: { code: "media_error" } });
  });
});

describe("an accepted TikTok post", () => {
  it("gets its own id, every digit of which is kept", async () => {
    const each = await work();
    await stage(each);
    const job = await send(each);
    const [post] = each.bench.network.posts();
    expect(post?.id).toMatch(/^7\d{18}$/);
    expect(Number.isSafeInteger(Number(post?.id))).toBe(false);
    expect(await look(each, { job })).toEqual({
      live: {
        id: post?.id,
        url: `https://www.tiktok.com/@alice/video/${post?.id}`,
        ref: { publish_id: job.publish_id, kind: "video" },
      },
    });
    expect(job.publish_id).not.toContain(post?.id);
  });

  it("is live without an id until moderation has passed, and gets its id later", async () => {
    const each = await work();
    const { bench, connected } = each;
    bench.network.change({ moderationSeconds: 3_600 });
    await stage(each);
    const seen = await look(each, { job: await send(each) });
    if (!("live" in seen)) throw new Error("not live");
    expect(seen.live).toMatchObject({ id: null, url: null });
    const identify = () => bench.run(async () => publisher.lookUpId?.(connected.context, seen.live));
    expect(await identify()).toEqual(seen.live);
    await bench.clock.advance(3_600_000);
    const [post] = bench.network.posts();
    expect(await identify()).toMatchObject({ id: post?.id, url: post?.url });
  });

  it("stays live without an id if only its owner can see it", async () => {
    const each = await work((bench) => part([videoOn(bench)], { options: { privacy_level: "SELF_ONLY" } }));
    await stage(each);
    expect(await look(each, { job: await send(each) })).toMatchObject({ live: { id: null, url: null } });
  });

  it.each([
    ["frame_rate_check_failed", "media_error"],
    ["picture_size_check_failed", "media_error"],
    ["photo_pull_failed", "media_error"],
    ["internal", "network_error"],
    ["auth_removed", "reauthentication_required"],
    ["spam_risk_text", "rejected_by_network"],
    ["something_new", "rejected_by_network"],
  ])("has failed after %s with %s, and is not started again", async (reason, code) => {
    const each = await work();
    each.bench.network.failNext(reason);
    await stage(each);
    const job = await send(each);
    expect(await look(each, { job })).toEqual({ failed: { code, message: expect.any(String) } });
    expect(seenOf(each.bench, "initVideo")).toHaveLength(1);
  });
});

describe("photos for TikTok", () => {
  it("are fetched by TikTok, with title, text, cover and music", async () => {
    const each = await work((bench) =>
      part(photosOn(bench, 3), {
        title: "Bread",
        text: "All about bread",
        options: { photo_cover_index: 2, auto_add_music: true, disable_comment: true },
      }),
    );
    await stage(each);
    const job = await send(each);
    expect(jsonOf(seenOf(each.bench, "initPhotos")[0])).toEqual({
      media_type: "PHOTO",
      post_mode: "DIRECT_POST",
      post_info: {
        title: "Bread",
        description: "All about bread",
        privacy_level: "PUBLIC_TO_EVERYONE",
        disable_comment: true,
        auto_add_music: true,
        brand_content_toggle: false,
        brand_organic_toggle: false,
      },
      source_info: {
        source: "PULL_FROM_URL",
        photo_images: each.part.media.map(({ url }) => url),
        photo_cover_index: 2,
      },
    });
    expect(await look(each, { job })).toMatchObject({ live: { url: expect.stringMatching(/\/photo\/7\d{18}$/) } });
  });

  it("keep only their title and text in a draft", async () => {
    const each = await work((bench) => part(photosOn(bench, 1), { title: "Bread", options: { inbox: true } }));
    await stage(each);
    const job = await send(each);
    expect(jsonOf(seenOf(each.bench, "initPhotos")[0])).toMatchObject({
      post_mode: "MEDIA_UPLOAD",
      post_info: { title: "Bread", description: "Hello" },
    });
    expect(await look(each, { job })).toMatchObject({ live: { id: null } });
    expect(each.bench.network.drafts(each.connected.profile.external_id)).toEqual([
      { title: "Bread", description: "Hello" },
    ]);
  });

  it("fail if TikTok cannot fetch them", async () => {
    const each = await work((bench) => part(photosOn(bench, 1)));
    await stage(each);
    each.bench.files.clear();
    expect(await look(each, { job: await send(each) })).toMatchObject({ failed: { code: "media_error" } });
  });
});
