import { afterEach, describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { LookResult } from "../../../src/networks/contract/look.ts";
import type { Part } from "../../../src/networks/contract/plan.ts";
import { limits } from "../../../src/networks/youtube/limits.ts";
import { options, type YoutubeOptions } from "../../../src/networks/youtube/options.ts";
import { createPublisher } from "../../../src/networks/youtube/publish.ts";
import type { SeenRequest } from "../../../src/testing/network-bench.ts";
import type { Json, JsonObject } from "../../../src/wire/json.ts";
import { commitInputOf } from "../parts.ts";
import { connectedBench, filmOn, part } from "./bench.ts";
import { chunkBytes, film } from "./film.ts";
import { contractAbsent, contractFindings } from "./openapi.ts";

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

it("is checked against Google's own description of the API", (context) => {
  if (contractAbsent !== null) context.skip(contractAbsent);
  expect(contractAbsent).toBeNull();
});

interface Work {
  at: Place;
  given: Part<YoutubeOptions>;
  kept: Record<string, Json>;
}

async function work(over: Parameters<typeof part>[1] = {}, { chunks = 2 } = {}): Promise<Work> {
  const at = await place();
  return { at, given: part([filmOn(at.bench, { chunks })], over), kept: {} };
}

function stage({ at, given, kept }: Work): Promise<void> {
  return at.bench.run(async () => publisher.stage?.(at.connected.stage(kept), given));
}

function inputOf({ at, given, kept }: Work, more: Partial<CommitInput<YoutubeOptions>> = {}) {
  return commitInputOf(at.connected, { part: given, staged: kept, ...more });
}

/** Sends the last chunk; returns the job. */
async function send(each: Work): Promise<JsonObject> {
  const input = inputOf(each);
  const response = await each.at.bench.run(() => each.at.connected.send(publisher.commit(input), each.given.media));
  const acceptance = publisher.accepted(response, input);
  if (acceptance === null || !("job" in acceptance)) throw new Error(`no job: ${response.status}`);
  return acceptance.job as JsonObject;
}

function look(each: Work, job?: Json): Promise<LookResult> {
  const { at } = each;
  const since = at.bench.clock.now() - 120_000;
  return at.bench.run(() =>
    publisher.lookFor(at.connected.context, { ...inputOf(each), since, ...(job === undefined ? {} : { job }) }),
  );
}

function operations({ at }: Work): string[] {
  return at.bench.seen.map(({ operation }) => operation);
}

function seenOf({ at }: Work, operation: string): SeenRequest[] {
  return at.bench.seen.filter((each) => each.operation === operation);
}

describe("what is sent", () => {
  it("is a video with all that was said of it, always with privacy and children", async () => {
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
    expect(each.at.bench.network.video(String(video_id))).toMatchObject({
      notifies: false,
      size: film(2).length,
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
    const [open] = seenOf(each, "openUpload");
    expect(open?.url.searchParams.get("part")).toBe("snippet,status,paidProductPlacementDetails");
  });

  it("names no part that it does not use", async () => {
    const each = await work();
    await stage(each);
    const [open] = seenOf(each, "openUpload");
    expect(open?.url.searchParams.get("part")).toBe("snippet,status");
    expect(JSON.parse(new TextDecoder().decode(open?.bytes))).toMatchObject({
      status: { privacyStatus: "public", selfDeclaredMadeForKids: false },
    });
  });

  it("goes in chunks, of which only the last is no multiple of 256 KiB, and holds the file", async () => {
    const each = await work({}, { chunks: 4 });
    await stage(each);
    expect(each.at.bench.network.posts()).toEqual([]);
    const { video_id } = await send(each);
    const ranges = [...seenOf(each, "sendChunk"), ...seenOf(each, "finishUpload")].map(({ headers }) =>
      headers.get("content-range"),
    );
    const total = film(4).length;
    expect(ranges).toEqual([
      `bytes 0-262143/${total}`,
      `bytes 262144-524287/${total}`,
      `bytes 524288-786431/${total}`,
      `bytes 786432-${total - 1}/${total}`,
    ]);
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", film(4).slice())).toString("hex");
    expect(each.at.bench.network.video(String(video_id))).toMatchObject({ hash, size: total });
  });

  it("keeps the credential from an address that is none of YouTube's", async () => {
    const each = await work();
    const location = "https://upload.elsewhere.example/session";
    each.at.bench.network.faults.add({
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

  it("is refused where nobody knows how long the file is", async () => {
    const each = await work();
    const [media] = each.given.media;
    const unknown = {
      ...each,
      given: { ...each.given, media: media === undefined ? [] : [{ ...media, size_bytes: null }] },
    };
    await expect(stage(unknown)).rejects.toMatchObject({ code: "media_error" });
  });
});

describe("an upload that is broken off", () => {
  it("goes on after what YouTube holds, not after what was sent", async () => {
    const each = await work({}, { chunks: 4 });
    const { network } = each.at.bench;
    network.faults.add({ kind: "drop_after", operation: "sendChunk", after: 1 });
    await expect(stage(each)).rejects.toThrow();
    await stage(each);
    const first = seenOf(each, "sendChunk").map(({ headers }) => headers.get("content-range")?.split("-")[0]);
    expect(first).toEqual(["bytes 0", "bytes 262144", "bytes 524288"]);
    expect(seenOf(each, "openUpload")).toHaveLength(1);
    await send(each);
    expect(network.posts()).toHaveLength(1);
  });

  it("takes up a chunk of which only a part arrived", async () => {
    const each = await work({}, { chunks: 4 });
    each.at.bench.network.change({ nextChunkTakes: 0 });
    await expect(stage(each)).rejects.toMatchObject({ code: "network_error" });
    await stage(each);
    await send(each);
    expect(each.at.bench.network.posts()).toHaveLength(1);
  });

  it("goes on within the last chunk, if some of that arrived", async () => {
    const bench = await place();
    const each: Work = { at: bench, given: part([filmOn(bench.bench, { chunks: 3 })]), kept: {} };
    const wide = createPublisher({ chunkBytes: 4 * chunkBytes });
    const stageWide = () => bench.bench.run(async () => wide.stage?.(bench.connected.stage(each.kept), each.given));
    await stageWide();
    bench.bench.network.change({ nextChunkTakes: chunkBytes });
    await bench.bench.run(() => bench.connected.send(wide.commit(inputOf(each)), each.given.media));
    expect(bench.bench.network.posts()).toEqual([]);
    await stageWide();
    expect(wide.commit(inputOf(each))).toMatchObject({
      headers: { "content-range": expect.stringMatching(/^bytes 262144-/) },
    });
    await send(each);
    expect(bench.bench.network.posts()).toHaveLength(1);
  });

  it("begins anew when YouTube has dropped it before the last chunk was sent", async () => {
    const each = await work({}, { chunks: 3 });
    const { network } = each.at.bench;
    network.faults.add({ kind: "drop_before", operation: "sendChunk", after: 1 });
    await expect(stage(each)).rejects.toThrow();
    network.forgetUploads();
    await expect(stage(each)).rejects.toMatchObject({ name: "NotReady" });
    await stage(each);
    await send(each);
    expect(seenOf(each, "openUpload")).toHaveLength(2);
    expect(network.posts()).toHaveLength(1);
  });

  it("does not begin anew once the last chunk may have gone out: that is the engine's to decide", async () => {
    const each = await work();
    await stage(each);
    await send(each);
    each.at.bench.network.forgetUploads();
    const kept = structuredClone(each.kept);
    await stage(each);
    expect(each.kept).toEqual(kept);
    expect(seenOf(each, "openUpload")).toHaveLength(1);
  });
});

describe("after a lost answer", () => {
  it("nothing is there while bytes are missing", async () => {
    const each = await work();
    await stage(each);
    expect(await look(each)).toEqual({ absent: true });
    expect(operations(each).at(-1)).toBe("checkUpload");
  });

  it("the upload itself names the video", async () => {
    const each = await work();
    await stage(each);
    const { video_id: id } = await send(each);
    expect(await look(each)).toEqual({ live: { id, url: `https://www.youtube.com/watch?v=${id}`, ref: null } });
  });

  it("an upload that is not known any more may have been finished: the channel's uploads tell", async () => {
    const each = await work({ title: "A title", text: "And a text " });
    await stage(each);
    const { video_id: id } = await send(each);
    each.at.bench.network.forgetUploads();
    expect(await look(each)).toMatchObject({
      parent: null,
      lists: [{ isWhole: true, showsSuch: true, posts: [{ published: { id }, texts: ["A title\nAnd a text"] }] }],
    });
    expect(publisher.textForms(each.given, 0)).toEqual(["A title\nAnd a text"]);
  });

  it("an upload that is not known any more and left nothing is absent only by a whole list", async () => {
    const each = await work();
    await stage(each);
    each.at.bench.network.forgetUploads();
    expect(await look(each)).toMatchObject({ lists: [{ posts: [], isWhole: true, showsSuch: true }] });
  });

  it("the silence of the list about private videos counts only where it has shown one", async () => {
    const each = await work({ options: { privacy_status: "private" } });
    await stage(each);
    each.at.bench.network.forgetUploads();
    expect(await look(each)).toMatchObject({ lists: [{ showsSuch: false, name: "uploads private" }] });
    each.at.bench.network.uploadByHand(each.at.connected.profile.external_id, { title: "Mine", privacy: "private" });
    expect(await look(each)).toMatchObject({ lists: [{ showsSuch: true }] });
    expect(publisher.lists?.names(inputOf(each))).toEqual(["uploads private"]);
  });

  it("a list that is too long to read back is not whole", async () => {
    const each = await work();
    await stage(each);
    const { network } = each.at.bench;
    network.forgetUploads();
    for (let count = 0; count < 501; count++)
      network.uploadByHand(each.at.connected.profile.external_id, { title: `Video ${count}` });
    expect(await look(each)).toMatchObject({ lists: [{ isWhole: false }] });
  });
});

describe("what YouTube has said yes to", () => {
  it("is not published while it is processed, and is after two minutes, though that takes hours", async () => {
    const each = await work();
    each.at.bench.network.processFor(7_200);
    await stage(each);
    const job = await send(each);
    const pending = { pending: expect.stringMatching(/processing/), again_seconds: 30 };
    expect(await look(each, job)).toMatchObject(pending);
    await each.at.bench.clock.advance(119_000);
    expect(await look(each, job)).toMatchObject(pending);
    await each.at.bench.clock.advance(2_000);
    expect(await look(each, job)).toMatchObject({ live: { id: job.video_id } });
  });

  it.each([
    ["failed", "codec", "media_error", /codec/],
    ["failed", "tooSmall", "media_error", /small/],
    ["rejected", "duplicate", "rejected_by_network", /already/],
    ["rejected", "length", "rejected_by_network", /too long/],
  ] as const)("has failed when it is %s for %s", async (status, reason, code, words) => {
    const each = await work();
    each.at.bench.network.failNext({ status, reason });
    await stage(each);
    const job = await send(each);
    expect(await look(each, job)).toEqual({ failed: { code, message: expect.stringMatching(words) } });
  });

  it("may be there although YouTube does not list it yet", async () => {
    const each = await work();
    await stage(each);
    each.at.bench.network.lagReads(60);
    expect(await look(each, await send(each))).toEqual({ pending: expect.stringMatching(/does not list it/) });
  });

  it("says when YouTube gave it another privacy", async () => {
    const each = await work();
    each.at.bench.network.change({ privacyBecomes: "private" });
    await stage(each);
    expect(await look(each, await send(each))).toMatchObject({
      live: { warnings: ["YouTube made the video private instead of public."] },
    });
  });
});

describe("a thumbnail", () => {
  const url = "https://media.example/thumbnail.png";
  const thumbnail = { url, mime_type: "image/png" };

  async function confirmed(given: { reason?: string; early?: true } = {}) {
    const each = await work({ options: { thumbnail: url }, option_files: [thumbnail] });
    const { bench, connected } = each.at;
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

  it("is set when the video is there", async () => {
    const { id, bench, result } = await confirmed();
    expect(await result).toEqual({ id, url: null, ref: null });
    expect(bench.network.video(id).thumbnail).toBe(4);
  });

  it("is a warning where the channel may have none", async () => {
    const { result } = await confirmed({ reason: "forbidden" });
    expect(await result).toMatchObject({ warnings: [expect.stringMatching(/phone number/)] });
  });

  it("is not taken for forbidden where the quota of the day is used up", async () => {
    const { result } = await confirmed({ reason: "quotaExceeded" });
    await expect(result).rejects.toThrow(/quota/);
  });

  it("is set later where the video is not ready for it", async () => {
    const { result } = await confirmed({ early: true });
    await expect(result).rejects.toMatchObject({ name: "NotReady" });
  });
});

describe("what belongs to a video", () => {
  function partsOf(given: JsonObject): Part<YoutubeOptions>[] {
    const video = part([], { options: given });
    const input = { ...video, thread: null, auto_thread: false };
    return publisher.prepare?.(input, [video]) ?? [];
  }

  it("is a request each, and says what it is", () => {
    const parts = partsOf({ playlist_id: "PLabc", first_comment: "First!" });
    expect(parts.map(({ role, text, title }) => [role, text, title])).toEqual([
      [undefined, "Hello", "Title"],
      ["entry", "", null],
      ["comment", "First!", null],
    ]);
    expect(partsOf({})).toHaveLength(1);
  });

  it.each(["entry", "comment"] as const)("an %s is not there before, and found after", async (role) => {
    const each = await work();
    const { bench, connected } = each.at;
    const playlist_id = bench.network.addPlaylist(connected.profile.external_id, "Bread");
    await stage(each);
    const id = String((await send(each)).video_id);
    const own = partsOf({ playlist_id, first_comment: "First!" }).find((one) => one.role === role);
    if (own === undefined) throw new Error("no such part");
    const first = { id, url: null, ref: null };
    const input = { ...inputOf({ ...each, given: own }), first, previous: first, since: bench.clock.now() - 120_000 };
    const find = () => bench.run(() => publisher.lookFor(connected.context, input));
    const nothing = role === "entry" ? { absent: true } : { lists: [{ posts: [], isWhole: true, showsSuch: true }] };
    expect(await find()).toMatchObject(nothing);
    const response = await bench.run(() => connected.send(publisher.commit(input)));
    const accepted = publisher.accepted(response, input);
    const made = role === "entry" ? bench.network.playlistItems() : bench.network.comments();
    expect(made).toMatchObject([{ video: id }]);
    expect(accepted).toMatchObject({ live: { id: made[0]?.id } });
    const found =
      role === "entry" ? accepted : { lists: [{ posts: [{ published: { id: made[0]?.id }, texts: ["First!"] }] }] };
    expect(await find()).toMatchObject(found as object);
  });
});

describe("what YouTube does not take", () => {
  async function broken(over: Parameters<typeof part>[1], known: JsonObject = {}): Promise<string[]> {
    const { bench, connected } = await place();
    const planned = part([filmOn(bench, { duration_seconds: 1_000 })], over);
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
      "a tag with a blank, which counts two more",
      { options: { tags: [`x ${"y".repeat(497)}`] } },
      {},
      ["networks.youtube.tags"],
    ],
    ["a tag with <", { options: { tags: ["a", "<b"] } }, {}, ["networks.youtube.tags[1]"]],
    ["a long film on a channel without a phone number", {}, { takes_long_videos: false }, ["media[0]"]],
    ["a comment under what is made for children", { options: kids }, {}, ["networks.youtube.first_comment"]],
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
    ["nothing of that", {}, {}, []],
  ])("%s", async (_, over, known, fields) => {
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
  ])("the options %j", (given) => {
    expect(options.safeParse(given).success).toBe(false);
  });
});
