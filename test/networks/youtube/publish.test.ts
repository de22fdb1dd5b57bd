import { afterEach, describe, expect, it } from "vitest";
import type { Part } from "../../../src/networks/contract/plan.ts";
import { limits } from "../../../src/networks/youtube/limits.ts";
import { options, type YoutubeOptions } from "../../../src/networks/youtube/options.ts";
import { createPublisher } from "../../../src/networks/youtube/publish.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { jsonOf, seenOf } from "../seen.ts";
import { jobIn, stepsOf, type Work, workOn } from "../steps.ts";
import { connectedBench, part, videoOn } from "./bench.ts";
import { contractAbsent, contractFindings } from "./openapi.ts";
import { chunkBytes, videoBytes } from "./video.ts";

const publisher = createPublisher({ chunkBytes });

type Place = Awaited<ReturnType<typeof connectedBench>>;

const places: Place[] = [];

async function place(): Promise<Place> {
  const made = await connectedBench();
  places.push(made);
  return made;
}

afterEach(() => {
  for (const { bench } of places.splice(0)) expect(contractFindings(bench.seen)).toEqual([]);
});

it("the simulated YouTube is checked against Google's own description of the API", (context) => {
  if (contractAbsent !== null) context.skip(contractAbsent);
  expect(contractAbsent).toBeNull();
});

const { inputOf, stage, look, ...steps } = stepsOf(publisher);

async function work(over: Parameters<typeof part>[1] = {}, { chunks = 2 } = {}) {
  const desk = await place();
  return workOn(desk, part([videoOn(desk.bench, { chunks })], over));
}

/** Sends the last chunk; returns the job. */
async function send(each: Work<YoutubeOptions>): Promise<JsonObject> {
  return jobIn(await steps.send(each));
}

describe("the requests for a YouTube video", () => {
  it("carry all its options, always with privacy and audience", async () => {
    const said = {
      privacy_status: "unlisted",
      tags: ["bread", "sour dough"],
      category_id: "10",
      license: "creativeCommon",
      synthetic_media: true,
      paid_promotion: true,
      language: "pt-BR",
      audio_language: "en",
      embeddable: false,
      public_stats: false,
      notify_subscribers: false,
    };
    const each = await work({ text: "All about bread", title: "Bread", options: said });
    await stage(each);
    const { video_id } = await send(each);
    expect(each.bench.network.video(String(video_id))).toMatchObject({
      notifies: false,
      size: videoBytes(2).length,
      resource: {
        snippet: {
          title: "Bread",
          description: "All about bread",
          tags: ["bread", "sour dough"],
          categoryId: "10",
          defaultLanguage: "pt-BR",
          defaultAudioLanguage: "en",
        },
        status: {
          privacyStatus: "unlisted",
          selfDeclaredMadeForKids: false,
          containsSyntheticMedia: true,
          license: "creativeCommon",
          embeddable: false,
          publicStatsViewable: false,
        },
        paidProductPlacementDetails: { hasPaidProductPlacement: true },
      },
    });
    const [open] = seenOf(each.bench, "openUpload");
    expect(open?.url.searchParams.get("part")).toBe("snippet,status,paidProductPlacementDetails");
  });

  it("name no part that they do not use", async () => {
    const each = await work();
    await stage(each);
    const [open] = seenOf(each.bench, "openUpload");
    expect(open?.url.searchParams.get("part")).toBe("snippet,status");
    expect(jsonOf(open)).toMatchObject({
      status: { privacyStatus: "public", selfDeclaredMadeForKids: false },
    });
  });

  it("upload the whole file in chunks, of which only the last is no multiple of 256 KiB", async () => {
    const each = await work({}, { chunks: 4 });
    await stage(each);
    expect(each.bench.network.posts()).toEqual([]);
    const { video_id } = await send(each);
    const ranges = seenOf(each.bench, "sendChunk", "finishUpload").map(({ headers }) => headers.get("content-range"));
    const total = videoBytes(4).length;
    expect(ranges).toEqual([
      `bytes 0-262143/${total}`,
      `bytes 262144-524287/${total}`,
      `bytes 524288-786431/${total}`,
      `bytes 786432-${total - 1}/${total}`,
    ]);
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", videoBytes(4).slice())).toString("hex");
    expect(each.bench.network.video(String(video_id))).toMatchObject({ hash, size: total });
  });

  it("keep the credential from a URL that is not YouTube's", async () => {
    const each = await work();
    const location = "https://upload.elsewhere.example/session";
    each.bench.network.faults.add({
      kind: "refuse",
      operation: "openUpload",
      answer: { status: 200, headers: { location } },
    });
    await expect(stage(each)).rejects.toMatchObject({
      code: "network_error",
      message: expect.stringContaining("elsewhere"),
    });
    expect(each.kept).toEqual({});
  });

  it("are not sent if the file's length is unknown", async () => {
    const each = await work();
    const media = each.part.media.map((file) => ({ ...file, size_bytes: null }));
    await expect(stage(each, { part: { ...each.part, media } })).rejects.toMatchObject({ code: "media_error" });
  });
});

describe("an interrupted upload to YouTube", () => {
  it("resumes after the bytes that YouTube holds, not after the bytes that were sent", async () => {
    const each = await work({}, { chunks: 4 });
    const { network } = each.bench;
    network.faults.add({ kind: "drop_after", operation: "sendChunk", after: 1 });
    await expect(stage(each)).rejects.toThrow();
    await stage(each);
    const first = seenOf(each.bench, "sendChunk").map(({ headers }) => headers.get("content-range")?.split("-")[0]);
    expect(first).toEqual(["bytes 0", "bytes 262144", "bytes 524288"]);
    expect(seenOf(each.bench, "openUpload")).toHaveLength(1);
    await send(each);
    expect(network.posts()).toHaveLength(1);
  });

  it("sends the rest of a chunk of which only a part arrived", async () => {
    const each = await work({}, { chunks: 4 });
    each.bench.network.change({ nextChunkTakes: 0 });
    await expect(stage(each)).rejects.toMatchObject({ code: "network_error" });
    await stage(each);
    await send(each);
    expect(each.bench.network.posts()).toHaveLength(1);
  });

  it("resumes within the last chunk, if some of it arrived", async () => {
    const each = await work({}, { chunks: 3 });
    const { bench, connected } = each;
    const wide = createPublisher({ chunkBytes: 4 * chunkBytes });
    await stepsOf(wide).stage(each);
    bench.network.change({ nextChunkTakes: chunkBytes });
    await bench.run(() => connected.send(wide.commit(inputOf(each)), each.part.media));
    expect(bench.network.posts()).toEqual([]);
    await stepsOf(wide).stage(each);
    expect(wide.commit(inputOf(each))).toMatchObject({
      headers: { "content-range": expect.stringMatching(/^bytes 262144-/) },
    });
    await send(each);
    expect(bench.network.posts()).toHaveLength(1);
  });

  it("restarts if YouTube has dropped it before the last chunk was sent", async () => {
    const each = await work({}, { chunks: 3 });
    const { network } = each.bench;
    network.faults.add({ kind: "drop_before", operation: "sendChunk", after: 1 });
    await expect(stage(each)).rejects.toThrow();
    network.forgetUploads();
    await expect(stage(each)).rejects.toMatchObject({ name: "NotReady" });
    await stage(each);
    await send(each);
    expect(seenOf(each.bench, "openUpload")).toHaveLength(2);
    expect(network.posts()).toHaveLength(1);
  });

  it("does not restart once the last chunk may have gone out: the engine decides about that", async () => {
    const each = await work();
    await stage(each);
    await send(each);
    each.bench.network.forgetUploads();
    const kept = structuredClone(each.kept);
    await stage(each);
    expect(each.kept).toEqual(kept);
    expect(seenOf(each.bench, "openUpload")).toHaveLength(1);
  });
});

describe("after a lost response at YouTube", () => {
  it("no video exists while bytes are missing", async () => {
    const each = await work();
    await stage(each);
    expect(await look(each)).toEqual({ absent: true });
    expect(each.bench.seen.at(-1)?.operation).toBe("checkUpload");
  });

  it("the upload itself names the video", async () => {
    const each = await work();
    await stage(each);
    const { video_id: id } = await send(each);
    expect(await look(each)).toEqual({ live: { id, url: `https://www.youtube.com/watch?v=${id}`, ref: null } });
  });

  it("the channel's uploads show whether an unknown upload was finished", async () => {
    const each = await work({ title: "A title", text: "And a text " });
    await stage(each);
    const { video_id: id } = await send(each);
    each.bench.network.forgetUploads();
    expect(await look(each)).toMatchObject({
      parent: null,
      lists: [{ isWhole: true, showsSuch: true, posts: [{ published: { id }, texts: ["A title\nAnd a text"] }] }],
    });
    expect(publisher.textForms(each.part, 0)).toEqual(["A title\nAnd a text"]);
  });

  it("only a whole list proves that an unknown upload left no video", async () => {
    const each = await work();
    await stage(each);
    each.bench.network.forgetUploads();
    expect(await look(each)).toMatchObject({ lists: [{ posts: [], isWhole: true, showsSuch: true }] });
  });

  it("the list's silence about private videos counts only once it has shown one", async () => {
    const each = await work({ options: { privacy_status: "private" } });
    await stage(each);
    each.bench.network.forgetUploads();
    expect(await look(each)).toMatchObject({ lists: [{ showsSuch: false, name: "uploads private" }] });
    each.bench.network.uploadByHand(each.connected.profile.external_id, { title: "Mine", privacy: "private" });
    expect(await look(each)).toMatchObject({ lists: [{ showsSuch: true }] });
    expect(publisher.lists?.names(inputOf(each))).toEqual(["uploads private"]);
  });

  it("a list that is too long to read back is not whole", async () => {
    const each = await work();
    await stage(each);
    const { network } = each.bench;
    network.forgetUploads();
    for (let count = 0; count < 501; count++)
      network.uploadByHand(each.connected.profile.external_id, { title: `Video ${count}` });
    expect(await look(each)).toMatchObject({ lists: [{ isWhole: false }] });
  });
});

describe("an accepted YouTube video", () => {
  it("is unpublished while it is processed, and live after two minutes even if processing takes hours", async () => {
    const each = await work();
    each.bench.network.processFor(7_200);
    await stage(each);
    const job = await send(each);
    const pending = { pending: expect.stringMatching(/processing/), again_seconds: 30 };
    expect(await look(each, { job })).toMatchObject(pending);
    await each.bench.clock.advance(119_000);
    expect(await look(each, { job })).toMatchObject(pending);
    await each.bench.clock.advance(2_000);
    expect(await look(each, { job })).toMatchObject({ live: { id: job.video_id } });
  });

  it.each([
    ["failed", "codec", "media_error", /codec/],
    ["failed", "tooSmall", "media_error", /small/],
    ["rejected", "duplicate", "rejected_by_network", /already/],
    ["rejected", "length", "rejected_by_network", /too long/],
  ] as const)("has failed if it is %s for %s", async (status, reason, code, words) => {
    const each = await work();
    each.bench.network.failNext({ status, reason });
    await stage(each);
    const job = await send(each);
    expect(await look(each, { job })).toEqual({ failed: { code, message: expect.stringMatching(words) } });
  });

  it("may be there although YouTube does not list it yet", async () => {
    const each = await work();
    await stage(each);
    each.bench.network.lagReads(60);
    expect(await look(each, { job: await send(each) })).toEqual({ pending: expect.stringMatching(/does not list it/) });
  });

  it("causes a warning if YouTube changed its privacy", async () => {
    const each = await work();
    each.bench.network.change({ privacyBecomes: "private" });
    await stage(each);
    expect(await look(each, { job: await send(each) })).toMatchObject({
      live: { warnings: ["YouTube made the video private instead of public."] },
    });
  });
});

describe("a thumbnail", () => {
  const url = "https://media.example/thumbnail.png";
  const thumbnail = { url, mime_type: "image/png" };

  async function confirmed(given: { reason?: string; early?: true } = {}) {
    const each = await work({ options: { thumbnail: url }, option_files: [thumbnail] });
    const { bench, connected } = each;
    bench.files.set(url, Uint8Array.of(0x89, 0x50, 0x4e, 0x47));
    await stage(each);
    const job = await send(each);
    const id = String(job.video_id);
    if (given.early) bench.network.lagReads(60);
    const { reason } = given;
    if (reason !== undefined)
      bench.network.faults.add({
        kind: "refuse",
        operation: "setThumbnail",
        answer: { status: 403, json: { error: { code: 403, message: "No", errors: [{ reason }] } } },
      });
    const published = { id, url: null, ref: null };
    return {
      id,
      bench,
      result: bench.run(async () => publisher.confirm?.(connected.context, published, inputOf(each))),
    };
  }

  it("is set once the video is there", async () => {
    const { id, bench, result } = await confirmed();
    expect(await result).toEqual({ id, url: null, ref: null });
    expect(bench.network.video(id).thumbnail).toBe(4);
  });

  it("becomes a warning if the channel may have none", async () => {
    const { result } = await confirmed({ reason: "forbidden" });
    expect(await result).toMatchObject({ warnings: [expect.stringMatching(/phone number/)] });
  });

  it("is not reported as forbidden if the day's quota is used up", async () => {
    const { result } = await confirmed({ reason: "quotaExceeded" });
    await expect(result).rejects.toThrow(/quota/);
  });

  it("is set later if the video is not ready for it", async () => {
    const { result } = await confirmed({ early: true });
    await expect(result).rejects.toMatchObject({ name: "NotReady" });
  });
});

describe("an addition to a video", () => {
  function partsOf(given: JsonObject): Part<YoutubeOptions>[] {
    const video = part([], { options: given });
    const input = { ...video, thread: null, auto_thread: false };
    return publisher.prepare?.(input, [video]) ?? [];
  }

  it("is a separate request that carries its own data", () => {
    const parts = partsOf({ playlist_id: "PLabc", first_comment: "First!" });
    expect(parts.map(({ role, text, title }) => [role, text, title])).toEqual([
      [undefined, "Hello", "Title"],
      ["entry", "", null],
      ["comment", "First!", null],
    ]);
    expect(partsOf({})).toHaveLength(1);
  });

  it.each(["entry", "comment"] as const)("like an %s is absent before, and found after its request", async (role) => {
    const each = await work();
    const { bench, connected } = each;
    const playlist_id = bench.network.addPlaylist(connected.profile.external_id, "Bread");
    await stage(each);
    const id = String((await send(each)).video_id);
    const own = partsOf({ playlist_id, first_comment: "First!" }).find((one) => one.role === role);
    if (own === undefined) throw new Error("no such part");
    const first = { id, url: null, ref: null };
    const more = { part: own, first, previous: first };
    const nothing = role === "entry" ? { absent: true } : { lists: [{ posts: [], isWhole: true, showsSuch: true }] };
    expect(await look(each, more)).toMatchObject(nothing);
    const accepted = await steps.send(each, more);
    const made = role === "entry" ? bench.network.playlistItems() : bench.network.comments();
    expect(made).toMatchObject([{ video: id }]);
    expect(accepted).toMatchObject({ live: { id: made[0]?.id } });
    const found =
      role === "entry" ? accepted : { lists: [{ posts: [{ published: { id: made[0]?.id }, texts: ["First!"] }] }] };
    expect(await look(each, more)).toMatchObject(found as object);
  });
});

describe("YouTube's rules for a post", () => {
  async function broken(over: Parameters<typeof part>[1], known: JsonObject = {}): Promise<string[]> {
    const { bench, connected } = await place();
    const planned = part([videoOn(bench, { duration_seconds: 1_000 })], over);
    const profile = { ...connected.profile, account_facts: { ...connected.profile.account_facts, ...known } };
    const input = { ...planned, thread: null, auto_thread: false };
    return limits.rules.flatMap((rule) => rule.check({ input, parts: [planned], spec: limits, profile })?.field ?? []);
  }

  const kids = { made_for_kids: true, first_comment: "First!" };

  it.each<[string, Parameters<typeof part>[1], JsonObject, string[]]>([
    ["a title with <", { title: "a < b" }, {}, ["title"]],
    ["a description with >", { text: "a > b" }, {}, ["text"]],
    [
      "tags of 501 characters",
      { options: { tags: ["x".repeat(249), "y".repeat(251)] } },
      {},
      ["networks.youtube.tags"],
    ],
    ["tags of 500 characters", { options: { tags: ["x".repeat(249), "y".repeat(250)] } }, {}, []],
    [
      "a tag with a space, which counts two more",
      { options: { tags: [`x ${"y".repeat(497)}`] } },
      {},
      ["networks.youtube.tags"],
    ],
    ["a tag with <", { options: { tags: ["a", "<b"] } }, {}, ["networks.youtube.tags[1]"]],
    ["a long video on a channel without a phone number", {}, { takes_long_videos: false }, ["media[0]"]],
    ["a comment under a video for children", { options: kids }, {}, ["networks.youtube.first_comment"]],
    [
      "a comment without the scope",
      { options: { first_comment: "x" } },
      { scopes: [] },
      ["networks.youtube.first_comment"],
    ],
    [
      "a playlist without the scope",
      { options: { playlist_id: "PLx" } },
      { scopes: [] },
      ["networks.youtube.playlist_id"],
    ],
    ["a plain video", {}, {}, []],
  ])("judge %s", async (_, over, known, fields) => {
    expect(await broken(over, known)).toEqual(fields);
  });

  it.each([
    { privacy_status: "secret" },
    { made_for_kids: "no" },
    { tags: [""] },
    { category_id: "music" },
    { license: "mit" },
    { synthetic_media: 1 },
    { paid_promotion: "yes" },
    { language: "english language" },
    { audio_language: "" },
    { notify_subscribers: 0 },
    { embeddable: "false" },
    { public_stats: null },
    { thumbnail: "file:///etc/passwd" },
    { playlist_id: "PL/../x" },
    { first_comment: "  " },
  ])("reject the options %j", (given) => {
    expect(options.safeParse(given).success).toBe(false);
  });
});
