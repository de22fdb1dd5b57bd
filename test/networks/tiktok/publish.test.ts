import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { LookResult } from "../../../src/networks/contract/look.ts";
import type { Part } from "../../../src/networks/contract/plan.ts";
import { endpoint, jsonBody } from "../../../src/networks/tiktok/api.ts";
import type { TiktokOptions } from "../../../src/networks/tiktok/options.ts";
import { createPublisher } from "../../../src/networks/tiktok/publish.ts";
import { sourceInfo, takenPieces } from "../../../src/networks/tiktok/upload.ts";
import type { NewAccount } from "../../../src/sandbox/tiktok/network.ts";
import type { SeenRequest } from "../../../src/testing/network-bench.ts";
import type { Json, JsonObject } from "../../../src/wire/json.ts";
import { jpeg } from "../../media/samples.ts";
import { commitInputOf } from "../parts.ts";
import { connectedBench, filmOn, part, photosOn, type TiktokBench } from "./bench.ts";
import { film, pieces } from "./film.ts";

const publisher = createPublisher(pieces);

type Place = Awaited<ReturnType<typeof connectedBench>>;

interface Work {
  at: Place;
  given: Part<TiktokOptions>;
  kept: Record<string, Json>;
}

async function work(
  partOn: (bench: TiktokBench) => Part<TiktokOptions> = (bench) => part([filmOn(bench)]),
  account: NewAccount = {},
): Promise<Work> {
  const at = await connectedBench(account);
  return { at, given: partOn(at.bench), kept: {} };
}

function stage({ at, given, kept }: Work): Promise<void> {
  return at.bench.run(async () => publisher.stage?.(at.connected.stage(kept), given));
}

function inputOf({ at, given, kept }: Work, more: Partial<CommitInput<TiktokOptions>> = {}) {
  return commitInputOf(at.connected, { part: given, staged: kept, ...more });
}

/** Sends what publishes; returns the job. */
async function send(each: Work): Promise<JsonObject> {
  const input = inputOf(each);
  const response = await each.at.bench.run(() => each.at.connected.send(publisher.commit(input), each.given.media));
  const acceptance = publisher.accepted(response, input);
  if (acceptance === null || !("job" in acceptance)) throw new Error(`no job: ${response.status}`);
  return acceptance.job as JsonObject;
}

async function look(each: Work, job?: Json, more: Partial<CommitInput> = {}): Promise<LookResult> {
  const { at } = each;
  const since = at.bench.clock.now() - 120_000;
  const input = { ...inputOf(each, more), since, ...(job === undefined ? {} : { job }) };
  return at.bench.run(() => publisher.lookFor(at.connected.context, input));
}

function seenOf({ at }: Work, operation: string): SeenRequest[] {
  return at.bench.seen.filter((each) => each.operation === operation);
}

function bodyOf(request: SeenRequest | undefined): unknown {
  return JSON.parse(new TextDecoder().decode(request?.bytes));
}

function rangesOf(each: Work): (string | null)[] {
  return [...seenOf(each, "sendChunk"), ...seenOf(each, "finishUpload")].map(({ headers }) =>
    headers.get("content-range"),
  );
}

describe("what is sent of a video", () => {
  it("is all that was said of it, always with both brand switches", async () => {
    const said = { disable_duet: true, video_cover_timestamp_ms: 200, is_aigc: true, brand_organic_toggle: true };
    const each = await work((bench) => part([filmOn(bench)], { text: "Bread #sourdough", options: said }));
    await stage(each);
    expect(bodyOf(seenOf(each, "initVideo")[0])).toEqual({
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

  it("goes in pieces, of which the last takes what is left over, and never with the credential", async () => {
    const each = await work();
    await stage(each);
    expect(each.at.bench.network.posts()).toEqual([]);
    await send(each);
    expect(rangesOf(each)).toEqual(["bytes 0-999/3500", "bytes 1000-1999/3500", "bytes 2000-3499/3500"]);
    const puts = [...seenOf(each, "sendChunk"), ...seenOf(each, "finishUpload")];
    expect(Buffer.concat(puts.map(({ bytes }) => bytes))).toEqual(Buffer.from(film()));
    for (const { headers } of puts) {
      expect(headers.get("authorization")).toBeNull();
      expect(headers.get("content-type")).toBe("video/mp4");
    }
    expect(each.at.bench.network.posts()).toHaveLength(1);
  });

  it("says that comments, duets and stitches are off where the account has them off", async () => {
    const each = await work((bench) => part([filmOn(bench)], { options: { privacy_level: "SELF_ONLY" } }), {
      isPrivate: true,
      commentsAreOff: true,
    });
    await stage(each);
    expect(bodyOf(seenOf(each, "initVideo")[0])).toMatchObject({
      post_info: { disable_comment: true, disable_duet: true, disable_stitch: true },
    });
  });

  it("is a draft without a word beside it, where that is asked for", async () => {
    const each = await work((bench) => part([filmOn(bench)], { options: { inbox: true } }));
    await stage(each);
    expect(bodyOf(seenOf(each, "initInboxVideo")[0])).toEqual({ source_info: expect.any(Object) });
    expect(each.kept).not.toHaveProperty("creator");
    expect(await look(each, await send(each))).toEqual({
      live: {
        id: null,
        url: null,
        ref: { publish_id: expect.stringMatching(/^v_inbox_file/), kind: "video" },
        warnings: ["TikTok does not keep a draft's text: the user must write it."],
      },
    });
    expect(each.at.bench.network.posts()).toEqual([]);
  });

  it("goes to no host that is none of TikTok's", async () => {
    const each = await work();
    const json = {
      data: { publish_id: "v", upload_url: "https://tiktokapis.com.example/video" },
      error: { code: "ok" },
    };
    each.at.bench.network.faults.add({ kind: "refuse", operation: "initVideo", answer: { status: 200, json } });
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
  ])("of %i bytes have %i: a single one is the whole file", (video_size, chunk_size, total_chunk_count) => {
    expect(sourceInfo(video_size, takenPieces)).toMatchObject({ video_size, chunk_size, total_chunk_count });
  });

  it.each([
    { video_size: 15_000_000, chunk_size: 10_000_000, total_chunk_count: 1 },
    { video_size: 15_000_000, chunk_size: 7_500_000, total_chunk_count: 1 },
    { video_size: 65_000_000, chunk_size: 65_000_000, total_chunk_count: 1 },
  ])("are refused on the simulated network where TikTok refuses them: %j", async (given) => {
    const { bench, connected } = await connectedBench();
    const source_info = { source: "FILE_UPLOAD", ...given };
    const url = endpoint("post/publish/inbox/video/init");
    const asked = bench.run(() =>
      connected.context.request({ method: "POST", url, body: jsonBody({ source_info }), accept: [400] }),
    );
    expect((await asked).body).toMatchObject({ error: { code: "invalid_params" } });
  });
});

describe("what is asked of the account before each post", () => {
  it.each<[string, NewAccount, JsonObject, string, RegExp]>([
    ["a level that it does not have", { isPrivate: true }, {}, "invalid_request", /FOLLOWER_OF_CREATOR/],
    ["a video that is too long for it", { maxVideoSeconds: 180 }, {}, "media_error", /media\[0\].*180 s/],
  ])("refuses %s before anything is begun", async (_, account, options, code, message) => {
    const each = await work((bench) => part([filmOn(bench, { duration_seconds: 200 })], { options }), account);
    await expect(stage(each)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(seenOf(each, "initVideo")).toEqual([]);
  });

  it.each([
    ["it has posted enough today", "spam_risk_too_many_posts"],
    ["the app has too many people today", "reached_active_user_cap"],
  ])("sees a refusal in an answer whose status says yes: %s", async (_, code) => {
    const each = await work();
    const { network } = each.at.bench;
    network.change(code === "reached_active_user_cap" ? { capIsReached: true } : { postsPerDay: 0 });
    await expect(stage(each)).rejects.toMatchObject({
      refusal: { effect: "none", code: "rejected_by_network", status: 200 },
    });
    expect(seenOf(each, "initVideo")).toEqual([]);
  });
});

describe("an upload that is broken off", () => {
  it("goes on after what TikTok holds, not after what was sent", async () => {
    const each = await work();
    each.at.bench.network.faults.add({ kind: "drop_after", operation: "sendChunk", after: 1 });
    await expect(stage(each)).rejects.toThrow();
    await stage(each);
    await send(each);
    expect(rangesOf(each)).toEqual(["bytes 0-999/3500", "bytes 1000-1999/3500", "bytes 2000-3499/3500"]);
    expect(seenOf(each, "initVideo")).toHaveLength(1);
  });

  it("takes up a piece of which only a part arrived", async () => {
    const each = await work();
    each.at.bench.network.change({ nextChunkTakes: 400 });
    await stage(each);
    await send(each);
    expect(rangesOf(each)).toContain("bytes 400-999/3500");
    expect(each.at.bench.network.posts()).toHaveLength(1);
  });

  it("goes on within the last piece, if some of that arrived", async () => {
    const each = await work();
    await stage(each);
    each.at.bench.network.change({ nextChunkTakes: 100 });
    const { at, given } = each;
    const { status } = await at.bench.run(() => at.connected.send(publisher.commit(inputOf(each)), given.media));
    expect(status).toBe(206);
    expect(await look(each)).toEqual({ absent: true });
    await stage(each);
    await send(each);
    expect(rangesOf(each).at(-1)).toBe("bytes 2100-3499/3500");
    expect(at.bench.network.posts()).toHaveLength(1);
  });

  it("does not begin anew once the last piece may have gone out: that is the engine's to decide", async () => {
    const each = await work();
    await stage(each);
    await send(each);
    const kept = structuredClone(each.kept);
    await stage(each);
    expect(each.kept).toEqual(kept);
    expect(seenOf(each, "initVideo")).toHaveLength(1);
  });
});

describe("after a lost answer", () => {
  it("nothing is posted while bytes are missing", async () => {
    const each = await work();
    await stage(each);
    expect(await look(each)).toEqual({ absent: true });
  });

  it("a video whose bytes are all there is neither absent nor live while TikTok works on it", async () => {
    const each = await work();
    each.at.bench.network.processFor(3_600);
    await stage(each);
    await send(each);
    expect(await look(each)).toEqual({ pending: "TikTok is processing the video." });
  });

  it("a publication that TikTok does not know may be there all the same", async () => {
    const each = await work();
    await stage(each);
    await send(each);
    each.at.bench.network.change({ knowsNoPublication: true });
    const since = each.at.bench.clock.now() - 120_000;
    const { at } = each;
    const lookAt = () => at.bench.run(() => publisher.lookFor(at.connected.context, { ...inputOf(each), since }));
    expect(await lookAt()).toEqual({ pending: "TikTok does not list the publication yet." });
    await at.bench.clock.advance(600_000);
    expect(await lookAt()).toMatchObject({ lists: [{ posts: [], isWhole: false, showsSuch: false }] });
  });

  it("about photos the account's list can find them, and never exclude them", async () => {
    const each = await work((bench) => part(photosOn(bench, 2), { title: "Bread", text: "All about bread" }));
    await stage(each);
    expect(await look(each)).toMatchObject({ lists: [{ posts: [], isWhole: false, showsSuch: false }] });
    await send(each);
    const [post] = each.at.bench.network.posts();
    expect(await look(each)).toMatchObject({
      lists: [{ posts: [{ published: { id: post?.id } }], isWhole: false, showsSuch: false }],
    });
    expect(publisher.textForms(each.given, 0)).toEqual(["Bread\nAll about bread", "All about bread", "Bread"]);
  });

  it.each<[string, JsonObject, NewAccount, RegExp]>([
    ["that not everybody sees", { privacy_level: "SELF_ONLY" }, {}, /only public posts/],
    ["that are a draft", { inbox: true }, {}, /only public posts/],
    ["of a login without the scope", {}, { scopes: ["user.info.basic", "video.publish"] }, /video\.list/],
  ])("nobody can tell about photos %s", async (_, options, account, words) => {
    const each = await work((bench) => part(photosOn(bench, 1), { options }), account);
    expect(await look(each)).toEqual({ cannot_tell: expect.stringMatching(words) });
  });
});

describe("photos", () => {
  it.each([
    ["of 1080 pixels at the shorter side are posted", 1_080, 1_440, 1],
    ["of 1086 are not, and take the whole carousel with them", 1_086, 1_448, 0],
    ["of 1254 at both are not", 1_254, 1_254, 0],
  ])("%s", async (_, width, height, count) => {
    const each = await work((bench) => part(photosOn(bench, 2)));
    each.at.bench.files.set(each.given.media[1]?.url ?? "", jpeg(width, height));
    await stage(each);
    const seen = await look(each, await send(each));
    expect(each.at.bench.network.posts()).toHaveLength(count);
    expect(seen).toMatchObject(count === 1 ? { live: {} } : { failed: { code: "media_error" } });
  });
});

describe("what TikTok has said yes to", () => {
  it("has an id of its own, every digit of which survives", async () => {
    const each = await work();
    await stage(each);
    const job = await send(each);
    const [post] = each.at.bench.network.posts();
    expect(post?.id).toMatch(/^7\d{18}$/);
    expect(Number.isSafeInteger(Number(post?.id))).toBe(false);
    expect(await look(each, job)).toEqual({
      live: {
        id: post?.id,
        url: `https://www.tiktok.com/@alice/video/${post?.id}`,
        ref: { publish_id: job.publish_id, kind: "video" },
      },
    });
    expect(job.publish_id).not.toContain(post?.id);
  });

  it("is live without an id until moderation has passed, and gets it later", async () => {
    const each = await work();
    const { bench, connected } = each.at;
    bench.network.change({ moderationSeconds: 3_600 });
    await stage(each);
    const seen = await look(each, await send(each));
    if (!("live" in seen)) throw new Error("not live");
    expect(seen.live).toMatchObject({ id: null, url: null });
    const identify = () => bench.run(async () => publisher.lookUpId?.(connected.context, seen.live));
    expect(await identify()).toEqual(seen.live);
    await bench.clock.advance(3_600_000);
    const [post] = bench.network.posts();
    expect(await identify()).toMatchObject({ id: post?.id, url: post?.url });
  });

  it("is live without an id for ever where only its owner sees it", async () => {
    const each = await work((bench) => part([filmOn(bench)], { options: { privacy_level: "SELF_ONLY" } }));
    await stage(each);
    expect(await look(each, await send(each))).toMatchObject({ live: { id: null, url: null } });
  });

  it.each([
    ["frame_rate_check_failed", "media_error"],
    ["picture_size_check_failed", "media_error"],
    ["photo_pull_failed", "media_error"],
    ["internal", "network_error"],
    ["auth_removed", "reauthentication_required"],
    ["spam_risk_text", "rejected_by_network"],
    ["something_new", "rejected_by_network"],
  ])("has failed for %s: %s, and is not begun anew", async (reason, code) => {
    const each = await work();
    each.at.bench.network.failNext(reason);
    await stage(each);
    const job = await send(each);
    expect(await look(each, job)).toEqual({ failed: { code, message: expect.any(String) } });
    expect(seenOf(each, "initVideo")).toHaveLength(1);
  });
});

describe("photos", () => {
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
    expect(bodyOf(seenOf(each, "initPhotos")[0])).toEqual({
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
        photo_images: each.given.media.map(({ url }) => url),
        photo_cover_index: 2,
      },
    });
    expect(await look(each, job)).toMatchObject({ live: { url: expect.stringMatching(/\/photo\/7\d{18}$/) } });
  });

  it("as a draft keep their title and text, and nothing else", async () => {
    const each = await work((bench) => part(photosOn(bench, 1), { title: "Bread", options: { inbox: true } }));
    await stage(each);
    const job = await send(each);
    expect(bodyOf(seenOf(each, "initPhotos")[0])).toMatchObject({
      post_mode: "MEDIA_UPLOAD",
      post_info: { title: "Bread", description: "Hello" },
    });
    expect(await look(each, job)).toMatchObject({ live: { id: null } });
    expect(each.at.bench.network.drafts(each.at.connected.profile.external_id)).toEqual([
      { title: "Bread", description: "Hello" },
    ]);
  });

  it("that TikTok cannot fetch have failed", async () => {
    const each = await work((bench) => part(photosOn(bench, 1)));
    await stage(each);
    each.at.bench.files.clear();
    expect(await look(each, await send(each))).toMatchObject({ failed: { code: "media_error" } });
  });
});
