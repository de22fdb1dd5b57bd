import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { InstanceWays } from "../../src/sandbox/mastodon/ways.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { png } from "../media/samples.ts";
import { type MastodonBench, mastodonBench } from "../networks/mastodon/bench.ts";
import { ask, checker, contract, findings, post, upload } from "./mastodon-wire.ts";

const verify = "/api/v1/accounts/verify_credentials";

function benchWith(ways: Partial<InstanceWays> = {}): MastodonBench & { externalId: string } {
  const bench = mastodonBench();
  bench.network.changeInstance(ways);
  const { access_token, external_id } = bench.network.addAccount({ username: "carol" });
  return { ...bench, token: access_token, externalId: external_id };
}

/** A listing's texts, in its order. */
async function textsOf(bench: MastodonBench, listing: "list" | "home", query = ""): Promise<string[]> {
  const { body: me } = await ask(bench, verify);
  const path = listing === "home" ? "/api/v1/timelines/home" : `/api/v1/accounts/${me.id}/statuses`;
  const { status, body } = await ask(bench, `${path}${query}`);
  expect(status).toBe(200);
  return (body as unknown as { content: string }[]).map(({ content }) => content.replace(/<[^>]*>/g, ""));
}

async function postAll(bench: MastodonBench, bodies: readonly JsonObject[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) {
    ids.push((await post(bench, body)).body.id);
    await bench.clock.advance(1_000);
  }
  return ids;
}

function binary(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function sha256(content: string): string {
  return createHash("sha256").update(content, "latin1").digest("hex");
}

describe("a Mastodon variant with other texts", () => {
  it.each([
    ["- one\n- two", "<ul><li>one</li><li>two</li></ul>"],
    ["* one", "<ul><li>one</li></ul>"],
    ["1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"],
    ["2026. What a year", "<ol><li>What a year</li></ol>"],
    ["so *bold* and **bolder**", "<p>so <em>bold</em> and <strong>bolder</strong></p>"],
    ["so _it_, not snake_case_name", "<p>so <em>it</em>, not snake_case_name</p>"],
    ["run `npm *test*`", "<p>run <code>npm *test*</code></p>"],
    ["so:\n```\na *b* <c>\n```\nthen", "<p>so:</p><pre><code>a *b* &lt;c&gt;</code></pre><p>then</p>"],
    ["> they said\n> so", "<blockquote><p>they said<br>so</p></blockquote>"],
    ["# News\nmore", "<h1>News</h1><p>more</p>"],
    ["#tag is none", undefined],
    ["[here](https://example.com/a)", '<p><a href="https://example.com/a">here</a></p>'],
    ["![a cat](https://example.com/cat.png)", '<p><img src="https://example.com/cat.png" alt="a cat"></p>'],
    ["one\n***\ntwo", "<p>one</p><hr><p>two</p>"],
    ["1 < 2\n\n3 * 4 * 5", "<p>1 &lt; 2</p><p>3 * 4 * 5</p>"],
    ["\\*not bold\\*", "<p>*not bold*</p>"],
  ])("renders Markdown: %j", async (status, content) => {
    const bench = benchWith({ rendersMarkdown: true });
    const { body } = await post(bench, { status });
    expect(body.content).toEqual(content ?? expect.stringMatching(/^<p><a .*>#<span>tag<\/span><\/a> is none<\/p>$/));
    expect(body).not.toHaveProperty("text");
    await expect(ask(bench, `/api/v1/statuses/${body.id}/source`)).resolves.toMatchObject({
      status: 200,
      body: { id: body.id, text: status, spoiler_text: "" },
    });
  });

  it("returns the source only to its author, or not at all", async () => {
    const bench = benchWith();
    const { body } = await post(bench, { status: "*Hello*", spoiler_text: "careful" });
    const path = `/api/v1/statuses/${body.id}/source`;
    await expect(ask(bench, path)).resolves.toMatchObject({ body: { text: "*Hello*", spoiler_text: "careful" } });
    const other = bench.network.addAccount({ username: "dave" });
    await expect(ask(bench, path, {}, other.access_token)).resolves.toMatchObject({ status: 404 });
    const writer = bench.network.addAccount({ username: "writer", scopes: ["write"] });
    await expect(ask(bench, path, {}, writer.access_token)).resolves.toMatchObject({ status: 403 });
    bench.network.changeInstance({ lacksSource: true });
    await expect(ask(bench, path)).resolves.toMatchObject({ status: 404, body: { error: "Record not found" } });
  });

  it("truncates a long text", async () => {
    const bench = benchWith({ maxCharactersShown: 5 });
    const { body } = await post(bench, { status: "Hello world" });
    expect(body).toMatchObject({ content: "<p>Hello…</p>" });
    expect(bench.network.posts()[0]?.text).toBe("Hello world");
  });

  it("returns the source as text", async () => {
    const { body } = await post(benchWith({ showsText: true, rendersMarkdown: true }), { status: "*Hello*" });
    expect(body).toMatchObject({ content: "<p><em>Hello</em></p>", text: "*Hello*" });
  });

  it.each([
    ["added", "look https://example.com/cat.png"],
    ["moved", "look"],
  ] as const)("turns an image's URL into an attachment: %s", async (imageAddresses, source) => {
    const bench = benchWith({ imageAddresses });
    const status = "look https://example.com/cat.png";
    const { body } = await post(bench, { status });
    expect(body.media_attachments).toMatchObject([{ type: "image", url: "https://example.com/cat.png" }]);
    expect(bench.network.posts()).toMatchObject([
      { text: status, source, media: 1, files: [{ sha256: null, address: "https://example.com/cat.png" }] },
    ]);
    const marked = await post(bench, { status: "so ![cat](https://example.com/cat) ends" });
    expect(marked.body.media_attachments).toMatchObject([{ url: "https://example.com/cat" }]);
  });
});

describe("a Mastodon variant with other lists", () => {
  const each = ["public", "unlisted", "private", "direct"].map((visibility) => ({ status: visibility, visibility }));
  const all = ["direct", "private", "unlisted", "public"];

  it("shows authors all their posts, in both lists", async () => {
    const bench = benchWith();
    await postAll(bench, each);
    await expect(textsOf(bench, "list")).resolves.toEqual(all);
    await expect(textsOf(bench, "home")).resolves.toEqual(all);
  });

  it("hides posts of some visibilities from either list", async () => {
    const bench = benchWith({ listHides: ["private", "direct"], homeHides: ["direct"] });
    await postAll(bench, each);
    await expect(textsOf(bench, "list")).resolves.toEqual(["unlisted", "public"]);
    await expect(textsOf(bench, "home")).resolves.toEqual(["private", "unlisted", "public"]);
  });

  it("may have no home timeline", async () => {
    const answer = await ask(benchWith({ lacksHome: true }), "/api/v1/timelines/home");
    expect(answer).toMatchObject({ status: 404, body: { error: "Record not found" } });
  });

  it("shows followed accounts' posts in the home timeline", async () => {
    const bench = benchWith();
    const friend = bench.network.addAccount({ username: "friend" });
    const stranger = bench.network.addAccount({ username: "stranger" });
    bench.network.follow(bench.externalId, friend.external_id);
    for (const visibility of ["public", "private", "direct"] as const)
      bench.network.postAs(friend.external_id, { text: `friend, ${visibility}`, visibility });
    bench.network.postAs(stranger.external_id, { text: "stranger" });
    await post(bench, { status: "mine" });
    await expect(textsOf(bench, "home")).resolves.toEqual(["mine", "friend, private", "friend, public"]);
    await expect(textsOf(bench, "list")).resolves.toEqual(["mine"]);
  });

  it.each(["list", "home"] as const)("pages by ids: %s", async (listing) => {
    const bench = benchWith();
    const ids = await postAll(
      bench,
      ["1", "2", "3", "4", "5"].map((status) => ({ status })),
    );
    await expect(textsOf(bench, listing, `?limit=2&max_id=${ids[3]}`)).resolves.toEqual(["3", "2"]);
    await expect(textsOf(bench, listing, `?limit=2&since_id=${ids[1]}`)).resolves.toEqual(["5", "4"]);
    await expect(textsOf(bench, listing, `?limit=2&min_id=${ids[1]}`)).resolves.toEqual(["4", "3"]);
    bench.network.changeInstance({ ignoresMaxId: true });
    await expect(textsOf(bench, listing, `?limit=2&max_id=${ids[3]}`)).resolves.toEqual(["5", "4"]);
  });

  it("returns fewer posts per page than requested", async () => {
    const bench = benchWith({ maxPerPage: 20 });
    await postAll(
      bench,
      Array.from({ length: 25 }, (_, index) => ({ status: `post ${index}` })),
    );
    await expect(textsOf(bench, "list", "?limit=40")).resolves.toHaveLength(20);
    bench.network.changeInstance({ maxPerPage: 40 });
    await expect(textsOf(bench, "list", "?limit=40")).resolves.toHaveLength(25);
  });

  it("leaves replies out, or sorts by conversation", async () => {
    const bench = benchWith();
    const [first = ""] = await postAll(bench, [{ status: "first" }, { status: "second" }]);
    await postAll(bench, [{ status: "reply", in_reply_to_id: first }, { status: "third" }]);
    await expect(textsOf(bench, "list")).resolves.toEqual(["third", "reply", "second", "first"]);
    await expect(textsOf(bench, "list", "?exclude_replies=true")).resolves.toEqual(["third", "second", "first"]);
    bench.network.changeInstance({ listOrder: "conversation" });
    await expect(textsOf(bench, "list")).resolves.toEqual(["third", "first", "reply", "second"]);
    bench.network.changeInstance({ listHidesReplies: true });
    await expect(textsOf(bench, "list")).resolves.toEqual(["third", "second", "first"]);
  });
});

describe("a Mastodon variant with other files and options", () => {
  it("derives a file's id from its name, so that older posts show newer files", async () => {
    const bench = benchWith({ mediaIdFromName: true });
    const { body: first } = await upload(bench, "\x89PNG 1", "file-0.png");
    await post(bench, { status: "one", media_ids: [first.id] });
    const { body: second } = await upload(bench, "\x89PNG 2", "file-0.png");
    await post(bench, { status: "two", media_ids: [second.id] });
    const { body: other } = await upload(bench, "\x89PNG 3", "other.png");
    await post(bench, { status: "three", media_ids: [other.id] });
    expect(first.id).toMatch(/^[0-9a-f]{32}\.png$/);
    expect(second.id).toBe(first.id);
    expect(bench.network.posts().map(({ files }) => files)).toEqual([
      [{ id: first.id, sha256: sha256("\x89PNG 2"), is_original: false, address: null, coverSha256: null }],
      [{ id: first.id, sha256: sha256("\x89PNG 2"), is_original: true, address: null, coverSha256: null }],
      [{ id: other.id, sha256: sha256("\x89PNG 3"), is_original: true, address: null, coverSha256: null }],
    ]);
  });

  it("otherwise stores each file under a separate id", async () => {
    const bench = benchWith();
    const ids = [await upload(bench, "\x89PNG 1", "a.png"), await upload(bench, "\x89PNG 2", "a.png")];
    for (const { body } of ids) await post(bench, { media_ids: [body.id] });
    const files = bench.network.posts().flatMap((each) => each.files);
    expect(files.map(({ sha256: shown }) => shown)).toEqual([sha256("\x89PNG 1"), sha256("\x89PNG 2")]);
    expect(files.every((file) => file.is_original)).toBe(true);
  });

  it("responds to a broken image with 500, with or without a message", async () => {
    const bench = benchWith();
    const cut = binary(png(8, 8)).slice(0, -12);
    await expect(upload(bench, binary(png(8, 8)))).resolves.toMatchObject({ status: 200 });
    await expect(upload(bench, cut)).resolves.toMatchObject({
      status: 500,
      body: { error: "Error processing thumbnail for uploaded media" },
    });
    bench.network.changeInstance({ failsOnBrokenFiles: true });
    for (const content of [cut, cut, "just text"])
      await expect(upload(bench, content)).resolves.toMatchObject({ status: 500, text: "" });
  });

  const asked = {
    status: "Hello",
    poll: { options: ["yes", "no"], expires_in: 600 },
    language: "de",
    sensitive: true,
    spoiler_text: "careful",
    visibility: "direct",
  };
  const poll = { ...asked.poll, multiple: false, hide_totals: false };

  it("returns the requested options", async () => {
    const bench = benchWith();
    await post(bench, asked);
    const { status, ...options } = asked;
    expect(bench.network.posts()).toMatchObject([{ ...options, text: status, source: status, poll, quoted: null }]);
  });

  it("silently ignores options", async () => {
    const bench = benchWith({ drops: ["poll", "language", "sensitive", "spoiler_text", "quoted_status_id"] });
    const { body: quoted } = await post(bench, { status: "first" });
    const { body, status } = await post(bench, { ...asked, quoted_status_id: quoted.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ poll: null, language: null, sensitive: false, spoiler_text: "", quote: null });
    expect(bench.network.posts()[1]).toMatchObject({
      poll: null,
      spoiler_text: "",
      quoted: null,
      visibility: "direct",
    });
  });

  it("changes some visibilities", async () => {
    const bench = benchWith({ visibilityBecomes: { unlisted: "public", direct: "private" } });
    for (const visibility of ["public", "unlisted", "private", "direct"])
      await post(bench, { status: "a", visibility });
    const shown = bench.network.posts().map(({ visibility }) => visibility);
    expect(shown).toEqual(["public", "public", "private", "private"]);
  });
});

describe("a Mastodon variant with other keys, tokens and refusals", () => {
  it.each([
    ["respected", 200, 1],
    ["ignored", 200, 2],
    ["fails", 500, 1],
  ] as const)("handles a repeated key by the setting %s", async (keys, status, posts) => {
    const bench = benchWith({ keys });
    await post(bench, { status: "Hello" }, bench.token, "key");
    await expect(post(bench, { status: "Hello" }, bench.token, "key")).resolves.toMatchObject({ status });
    expect(bench.network.posts()).toHaveLength(posts);
  });

  it("recognizes a key only after a delay, so that two concurrent requests both succeed", async () => {
    const bench = benchWith({ keys: "late" });
    await post(bench, { status: "Hello" }, bench.token, "key");
    await post(bench, { status: "Hello" }, bench.token, "key");
    await bench.clock.advance(1_000);
    await post(bench, { status: "Hello" }, bench.token, "key");
    expect(bench.network.posts()).toHaveLength(2);
  });

  it.each([
    ["words", 401, 401, true],
    ["empty_401", 401, 401, false],
    ["empty_422", 422, 401, false],
  ] as const)("rejects a wrong token with %s", async (wrongToken, verified, posted, hasWords) => {
    const bench = benchWith({ wrongToken });
    const answers = [await ask(bench, verify, {}, "wrong"), await post(bench, { status: "Hello" }, "wrong")];
    expect(answers.map(({ status }) => status)).toEqual([verified, posted]);
    expect(answers.map(({ text }) => text !== "")).toEqual([hasWords, hasWords]);
  });

  it.each([
    ["mastodon", "This action is outside the authorized scopes"],
    ["insufficient_scope", "insufficient_scope"],
    ["forbidden", "Forbidden: token has insufficient scope permission"],
  ] as const)("rejects a token without the scope in the style of %s", async (missingScope, error) => {
    const bench = benchWith({ missingScope });
    const { access_token } = bench.network.addAccount({ username: "reader", scopes: ["read"] });
    await expect(post(bench, { status: "Hello" }, access_token)).resolves.toMatchObject({
      status: 403,
      body: { error },
    });
  });

  it("returns an HTML page for a missing object", async () => {
    const bench = benchWith({ htmlNotFound: true });
    const { status, headers, text } = await ask(bench, "/api/v1/statuses/1");
    expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(text).toMatch(/^<!doctype html>/);
  });

  it("revokes a token and restores it", async () => {
    const bench = benchWith();
    bench.network.revoke(bench.token);
    await expect(ask(bench, verify)).resolves.toMatchObject({ status: 401 });
    bench.network.restore(bench.token);
    await expect(ask(bench, verify)).resolves.toMatchObject({ status: 200 });
  });

  it("names its software", async () => {
    const bench = benchWith();
    const own = await ask(bench, "/api/v2/instance");
    expect(own.body).toMatchObject({ version: "4.6.0", source_url: "https://github.com/mastodon/mastodon" });
    bench.network.changeInstance({ software: "look_alike" });
    for (const version of ["v1", "v2"]) {
      const { body } = await ask(bench, `/api/${version}/instance`);
      expect(body).toMatchObject({ version: "4.6.0 (compatible; Lookalike 1.0)" });
    }
  });

  it("does not affect other instances, and may exist from the start", async () => {
    const bench = benchWith({ showsText: true });
    bench.network.addInstance({ host: "other.example", listHides: ["private"] });
    bench.network.changeInstance({ keys: "ignored" }, "other.example");
    await expect(post(bench, { status: "Hello" })).resolves.toMatchObject({ body: { text: "Hello" } });
    expect(() => bench.network.changeInstance({}, "nowhere.example")).toThrow("no instance nowhere.example");
  });
});

describe("the owner of a simulated account", () => {
  it("posts manually", async () => {
    const bench = benchWith();
    const { body } = await post(bench, { status: "by a program" });
    const id = bench.network.postAs(bench.externalId, {
      text: "by hand",
      visibility: "private",
      reply_to: body.id,
      media: [{ name: "cat.png", bytes: png(8, 8), alt: "A cat." }],
    });
    expect(bench.network.posts()[1]).toMatchObject({
      id,
      account: bench.externalId,
      text: "by hand",
      visibility: "private",
      reply_to: body.id,
      media: 1,
      alt: ["A cat."],
      files: [{ sha256: sha256(binary(png(8, 8))), is_original: true }],
    });
    await expect(textsOf(bench, "list")).resolves.toEqual(["by hand", "by a program"]);
  });
});

describe.skipIf("skip" in contract)("a Mastodon variant", () => {
  it("conforms to the contract in its posts and lists", async () => {
    const bench = benchWith({ rendersMarkdown: true, showsText: true, imageAddresses: "moved", mediaIdFromName: true });
    const { body: file } = await upload(bench, "\x89PNG 1", "file-0.png");
    const status = "- *one* https://example.com/cat.png";
    const { body } = await post(bench, { status, media_ids: [file.id], visibility: "private" });
    await ask(bench, `/api/v1/statuses/${body.id}/source`);
    await textsOf(bench, "list");
    await textsOf(bench, "home");
    await ask(bench, "/api/v1/statuses/1/source");
    expect(bench.seen.map(({ operation }) => operation)).toContain("GET /api/v1/statuses/:id/source");
    expect(findings(bench, checker())).toEqual([]);
  });
});
