import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { IdentifiedPart } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import type { XOptions } from "../../../src/networks/x/options.ts";
import { publisher } from "../../../src/networks/x/publish.ts";
import { formBody } from "../../../src/sandbox/exchange.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { answered } from "../../support/answered.ts";
import { identified } from "../../support/identified.ts";
import { jsonOf, seenOf } from "../seen.ts";
import { liveIn, stepsOf, type Work, workOn } from "../steps.ts";
import { connectedBench, part, pictures, video, type XBench } from "./bench.ts";

const { inputOf, stage, ...steps } = stepsOf(publisher);

type At = Work<XOptions, XBench>;

async function desk(given: Parameters<typeof connectedBench>[0] = {}): Promise<At> {
  return workOn(await connectedBench(given), part());
}

async function publish(at: At, given: Partial<CommitInput<XOptions>> = {}): Promise<IdentifiedPart> {
  return identified(liveIn(await steps.publish(at, given)));
}

const look = steps.judge;

function bodyOf(at: At, given: Partial<CommitInput<XOptions>>): JsonObject {
  return publisher.commit(inputOf(at, given)).body.json;
}

describe("a post on X", () => {
  it("keeps its id as a string, and has a permalink with the account's handle", async () => {
    const at = await desk();
    const id = "1991848293756207105";
    expect(publisher.accepted(answered({ data: { id } }), inputOf(at))).toEqual({
      live: { id, url: `https://x.com/alice/status/${id}`, ref: null },
    });
    const published = await publish(at);
    expect(Number(published.id)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
    expect(at.bench.network.posts()).toMatchObject([{ id: published.id, url: published.url, text: "Hello" }]);
  });

  it("is live if the response has its id, even beside problems", async () => {
    const at = await desk();
    at.bench.network.answerBesideErrors();
    expect(await publish(at)).toMatchObject({ id: at.bench.network.posts()[0]?.id });
  });

  it.each([
    ["a number", { data: { id: 19_918 } }],
    ["no id", { data: {}, errors: [{ title: "Not Found Error" }] }],
    ["another JSON", { ok: true }],
    ["no JSON", null],
  ])("is not live if the response has %s", async (_, body) => {
    expect(publisher.accepted(answered(body), inputOf(await desk()))).toBeNull();
  });

  it("carries its options under X's names", async () => {
    const options: JsonObject = {
      reply_settings: "mentionedUsers",
      poll: { options: ["Tea", "Coffee"], duration_minutes: 60 },
      community_id: "1493446837214187523",
      share_with_followers: true,
      subscribers_only: true,
      made_with_ai: true,
      paid_partnership: true,
      place_id: "df51dec6f4ee2b2c",
      reply_to: "https://x.com/bob/status/1991848293756207104?s=20",
    };
    expect(bodyOf(await desk(), { part: part({ options }) })).toEqual({
      text: "Hello",
      reply: { in_reply_to_tweet_id: "1991848293756207104" },
      reply_settings: "mentionedUsers",
      poll: { options: ["Tea", "Coffee"], duration_minutes: 60 },
      community_id: "1493446837214187523",
      share_with_followers: true,
      for_super_followers_only: true,
      made_with_ai: true,
      paid_partnership: true,
      geo: { place_id: "df51dec6f4ee2b2c" },
    });
  });

  it("replies to the previous part in a thread, and carries the visibility options in each part", async () => {
    const options: JsonObject = {
      reply_settings: "verified",
      poll: { options: ["Tea", "Coffee"], duration_minutes: 60 },
      place_id: "df51dec6f4ee2b2c",
      community_id: "1",
      reply_to: "7",
      made_with_ai: true,
      paid_partnership: true,
      subscribers_only: true,
    };
    const previous: IdentifiedPart = { id: "41", url: null, ref: null };
    expect(bodyOf(await desk(), { part: part({ options }), index: 1, first: previous, previous })).toEqual({
      text: "Hello",
      reply: { in_reply_to_tweet_id: "41" },
      made_with_ai: true,
      paid_partnership: true,
      for_super_followers_only: true,
    });
  });

  it("tags users in its photos", async () => {
    const at = await desk();
    const tagged = ["2244994945"];
    const published = await publish(at, {
      part: part({ media: pictures(at.bench, 1), options: { tagged_user_ids: tagged } }),
    });
    expect(at.bench.network.detailsOf(published.id).given.tagged_user_ids).toEqual(tagged);
  });
});

describe("a file's upload to X", () => {
  it("initializes, appends and finalizes, and sets the alt text and the warning in one request", async () => {
    const at = await desk();
    await publish(at, { part: part({ media: pictures(at.bench, 1), options: { sensitive: ["graphic_violence"] } }) });
    expect(at.bench.seen.map(({ operation }) => operation)).toEqual([
      ...["me", "initialize", "append", "finalize", "metadata", "createPost"],
    ]);
    const [initialize] = seenOf(at.bench, "initialize");
    expect(jsonOf(initialize)).toEqual({
      media_type: "image/png",
      total_bytes: 5,
      media_category: "tweet_image",
    });
    const [append] = seenOf(at.bench, "append");
    expect(append && [...((await formBody(append))?.keys() ?? [])]).toEqual(["segment_index", "media"]);
    const [metadata] = seenOf(at.bench, "metadata");
    expect(jsonOf(metadata)).toEqual({
      id: at.kept.media_0,
      metadata: { alt_text: { text: "picture 0" }, sensitive_media_warning: { graphic_violence: true } },
    });
  });

  it("cuts a large file into segments with indexes from 0, and repeats none after a crash", async () => {
    const at = await desk();
    const file = video(at.bench, 9_000_000);
    const gone = { kind: "refuse", answer: { status: 503 }, operation: "append", after: 2, times: 9 } as const;
    at.bench.network.faults.add(gone);
    await expect(stage(at, { part: part({ media: [file] }) })).rejects.toThrow();
    at.bench.network.faults.clear();
    await stage(at, { part: part({ media: [file] }) });
    expect(seenOf(at.bench, "initialize")).toHaveLength(1);
    const forms = await Promise.all(seenOf(at.bench, "append").map((request) => formBody(request)));
    const indexes = forms.map((form) => String(form?.get("segment_index")));
    // Unrecorded segments are sent again under the same indexes.
    expect(indexes).toEqual(["0", "1", "2", "2", "2", "0", "1", "2"]);
    const sizes = forms.slice(-3).map((form) => (form?.get("media") as File | null | undefined)?.size);
    expect(sizes).toEqual([4_000_000, 4_000_000, 1_000_000]);
  });

  it("reports a segment that is too long as a file that X did not accept, because X sends no reason", async () => {
    const at = await desk();
    at.bench.network.faults.add({ kind: "refuse", operation: "append", answer: { status: 413 } });
    await expect(stage(at, { part: part({ media: [video(at.bench)] }) })).rejects.toMatchObject({
      code: "media_error",
      message: "media[0]: X rejected the file.",
    });
  });

  it("waits while X processes a video, without a second upload", async () => {
    const at = await desk();
    at.bench.network.processMediaFor(30);
    const wanted = part({ media: [video(at.bench)] });
    await expect(stage(at, { part: wanted })).rejects.toThrow(NotReady);
    await expect(stage(at, { part: wanted })).rejects.toThrow(NotReady);
    await at.bench.clock.advance(31_000);
    await stage(at, { part: wanted });
    expect(seenOf(at.bench, "append")).toHaveLength(1);
    expect(at.kept.media_0).toMatch(/^\d{19}$/);
  });

  it("reports X's reason for rejecting a professional video format", async () => {
    const at = await desk();
    const file = video(at.bench, fixture("h264-10bit.mov").length);
    at.bench.files.set(file.url, fixture("h264-10bit.mov"));
    await expect(
      stage(at, { part: part({ media: [{ ...file, mime_type: "video/quicktime" }] }) }),
    ).rejects.toMatchObject({
      message: "media[0]: X could not process the file. (Unsupported video format)",
    });
  });

  it("reports X's reason for a video that it cannot use, and uploads it again in the next attempt", async () => {
    const at = await desk();
    at.bench.network.failNextMedia();
    const wanted = part({ media: [video(at.bench)] });
    await expect(stage(at, { part: wanted })).rejects.toMatchObject({
      code: "media_error",
      message: "media[0]: X could not process the file. (Unsupported video format)",
    });
    await stage(at, { part: wanted });
    expect(seenOf(at.bench, "initialize")).toHaveLength(2);
  });

  it("reads the file's status if a second finalize is refused, because the first one arrived", async () => {
    const at = await desk();
    at.bench.network.faults.add({ kind: "drop_after", operation: "finalize" });
    await stage(at, { part: part({ media: pictures(at.bench, 1) }) });
    expect(seenOf(at.bench, "finalize").map(({ answer }) => answer?.status)).toEqual([200, 400]);
    expect(seenOf(at.bench, "status")).toHaveLength(1);
  });

  it("needs a reconnect if the connection lacks the upload scope", async () => {
    const at = await desk({ scopes: ["tweet.read", "tweet.write", "users.read"] });
    await expect(stage(at, { part: part({ media: pictures(at.bench, 1) }) })).rejects.toMatchObject({
      code: "reauthentication_required",
      message: expect.stringContaining("media.write"),
    });
  });

  it("continues without an alt text that X refuses, with a warning", async () => {
    const at = await desk();
    at.bench.network.faults.add({
      kind: "refuse",
      answer: { status: 400, json: { title: "No" } },
      operation: "metadata",
    });
    const published = await publish(at, { part: part({ media: pictures(at.bench, 2) }) });
    expect(published.warnings).toEqual(["X rejected the alt text of file 1."]);
    expect(at.bench.network.posts()[0]?.alt).toEqual(["", "picture 1"]);
  });

  it("ends if X refuses the content warning", async () => {
    const at = await desk();
    at.bench.network.faults.add({
      kind: "refuse",
      answer: { status: 400, json: { title: "No" } },
      operation: "metadata",
    });
    const wanted = part({ media: pictures(at.bench, 1), options: { sensitive: ["other"] } });
    await expect(stage(at, { part: wanted })).rejects.toThrow(/No/);
  });

  it("attaches subtitles to a video, once", async () => {
    const at = await desk();
    at.bench.files.set(
      "https://media.example/en.vtt",
      new TextEncoder().encode("WEBVTT\n\n00:00.000 --> 00:01.000\nHi"),
    );
    at.bench.files.set(
      "https://media.example/de.srt",
      new TextEncoder().encode("1\n00:00:00,000 --> 00:00:01,000\nHallo"),
    );
    const subtitles = [
      { url: "https://media.example/en.vtt", language: "en", name: "English" },
      { url: "https://media.example/de.srt", language: "de", name: "Deutsch" },
    ];
    const wanted = part({ media: [video(at.bench)], options: { subtitles } });
    await stage(at, { part: wanted });
    const published = await publish(at, { part: wanted });
    expect(at.bench.network.detailsOf(published.id).media[0]?.subtitles).toEqual(["EN", "DE"]);
    const types = seenOf(at.bench, "initialize").map((request) => (jsonOf(request) as JsonObject).media_type);
    expect(types).toEqual(["video/mp4", "text/vtt", "text/srt"]);
  });
});

describe("a look for an X post", () => {
  it.each([
    "Salt & pepper <3 at https://example.com/a?b=1&c=2#d",
    "Bare domains: example.com and EXAMPLE.org/path.",
    "Two of them https://example.com/ https://example.com/other",
    "日本語 and https://例え.jp and 👩‍👩‍👧",
  ])("undoes t.co links and HTML escapes: %s", async (text) => {
    const at = await desk();
    const wanted = part({ text });
    expect(await look(at, { part: wanted })).toEqual({ candidates: [], unexplained: [], complete: true });
    const published = await publish(at, { part: wanted });
    expect(await look(at, { part: wanted })).toMatchObject({ candidates: [{ id: published.id }], complete: true });
  });

  it("reads the full text of a long post", async () => {
    const at = await desk({ plan: "Premium" });
    const wanted = part({ text: `${"A long post of an account with Premium. ".repeat(40)}The end.` });
    const published = await publish(at, { part: wanted });
    expect(await steps.look(at, { part: wanted })).toMatchObject({
      lists: [{ posts: [{ published: { id: published.id }, texts: [wanted.text] }] }],
    });
  });

  it("recognizes a post only by its uploaded media, whatever its text", async () => {
    const at = await desk();
    const wanted = part({ text: "", media: pictures(at.bench, 2) });
    const other = part({ text: "", media: pictures(at.bench, 2) });
    await stage(at, { part: wanted });
    const elsewhere = { ...at, kept: {} };
    await publish(elsewhere, { part: other });
    expect(await look(at, { part: wanted })).toEqual({ candidates: [], unexplained: [], complete: true });
    const published = await publish(at, { part: wanted });
    expect(await look(at, { part: wanted })).toMatchObject({ candidates: [{ id: published.id }] });
  });

  it("recognizes a part of a thread by its parent", async () => {
    const at = await desk({ remembersTextsSeconds: 0 });
    const first = await publish(at, { part: part({ text: "First" }) });
    const alone = await publish(at, { part: part({ text: "Then" }) });
    const given = { part: part({ text: "Then" }), index: 1, first, previous: first };
    expect(await look(at, given)).toMatchObject({ candidates: [] });
    const reply = await publish(at, given);
    expect(await look(at, given)).toMatchObject({ candidates: [{ id: reply.id }] });
    expect(await look(at, { part: part({ text: "Then" }) })).toMatchObject({ candidates: [{ id: alone.id }] });
  });

  it("recognizes a poll by its choices", async () => {
    const at = await desk({ remembersTextsSeconds: 0 });
    const poll = (...answers: string[]) => part({ options: { poll: { options: answers, duration_minutes: 60 } } });
    await publish(at, { part: poll("Tea", "Coffee") });
    expect(await look(at, { part: poll("Tea", "Milk") })).toMatchObject({ candidates: [] });
    expect(await look(at, { part: part() })).toMatchObject({ candidates: [] });
    expect(await look(at, { part: poll("Tea", "Coffee") })).toMatchObject({ candidates: [{}] });
  });

  it("reads page by page, back to the moment of the request and no further, with one set of names", async () => {
    const at = await desk();
    at.bench.network.postAs(at.connected.profile.external_id, { text: "Old" });
    await at.bench.clock.advance(600_000);
    for (let count = 0; count < 120; count++)
      at.bench.network.postAs(at.connected.profile.external_id, { text: `By hand ${count}` });
    expect(await look(at)).toMatchObject({ complete: true });
    const looks = seenOf(at.bench, "userPosts").map(({ url }) => url.searchParams);
    expect(looks.map((query) => query.get("pagination_token"))).toEqual([null, "100"]);
    expect(looks[0]?.get("start_time")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(looks.every((query) => !query.has("post.fields"))).toBe(true);
  });

  it.each([
    [{ community_id: "1493446837214187523" }, "community"],
    [{ subscribers_only: true }, "subscribers"],
  ] as const)(
    "calls no post absent that the list may leave out, until the list has shown one: %j",
    async (options, readers) => {
      const at = await desk({ communities: ["1493446837214187523"] });
      at.bench.network.hideFromLists(readers);
      const wanted = part({ options });
      const published = await publish(at, { part: wanted });
      expect(await look(at, { part: wanted })).toMatchObject({ candidates: [], complete: false });
      const shown = (given: IdentifiedPart) =>
        at.bench.run(() => publisher.lists.showing(at.connected.context, given, inputOf(at, { part: wanted })));
      expect(await shown(published)).toEqual([]);
      const other = await desk({ communities: ["1493446837214187523"] });
      const listed = await publish(other, { part: wanted });
      const names = publisher.lists.names(inputOf(other, { part: wanted }));
      expect(names).toEqual([`posts ${readers} post`]);
      await expect(
        other.bench.run(() =>
          publisher.lists.showing(other.connected.context, listed, inputOf(other, { part: wanted })),
        ),
      ).resolves.toEqual(names);
    },
  );

  it("needs no such proof for a public post", async () => {
    expect(publisher.lists.names(inputOf(await desk()))).toEqual([]);
  });
});
