import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { LookInput } from "../../../src/networks/contract/look.ts";
import type { IdentifiedPart, Part } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { limits } from "../../../src/networks/mastodon/limits.ts";
import type { MastodonOptions } from "../../../src/networks/mastodon/options.ts";
import { publisher } from "../../../src/networks/mastodon/publish.ts";
import { formBody } from "../../../src/sandbox/exchange.ts";
import type { ConnectedProfile } from "../../../src/testing/network-bench.ts";
import type { Json, JsonObject } from "../../../src/wire/json.ts";
import { answered } from "../../support/answered.ts";
import { somebody } from "../../support/profile-facts.ts";
import { verdictOf } from "../../support/sighting.ts";
import { commitInputOf, fileOf } from "../parts.ts";
import { connectedBench, host, type MastodonBench, part, pictures, video } from "./bench.ts";

interface Desk {
  bench: MastodonBench;
  connected: ConnectedProfile;
  kept: Record<string, Json>;
}

async function desk(): Promise<Desk> {
  return { ...(await connectedBench()), kept: {} };
}

const createdAt = Date.UTC(2026, 10, 21, 11);
const uploads = ["POST /api/v2/media", "POST /api/v1/media"];

function input(
  { connected, kept }: Desk,
  given: Partial<CommitInput<MastodonOptions>> = {},
): CommitInput<MastodonOptions> {
  const index = given.index ?? 0;
  const key = publisher.key({ subjectId: "tgt_1", createdAt, part: index, bodyHash: "1" });
  const created_at = new Date(createdAt).toISOString();
  return commitInputOf(connected, { part: part(), staged: kept, key, created_at, ...given });
}

function stage({ bench, connected, kept }: Desk, each: Part<MastodonOptions>, index = 0): Promise<void> {
  return bench.run(async () => publisher.stage?.(connected.stage(kept, index), each));
}

async function publish(at: Desk, given: Partial<CommitInput<MastodonOptions>>): Promise<IdentifiedPart> {
  const wanted = input(at, given);
  await stage(at, wanted.part, wanted.index);
  const response = await at.bench.run(() => at.connected.send(publisher.commit(wanted)));
  const accepted = publisher.accepted(response, wanted)?.live;
  if (response.status !== 200 || accepted === undefined) throw new Error(JSON.stringify(response.body));
  return accepted;
}

async function look(at: Desk, given: Partial<LookInput<MastodonOptions>> = {}): Promise<ReturnType<typeof verdictOf>> {
  const since = at.bench.clock.now() - 120_000;
  const wanted = { ...input(at), since, ...given };
  const sighting = await at.bench.run(() => publisher.lookFor(at.connected.context, wanted));
  return verdictOf(sighting, wanted, { publisher, since });
}

async function candidates(at: Desk, given: Partial<LookInput<MastodonOptions>>): Promise<string[]> {
  const sighting = await look(at, given);
  return "candidates" in sighting ? sighting.candidates.map(({ id }) => id) : [];
}

function seen(at: Desk, ...operations: string[]) {
  return at.bench.seen.filter(({ operation }) => operations.includes(operation));
}

describe("a post on Mastodon", () => {
  it("is one POST with an idempotency key and always states its visibility", async () => {
    const at = await desk();
    const wanted = input(at, { part: part({ text: "Hello world" }) });
    expect(publisher.commit(wanted)).toEqual({
      method: "POST",
      url: `https://${host}/api/v1/statuses`,
      headers: { "idempotency-key": wanted.key },
      body: { json: { status: "Hello world", visibility: "public" } },
    });
  });

  it("has the server's permalink", async () => {
    const at = await desk();
    const published = await publish(at, {});
    expect(published).toEqual({ id: expect.any(String), url: `https://${host}/@alice/${published.id}`, ref: null });
    expect(at.bench.network.posts()).toMatchObject([{ id: published.id, text: "Hello", url: published.url }]);
  });

  it("uses the uri if there is no permalink, and does not mistake a web page for a post", async () => {
    const at = await desk();
    expect(publisher.accepted(answered({ id: "1", url: null, uri: "https://a.example/1" }), input(at))?.live.url).toBe(
      "https://a.example/1",
    );
    expect(publisher.accepted(answered(null), input(at))).toBeNull();
    expect(publisher.accepted(answered({ ok: true }), input(at))).toBeNull();
  });

  it("carries its options", async () => {
    const at = await desk();
    const poll = { options: ["yes", "no"], expires_in: 600, multiple: false, hide_totals: false };
    const options: JsonObject = {
      visibility: "private",
      spoiler_text: "careful",
      sensitive: true,
      language: "en",
      quote_approval_policy: "nobody",
      quoted_status_id: "17",
      poll,
    };
    expect(publisher.commit(input(at, { part: part({ options }) })).body.json).toEqual({
      status: "Hello",
      visibility: "private",
      spoiler_text: "careful",
      sensitive: true,
      language: "en",
      quote_approval_policy: "nobody",
      quoted_status_id: "17",
      poll,
    });
  });

  it("chains the parts of a thread, with the poll and the quote on the first only", async () => {
    const at = await desk();
    const poll = { options: ["yes", "no"], expires_in: 600 };
    const options: JsonObject = { poll, quoted_status_id: "17", spoiler_text: "careful" };
    const previous: IdentifiedPart = { id: "41", url: null, ref: null };
    const request = publisher.commit(input(at, { part: part({ options }), index: 1, first: previous, previous }));
    expect(request.body.json).toEqual({
      status: "Hello",
      visibility: "unlisted",
      in_reply_to_id: "41",
      spoiler_text: "careful",
    });
  });

  it.each([
    [{}, "unlisted"],
    [{ visibility: "private" }, "private"],
    [{ visibility: "direct" }, "direct"],
    [{ thread_visibility: "public" }, "public"],
    [{ visibility: "unlisted", thread_visibility: "private" }, "private"],
  ])("gives later parts of a thread with %j the visibility %s", async (options: JsonObject, visibility) => {
    const at = await desk();
    expect(publisher.commit(input(at, { part: part({ options }), index: 2 })).body.json.visibility).toBe(visibility);
  });

  it("has a key in the form of a UUID that differs per body", () => {
    const subject = { subjectId: "tgt_1", createdAt, part: 0, bodyHash: "1" };
    expect(publisher.key(subject)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(publisher.key({ ...subject, bodyHash: "2" })).not.toBe(publisher.key(subject));
  });

  it("is never sent again before a look", () => {
    expect(publisher.rules()).toMatchObject({ replaySeconds: 0, emptyReads: 2 });
  });
});

describe("a file's upload to Mastodon", () => {
  it("sends a video's cover with the video, if the plan names its type", async () => {
    const at = await desk();
    const cover = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1);
    const thumbnail_url = "https://media.example/cover.jpg";
    at.bench.files.set(thumbnail_url, cover);
    const file = { ...video(at.bench), thumbnail_url };
    await publish(at, { part: part({ media: [{ ...file, thumbnail_mime_type: "image/jpeg" }] }) });
    await publish({ ...at, kept: {} }, { part: part({ media: [file] }), index: 1 });
    const forms = await Promise.all(seen(at, ...uploads).map((request) => formBody(request)));
    expect(forms.map((form) => form?.get("thumbnail"))).toMatchObject([
      { type: "image/jpeg", name: "name-0-0-cover.jpg", size: cover.length },
      null,
    ]);
    const shown = at.bench.network.posts().map(({ files }) => files[0]?.coverSha256);
    expect(shown.toSorted()).toEqual([createHash("sha256").update(cover).digest("hex"), null].toSorted());
  });

  it("sends each file with its alt text and focus, and its length", async () => {
    const at = await desk();
    const options: JsonObject = { focus: [null, { x: -0.5, y: 1 }] };
    const each = part({ media: pictures(at.bench, 2), options });
    const published = await publish(at, { part: each });
    const sent = seen(at, ...uploads);
    expect(sent.map(({ headers, bytes }) => headers.get("content-length") === String(bytes.length))).toEqual([
      true,
      true,
    ]);
    const forms = await Promise.all(sent.map((request) => formBody(request)));
    expect(forms.map((form) => form?.get("description"))).toEqual(["picture 0", "picture 1"]);
    expect(forms.map((form) => form?.get("focus"))).toEqual([null, "-0.5,1"]);
    const files = forms.map((form) => form?.get("file"));
    expect(files).toMatchObject([{ name: "name-0-0.png" }, { name: "name-0-1.png" }]);
    expect(at.bench.network.posts()).toMatchObject([{ id: published.id, media: 2, alt: ["picture 0", "picture 1"] }]);
  });

  it("waits while the server converts, without a second upload", async () => {
    const at = await desk();
    at.bench.network.processMediaFor(60);
    const each = part({ media: [video(at.bench)] });
    await expect(stage(at, each)).rejects.toBeInstanceOf(NotReady);
    await expect(stage(at, each)).rejects.toBeInstanceOf(NotReady);
    await at.bench.clock.advance(60_000);
    await stage(at, each);
    await stage(at, each);
    expect(seen(at, ...uploads)).toHaveLength(1);
    expect(at.kept).toEqual({ upload_0: { id: expect.any(String), ready: false }, media_0: expect.any(String) });
    await publish(at, { part: each });
    expect(at.bench.network.posts()).toMatchObject([{ media: 1 }]);
  });

  it("fails if the server cannot convert the file", async () => {
    const at = await desk();
    at.bench.network.failNextMedia();
    const each = part({ media: [video(at.bench)] });
    await expect(stage(at, each)).rejects.toMatchObject({ code: "media_error" });
  });

  it("continues with the commit if the server has no status route for files", async () => {
    const at = await desk();
    const answer = { status: 404, text: "" };
    at.bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/media/:id", answer });
    await stage(at, part({ media: [video(at.bench)] }));
    expect(at.kept.media_0).toEqual(expect.any(String));
  });

  it("falls back to version 1 of the upload route", async () => {
    const at = await desk();
    at.bench.network.addInstance({ host: "old.example", onlyV1: true });
    const { access_token } = at.bench.network.addAccount({ username: "dan", instance: "old.example" });
    const connected = await at.bench.connect({ instance: "old.example", access_token });
    await publish({ ...at, connected }, { profile: connected.profile, part: part({ media: pictures(at.bench, 1) }) });
    expect(seen(at, ...uploads).map(({ operation }) => operation)).toEqual(uploads);
    expect(at.bench.network.posts()).toMatchObject([{ media: 1 }]);
  });

  it("fails if the server does not accept the file type", async () => {
    const at = await desk();
    at.bench.files.set("https://media.example/notes.png", new TextEncoder().encode("just text"));
    const each = part({ media: [fileOf("https://media.example/notes.png")] });
    await expect(stage(at, each)).rejects.toMatchObject({ refusal: { effect: "none", code: "media_error" } });
  });

  it("is not made for a quote that an older server would silently drop", async () => {
    const at = await desk();
    at.bench.network.addInstance({ host: "older.example", apiVersion: 6 });
    const { access_token } = at.bench.network.addAccount({ username: "dan", instance: "older.example" });
    const connected = await at.bench.connect({ instance: "older.example", access_token });
    const quoting = part({ options: { quoted_status_id: "1" } });
    await expect(stage({ ...at, connected }, quoting)).rejects.toMatchObject({ code: "unsupported" });
    await expect(stage(at, quoting)).resolves.toBeUndefined();
  });
});

describe("a look for a Mastodon post", () => {
  it.each([
    ["plain words", "Hello"],
    ["characters that HTML escapes", `a < b && "c" > 'd' &amp; &lt;p&gt; <b>no tag</b>`],
    ["paragraphs and lines", "one\n\ntwo\nthree\n\n\nfour"],
    ["repeated spaces, also at the ends", "  one   two\t three  "],
    ["a short link", "see https://example.com"],
    ["a link that the server displays shortened", `see https://www.example.com/${"path/".repeat(30)}?a=1&b=<2 now`],
    ["a mention that the server knows", "hi @bob and @carol@other.example!"],
    ["a mention of an unknown user", "hi @nobody@elsewhere.example and @nobody"],
    ["hashtags", "#One #zwei_3 #Übung #4"],
    ["emoji and combining marks", "👩‍👩‍👧 e\u0301 ﷽ 🇩🇪"],
    ["a URL with an @ in it", "https://other.example/@carol/1 mail@example.com"],
  ])("finds a text with %s", async (_, text) => {
    const at = await desk();
    at.bench.network.addInstance({ host: "other.example" });
    at.bench.network.addAccount({ username: "bob" });
    at.bench.network.addAccount({ username: "carol", instance: "other.example" });
    const wanted = { part: part({ text }) };
    await expect(look(at, wanted)).resolves.toMatchObject({ candidates: [], complete: true });
    const published = await publish(at, wanted);
    await expect(look(at, wanted)).resolves.toMatchObject({ candidates: [published], complete: true });
  });

  it("finds a quoting post, whose text the server lengthens", async () => {
    const at = await desk();
    const { id } = await publish(at, { part: part({ text: "quote me" }) });
    const wanted = { part: part({ text: "as I said", options: { quoted_status_id: id } }), key: "quoting" };
    const published = await publish(at, wanted);
    expect(await candidates(at, wanted)).toEqual([published.id]);
  });

  it("finds a post whose only text is its content warning", async () => {
    const at = await desk();
    const wanted = { part: part({ text: "", media: pictures(at.bench, 1), options: { spoiler_text: "careful" } }) };
    const published = await publish(at, wanted);
    expect(await candidates(at, wanted)).toEqual([published.id]);
  });

  it.each([
    ["another text", { part: part({ text: "Hello you" }) }],
    ["a reply", { previous: { id: "1", url: null, ref: null } }],
    ["files", { part: part({ media: [fileOf("https://media.example/0.png")] }) }],
  ])("does not mistake its post for one with %s", async (_, other) => {
    const at = await desk();
    await publish(at, {});
    expect(await candidates(at, other)).toEqual([]);
  });

  it("distinguishes parts of a thread with the same text by their parents", async () => {
    const at = await desk();
    const first = await publish(at, {});
    const second = await publish(at, { index: 1, first, previous: first });
    expect(await candidates(at, {})).toEqual([first.id]);
    expect(await candidates(at, { index: 1, first, previous: first })).toEqual([second.id]);
  });

  it("recognizes its own files among posts that look the same", async () => {
    const at = await desk();
    const each = part({ media: pictures(at.bench, 1) });
    await publish({ ...at, kept: {} }, { part: each, key: "elsewhere" });
    const published = await publish(at, { part: each });
    expect(await candidates(at, { part: each })).toEqual([published.id]);
  });

  it("returns every candidate if nothing distinguishes them", async () => {
    const at = await desk();
    const first = await publish(at, {});
    const second = await publish(at, { key: "another" });
    expect((await candidates(at, {})).sort()).toEqual([first.id, second.id].sort());
  });

  it("leaves out posts that are older than the intent", async () => {
    const at = await desk();
    await publish(at, {});
    await at.bench.clock.advance(121_000);
    await expect(look(at)).resolves.toMatchObject({ candidates: [], complete: true });
  });

  it("reads on until it has passed the intent's time", async () => {
    const at = await desk();
    const wanted = await publish(at, { part: part({ text: "the one" }) });
    for (let index = 0; index < 90; index++) {
      await publish(at, { part: part({ text: `number ${index}` }), key: `key-${index}` });
    }
    const found = await look(at, { part: part({ text: "the one" }) });
    expect(found).toMatchObject({ candidates: [wanted], complete: true });
    expect(seen(at, "GET /api/v1/accounts/:id/statuses")).toHaveLength(4);
  });

  it("is incomplete if it stops early", async () => {
    const at = await desk();
    for (let index = 0; index < 201; index++) {
      await publish(at, { part: part({ text: `number ${index}` }), key: `key-${index}` });
    }
    await expect(look(at)).resolves.toMatchObject({ candidates: [], complete: false });
  });

  it.each([
    ["sends something else", { error: "?" }],
    [
      "sends an unreadable time",
      [
        { ...status({ text: "other" }), created_at: "yesterday" },
        { ...status({ text: "older" }), id: "6", created_at: "2026-01-01T00:00:00.000Z" },
      ],
    ],
  ])("is not complete if the server %s", async (_, json) => {
    const at = await desk();
    const answer = { status: 200, json };
    at.bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/accounts/:id/statuses", answer, times: 9 });
    await expect(look(at)).resolves.toHaveProperty("pending");
  });

  it.each([
    ["the whole list if the page is not full", 3, true],
    ["an incomplete list if the page is full", 20, false],
  ])("treats a page that a server repeats as %s", async (_, length, complete) => {
    const at = await desk();
    const json = Array.from({ length }, (_, index) => ({ ...status({ text: `other ${index}` }), id: `${index}` }));
    const answer = { status: 200, json };
    at.bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/accounts/:id/statuses", answer, times: 9 });
    await expect(look(at)).resolves.toMatchObject({ candidates: [], complete });
  });

  it.each([
    ["the source as well", { text: "see https://example.com/a/long/path", content: "<b>markup</b>" }],
    ["shortened links", { content: 'see <a rel="x" href="https://example.com/a/long/path">example.com/a/…</a>' }],
    ["no paragraphs", { content: "see https://example.com/a/long/path" }],
    ["other paragraphs", { content: "<div>see<br/></div><p>https://example.com/a/long/path</p>" }],
  ])("finds a post of a small server that shows %s", async (_, shown) => {
    const at = await desk();
    const answer = { status: 200, json: [status(shown)] };
    at.bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/accounts/:id/statuses", answer });
    expect(await candidates(at, { part: part({ text: "see https://example.com/a/long/path" }) })).toEqual(["7f3a.png"]);
  });

  it("finds a post of a small server that shortens its links and mentions", async () => {
    const at = await desk();
    const link = '<a href="https://example.com/a/long/path">example.com/a/…</a>';
    const names = '<a href="https://else.example/@bob">@bob</a> <a href="https://small.example/tags/hi">#hi</a>';
    const answer = { status: 200, json: [status({ content: `<p>${names} ${link}</p>` })] };
    at.bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/accounts/:id/statuses", answer });
    const wanted = part({ text: "@bob@else.example #hi https://example.com/a/long/path" });
    expect(await candidates(at, { part: wanted })).toEqual(["7f3a.png"]);
  });

  it("skips boosts", async () => {
    const at = await desk();
    const answer = { status: 200, json: [{ ...status({ text: "Hello" }), reblog: { id: "1" } }] };
    at.bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/accounts/:id/statuses", answer });
    expect(await candidates(at, {})).toEqual([]);
  });
});

/** A status as small servers send it: an id that is not a number, no milliseconds, missing fields. */
function status(given: { text?: string; content?: string }): JsonObject {
  return { id: "7f3a.png", created_at: "2026-11-21T12:00:00.000Z", url: "https://small.example/7f3a", ...given };
}

describe("Mastodon's own rules", () => {
  function broken(each: Part<MastodonOptions>): string[] {
    const spec = limits;
    const plan = {
      text: each.text,
      title: null,
      link: null,
      thread: null,
      auto_thread: false,
      media: each.media,
      post_type: "post" as const,
      options: each.options,
    };
    return limits.rules.flatMap(
      (rule) => rule.check({ input: plan, parts: [each], spec, profile: somebody })?.field ?? [],
    );
  }

  it.each([
    ["a short warning", { spoiler_text: "w".repeat(10) }, 10],
    ["a warning with a link, which counts 23", { spoiler_text: "see https://example.com/a/long/path" }, 27],
    ["no warning", {}, 0],
  ])("count the content warning toward the text's limit: %s", (_, options, taken) => {
    expect(limits.takenFromText?.(part({ options }).options, limits.text)).toBe(taken);
  });

  it("reject an empty post", () => {
    expect(broken(part({ text: " " }))).toEqual(["text"]);
    expect(broken(part({ text: "", media: [fileOf("https://media.example/0.png")] }))).toEqual([]);
  });

  it("reject a poll beside files", () => {
    const options: JsonObject = { poll: { options: ["yes", "no"], expires_in: 600 } };
    expect(broken(part({ options }))).toEqual([]);
    expect(broken(part({ options, media: [fileOf("https://media.example/0.png")] }))).toEqual([
      "networks.mastodon.poll",
    ]);
  });
});

describe("the Idempotency-Key", () => {
  it("returns the first post again, but makes a second one on a server that ignores it", async () => {
    const at = await desk();
    const first = await publish(at, {});
    await expect(publish(at, {})).resolves.toEqual(first);
    at.bench.network.ignoreIdempotencyKeys();
    await expect(publish(at, {})).resolves.not.toEqual(first);
    expect(at.bench.network.posts()).toHaveLength(2);
  });
});
