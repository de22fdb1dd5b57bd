import { schemas } from "@atproto/api";
import { jsonToLex, type LexiconDoc, Lexicons } from "@atproto/lexicon";
import { describe, expect, it } from "vitest";
import { chatPublisher } from "../../src/networks/bluesky/chat-reply.ts";
import { inbox } from "../../src/networks/bluesky/inbox.ts";
import { publisher } from "../../src/networks/bluesky/publish.ts";
import type { BlueskySandbox } from "../../src/sandbox/bluesky/network.ts";
import { jsonBody } from "../../src/sandbox/exchange.ts";
import type { ConnectedProfile, NetworkBench, SeenRequest } from "../../src/testing/network-bench.ts";
import type { Json, JsonObject } from "../../src/wire/json.ts";
import { samples } from "../media/samples.ts";
import { alice, blueskyBench, connectedBench, part, pictures, video } from "../networks/bluesky/bench.ts";

const lexicons = new Lexicons(withGallery(structuredClone(schemas) as LexiconDoc[]));
/** The live service's answer is flat where the lexicon wraps it. https://github.com/bluesky-social/atproto/issues/3097 (2026-08) */
const knownToDiffer = ["app.bsky.video.uploadVideo"];

/**
 * The newest lexicons that run on Node 20 are older than the gallery, so this is
 * our own version of its definition.
 * https://github.com/bluesky-social/atproto/pull/4827 (2026-06)
 */
function withGallery(documents: LexiconDoc[]): LexiconDoc[] {
  if (documents.some(({ id }) => id === "app.bsky.embed.gallery")) return documents;
  const post = documents.find(({ id }) => id === "app.bsky.feed.post") as unknown as {
    defs: { main: { record: { properties: { embed: { refs: string[] } } } } };
  };
  post.defs.main.record.properties.embed.refs.push("lex:app.bsky.embed.gallery");
  const gallery = {
    lexicon: 1,
    id: "app.bsky.embed.gallery",
    defs: {
      main: {
        type: "object",
        required: ["items"],
        properties: { items: { type: "array", maxLength: 20, items: { type: "union", refs: ["#image"] } } },
      },
      image: {
        type: "object",
        required: ["image", "alt", "aspectRatio"],
        properties: {
          image: { type: "blob", accept: ["image/*"], maxSize: 2_000_000 },
          alt: { type: "string" },
          aspectRatio: { type: "ref", ref: "app.bsky.embed.defs#aspectRatio" },
        },
      },
    },
  };
  return [...documents, gallery as unknown as LexiconDoc];
}

/** The violations of the network's own contract in a request and its response. */
function findings({ url, method, headers, bytes, answer }: SeenRequest): string[] {
  if (!url.pathname.startsWith("/xrpc/")) return [];
  const nsid = url.pathname.slice("/xrpc/".length);
  const definition = lexicons.getDefOrThrow(nsid);
  const checks: (() => unknown)[] = [];
  expect(method).toBe(definition.type === "query" ? "GET" : "POST");
  checks.push(() => lexicons.assertValidXrpcParams(nsid, parameters(nsid, url)));
  if (headers.get("content-type") === "application/json") {
    const body = jsonBody({ url, method, headers, bytes }) as JsonObject;
    checks.push(() => lexicons.assertValidXrpcInput(nsid, jsonToLex(body)));
    if (body.record !== undefined)
      checks.push(() => lexicons.assertValidRecord(String(body.collection), asLex(body.record)));
    for (const { collection, value } of (body.writes ?? []) as JsonObject[])
      checks.push(() => lexicons.assertValidRecord(String(collection), asLex(value)));
  }
  if (answer?.status === 200 && answer.json !== undefined && !knownToDiffer.includes(nsid))
    checks.push(() => lexicons.assertValidXrpcOutput(nsid, jsonToLex(structuredClone(answer.json) as JsonObject)));
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      return [`${nsid}: ${String(error)}`];
    }
  });
}

/** The URIs of the records that a request has written. */
function writtenBy({ operation, answer }: SeenRequest): string[] {
  if (operation !== "applyWrites") return [];
  const { results } = (answer?.json ?? { results: [] }) as { results: { uri: string }[] };
  return results.map(({ uri }) => uri);
}

function asLex(record: Json | undefined): Record<string, unknown> {
  return jsonToLex(structuredClone(record) as JsonObject) as Record<string, unknown>;
}

function parameters(nsid: string, url: URL): Record<string, unknown> {
  const definition = lexicons.getDefOrThrow(nsid) as { parameters?: { properties: Record<string, { type: string }> } };
  const known = definition.parameters?.properties ?? {};
  return Object.fromEntries(
    [...new Set(url.searchParams.keys())].map((name) => {
      const values = url.searchParams.getAll(name);
      if (known[name]?.type === "array") return [name, values];
      return [name, known[name]?.type === "integer" ? Number(values[0]) : values[0]];
    }),
  );
}

interface Desk {
  bench: NetworkBench<BlueskySandbox>;
  connected: ConnectedProfile;
}

const server = "https://pds.sandbox.example/xrpc/";

/** A raw request with Alice's session. */
async function call(
  { bench, connected }: Desk,
  method: string,
  nsid: string,
  given: { json?: Json; query?: string; headers?: Record<string, string>; body?: Uint8Array<ArrayBuffer> } = {},
): Promise<{ status: number; json: JsonObject; headers: Record<string, string> }> {
  const body = given.json === undefined ? given.body : JSON.stringify(given.json);
  const bytes = new Uint8Array(await new Response(body ?? null).arrayBuffer());
  const headers = new Headers({ authorization: `Bearer ${connected.secret().access}` });
  if (given.json !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(given.headers ?? {})) headers.set(name, value);
  const url = new URL(`${server}${nsid}?${given.query ?? ""}`);
  const answer = await bench.network.answer({ method, url, headers, bytes });
  return { status: answer.status, json: (answer.json ?? {}) as JsonObject, headers: answer.headers ?? {} };
}

function create(at: Desk, record: JsonObject, given: JsonObject = {}): ReturnType<typeof call> {
  const json = {
    repo: at.connected.profile.external_id,
    collection: "app.bsky.feed.post",
    rkey: "3jzfcijpj2z2a",
    record: { $type: "app.bsky.feed.post", text: "Hello", createdAt: "2026-11-21T12:00:00Z", ...record },
    ...given,
  };
  return call(at, "POST", "com.atproto.repo.createRecord", { json });
}

async function uploadPicture(at: Desk): Promise<JsonObject> {
  const body = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1);
  const headers = { "content-type": "image/png" };
  const { json } = await call(at, "POST", "com.atproto.repo.uploadBlob", { body, headers });
  return json.blob as JsonObject;
}

describe("traffic between the adapter and the simulated Bluesky", () => {
  it("conforms to the network's own lexicons", async () => {
    const at = await connectedBench();
    const { bench, connected } = at;
    bench.network.addAccount({ handle: "bob.example.com" });
    const link = {
      url: "https://example.com/",
      title: "T",
      description: "D",
      image_url: "https://media.example/0.png",
    };
    const quote = `https://bsky.app/profile/${alice.handle}/post/3jzfcijpj2z2a`;
    const replies = ["mentioned", "followers", "following", "at://did:plc:abc/app.bsky.graph.list/1"];
    const posts = [
      part({
        text: "👋 @bob.example.com https://example.com/a #now",
        options: { langs: ["en"], labels: ["porn"], tags: ["x"] },
      }),
      part({ media: pictures(bench, 4) }),
      part({ media: pictures(bench, 10), options: { replies, disable_quotes: true } }),
      part({ media: [video(bench)], options: { presentation: "gif" } }),
      part({ link, options: { quote } }),
      part({ text: "An answer", options: { reply_to: quote } }),
      part({ text: "", options: { quote: `at://${connected.profile.external_id}/app.bsky.graph.list/friends` } }),
      part({ media: pictures(bench, 1), options: { quote, disable_quotes: true } }),
    ];
    await call(at, "POST", "com.atproto.repo.createRecord", {
      json: {
        repo: connected.profile.external_id,
        collection: "app.bsky.graph.list",
        rkey: "friends",
        record: { purpose: "app.bsky.graph.defs#curatelist", name: "Friends", createdAt: "2026-11-21T12:00:00Z" },
      },
    });
    for (const [index, each] of posts.entries()) {
      const kept: Record<string, Json> = {};
      await bench.run(async () => publisher.stage?.(connected.stage(kept), each));
      const { profile } = connected;
      const key = `3jzfcijpj2z2${"abcdefgh".charAt(index)}`;
      const input = { profile, secret: {}, part: each, index: 0, staged: kept, first: null, previous: null, key };
      const whole = { ...input, created_at: "2026-11-21T12:00:00.000Z" };
      await bench.run(() => connected.send(publisher.commit(whole)));
      await bench.run(() => publisher.lookFor(connected.context, { ...whole, since: 0 }));
    }
    bench.network.expireTokens();
    await bench.run(() => bench.adapter.connect.inspect(connected.context));
    await bench.run(async () => bench.adapter.connect.revoke?.(connected.context));
    expect(bench.network.posts()).toHaveLength(posts.length);
    expect(bench.network.posts().map(({ media }) => media)).toEqual([0, 4, 10, 1, 0, 0, 0, 1]);
    expect(bench.seen.flatMap(findings)).toEqual([]);
    const records = bench.seen.flatMap(writtenBy).map((uri) => bench.network.record(uri) ?? {});
    expect(records).toHaveLength(posts.length + 3);
    for (const record of records) lexicons.assertValidRecord(String(record.$type), asLex(record));
    expect(new Set(bench.seen.map(({ operation }) => operation)).size).toBeGreaterThan(14);
  });

  it("conforms to the lexicons in an inbox", async () => {
    const bench = blueskyBench();
    const { did: ann } = bench.network.addAccount({ handle: "ann.example.com" });
    const { did, handle, password } = bench.network.addAccount({
      handle: "fox.example.com",
      scope: "com.atproto.appPassPrivileged",
    });
    const { chat } = bench.network;
    chat.write(ann, [did], { text: "Hello?" });
    const connected = await bench.connect({ identifier: handle, app_password: password });
    const context = {
      ...connected.context,
      known: async () => new Map(),
      knownThreads: async () => new Set<string>(),
      connectedAt: 0,
    };
    const cursors = new Map<string, Json>();
    const read = async (): Promise<void> => {
      for (const { name, poll } of inbox.sources)
        for (let isMore = true; isMore; ) {
          const { cursor, more } = await bench.run(() => poll(context, cursors.get(name) ?? null, 0));
          cursors.set(name, cursor);
          isMore = more;
        }
    };
    await read();
    const id = chat.write(ann, [did], { text: "Do you ship?" });
    chat.react(ann, id, { value: "🦊" });
    chat.react(ann, id, { value: "🦊", gone: true });
    chat.write(ann, [did], { text: "Welcome", group: "Friends" });
    const post = bench.network.postAs(ann, { text: "@fox.example.com hello" });
    bench.network.postAs(ann, { text: "@fox.example.com look", quotes: post });
    bench.network.postAs(ann, { text: "@fox.example.com look", quotes: post, picture: "a fox" });
    chat.remove(did, id);
    await read();
    await bench.run(async () =>
      inbox.reread?.read(context, [{ key: `post:${post}`, external_id: post, author_id: ann }]),
    );
    const convo = chat.messages()[0]?.convo ?? "";
    const to = { external_id: id, author: { id: ann, name: null }, sent_at: 0, ref: { convo } };
    const asked = {
      text: "We do: https://example.com @ann.example.com",
      kind: "dm" as const,
      to,
      by: "automation" as const,
      isOpen: true,
    };
    const answer = inbox.reply?.asPost(asked, connected.profile);
    if (answer === undefined) throw new Error("Bluesky has no answers");
    const kept: Record<string, Json> = {};
    await bench.run(async () => chatPublisher.stage?.(connected.stage(kept), answer.part));
    const { profile } = connected;
    const nobody = { first: null, previous: null };
    const input = { profile, secret: {}, part: answer.part, index: 0, staged: kept, ...nobody, key: "" };
    const whole = { ...input, created_at: "2026-11-21T12:00:00.000Z" };
    await bench.run(() => connected.send(chatPublisher.commit(whole)));
    const found = await bench.run(() => chatPublisher.lookFor(connected.context, { ...whole, since: 0 }));
    expect(found).toMatchObject({ lists: [{ posts: [{ texts: [asked.text] }] }] });
    expect(bench.seen.flatMap(findings)).toEqual([]);
    const asks = new Set(bench.seen.map(({ operation }) => operation));
    for (const each of ["getLog", "listConvos", "listConvoRequests", "getConvo", "getMessages", "acceptConvo"])
      expect(asks).toContain(each);
  });

  it("is checked with lexicons that know the gallery and detect a wrong record", () => {
    const record = { $type: "app.bsky.feed.post", text: "x", createdAt: "2026-11-21T12:00:00Z" };
    const items = [{ $type: "app.bsky.embed.gallery#image", alt: "no blob" }];
    const embed = { $type: "app.bsky.embed.gallery", items };
    expect(() => lexicons.assertValidRecord("app.bsky.feed.post", record)).not.toThrow();
    expect(() => lexicons.assertValidRecord("app.bsky.feed.post", { ...record, embed })).toThrow();
  });
});

describe("the simulated Bluesky's record checks", () => {
  const long = "a".repeat(301);

  it.each([
    ["a text of 301 characters", { text: long }],
    ["no text", { text: 7 }],
    ["a time without zone", { createdAt: "2026-11-21T12:00:00" }],
    ["another $type", { $type: "app.bsky.feed.like" }],
    ["four languages", { langs: ["en", "de", "fr", "it"] }],
    ["nine tags", { tags: Array(9).fill("x") }],
    ["a link without scheme", facet({ $type: "app.bsky.richtext.facet#link", uri: "example.com" })],
    ["a mention by handle", facet({ $type: "app.bsky.richtext.facet#mention", did: "bob.example.com" })],
    ["a tag of 65 characters", facet({ $type: "app.bsky.richtext.facet#tag", tag: "x".repeat(65) })],
    ["an image without alt", { embed: { $type: "app.bsky.embed.images", images: [{}] } }],
    ["a card without title", { embed: { $type: "app.bsky.embed.external", external: { uri: "https://example.com" } } }],
    ["a reply without cid", { reply: { root: { uri: "at://a.b/c.d.e/f" }, parent: { uri: "at://a.b/c.d.e/f" } } }],
  ])("reject %s", async (_, record) => {
    const at = await connectedBench();
    expect(await create(at, record as JsonObject)).toMatchObject({ status: 400, json: { error: "InvalidRequest" } });
    expect(at.bench.network.posts()).toEqual([]);
  });

  it.each([
    ["150 family emoji", { text: "👨‍👩‍👧".repeat(150) }],
    ["an empty string", { text: "" }],
    ["an unknown field", { mood: "good" }],
    ["an unknown embed", { embed: { $type: "com.example.poll" } }],
    ["no images", { embed: { $type: "app.bsky.embed.images", images: [] } }],
    ["a facet beyond the text", facet({ $type: "app.bsky.richtext.facet#tag", tag: "x" })],
    ["a quoted post that does not exist", { embed: { $type: "app.bsky.embed.record", record: strongRef() } }],
    [
      "a label outside the list",
      { labels: { $type: "com.atproto.label.defs#selfLabels", values: [{ val: "spicy" }] } },
    ],
  ])("accept %s", async (_, record) => {
    expect((await create(await connectedBench(), record as JsonObject)).status).toBe(200);
  });

  it("reject a record key that is not a TID, and another account's repository", async () => {
    const at = await connectedBench();
    const { did } = at.bench.network.addAccount({ handle: "bob.example.com" });
    expect((await create(at, {}, { rkey: "my-post" })).status).toBe(400);
    expect(await create(at, {}, { repo: did })).toMatchObject({
      status: 401,
      json: { error: "AuthenticationRequired" },
    });
  });

  it("reject a second record under the same key without a reason", async () => {
    const at = await connectedBench();
    await create(at, {});
    const again = await create(at, {});
    expect(again).toMatchObject({
      status: 500,
      json: { error: "InternalServerError", message: "Internal Server Error" },
    });
  });

  it.each<{ change: JsonObject; error: string }>([
    { change: { mimeType: "image/jpeg" }, error: "InvalidMimeType" },
    { change: { size: 6 }, error: "InvalidSize" },
    { change: { size: 2_000_001 }, error: "InvalidRequest" },
    { change: { ref: { $link: `b${"a".repeat(58)}` } }, error: "BlobNotFound" },
  ])("reject a blob that differs from its upload: $error", async ({ change, error }) => {
    const at = await connectedBench();
    const image = { ...(await uploadPicture(at)), ...change };
    const embed = { $type: "app.bsky.embed.images", images: [{ image, alt: "" }] };
    expect(await create(at, { embed })).toMatchObject({ status: 400, json: { error } });
  });

  it("reject an image of more than a megabyte on an old server", async () => {
    const at = await connectedBench();
    at.bench.network.limitBlobs(null);
    const image = { ...(await uploadPicture(at)), size: 1_000_001 };
    const answer = await create(at, { embed: { $type: "app.bsky.embed.images", images: [{ image, alt: "" }] } });
    expect(answer.json.message).toBe("blob too big (maximum 1000000, got 1000001)");
  });
});

describe("the simulated Bluesky's commit of several records", () => {
  const createdAt = "2026-11-21T12:00:00Z";
  const key = "3jzfcijpj2z2a";

  function write(record: JsonObject, given: JsonObject = {}): JsonObject {
    const collection = "app.bsky.feed.post";
    const value = { $type: collection, text: "Hello", createdAt, ...record };
    return { $type: "com.atproto.repo.applyWrites#create", collection, rkey: key, value, ...given };
  }

  function gate(at: Desk, given: JsonObject = {}): JsonObject {
    const collection = "app.bsky.feed.threadgate";
    const post = `at://${at.connected.profile.external_id}/app.bsky.feed.post/${key}`;
    return write({}, { collection, value: { $type: collection, post, createdAt, allow: [], ...given } });
  }

  function apply(at: Desk, writes: JsonObject[], given: JsonObject = {}): ReturnType<typeof call> {
    const json = { repo: at.connected.profile.external_id, writes, ...given };
    return call(at, "POST", "com.atproto.repo.applyWrites", { json });
  }

  it("writes all of them and names each, in order", async () => {
    const at = await connectedBench();
    const { status, json } = await apply(at, [write({}), gate(at)]);
    expect(status).toBe(200);
    const uris = (json.results as JsonObject[]).map(({ uri }) => String(uri));
    const repo = `at://${at.connected.profile.external_id}`;
    expect(uris).toEqual([`${repo}/app.bsky.feed.post/${key}`, `${repo}/app.bsky.feed.threadgate/${key}`]);
    expect(uris.map((uri) => at.bench.network.record(uri)?.$type)).toEqual([
      "app.bsky.feed.post",
      "app.bsky.feed.threadgate",
    ]);
  });

  it.each([
    ["a rule is wrong", (at: Desk) => [write({}), gate(at, { post: "no address" })], 400],
    ["a post is too long", (at: Desk) => [gate(at), write({ text: "a".repeat(301) })], 400],
    ["two have the same key", () => [write({}), write({ text: "Again" })], 500],
    ["a key is not a TID", () => [write({}), write({}, { rkey: "my-post" })], 400],
    ["an action is unknown", () => [write({}), write({}, { $type: "com.atproto.repo.applyWrites#move" })], 400],
    [
      "there are 201",
      () =>
        Array.from({ length: 201 }, (_, index) =>
          write(
            {},
            {
              rkey: `3jzfcijpj2${(1024 + index).toString(32).replace(/[0189]/g, (digit) => "wxyz".charAt("0189".indexOf(digit)))}`,
            },
          ),
        ),
      400,
    ],
  ])("writes none if %s", async (_, writes, status) => {
    const at = await connectedBench();
    expect((await apply(at, writes(at))).status).toBe(status);
    expect(at.bench.network.posts()).toEqual([]);
  });

  it("is rejected as a whole if it is repeated, and if one of its records already exists", async () => {
    const at = await connectedBench();
    await apply(at, [gate(at)]);
    const refused = { status: 500, json: { error: "InternalServerError", message: "Internal Server Error" } };
    expect(await apply(at, [write({}), gate(at)])).toMatchObject(refused);
    expect(at.bench.network.posts()).toEqual([]);
    await apply(at, [write({})]);
    expect(await apply(at, [write({})])).toMatchObject(refused);
    expect(at.bench.network.posts()).toHaveLength(1);
  });

  it("is rejected in another account's repository", async () => {
    const at = await connectedBench();
    const { did } = at.bench.network.addAccount({ handle: "bob.example.com" });
    expect(await apply(at, [write({})], { repo: did })).toMatchObject({ status: 401 });
  });
});

describe("the simulated Bluesky's sessions", () => {
  it.each([
    { headers: { authorization: "Bearer nonsense" }, status: 400, error: "InvalidToken" },
    { headers: { authorization: "Basic abc" }, status: 400, error: "InvalidToken" },
  ])("reject $headers", async ({ headers, status, error }) => {
    const at = await connectedBench();
    expect(await call(at, "GET", "com.atproto.server.getSession", { headers })).toMatchObject({
      status,
      json: { error },
    });
  });

  it("expire by the clock with status 400", async () => {
    const at = await connectedBench();
    await at.bench.clock.advance(7_201_000);
    const answer = await call(at, "GET", "com.atproto.server.getSession");
    expect(answer).toMatchObject({ status: 400, json: { error: "ExpiredToken" } });
  });

  it("return the same successor for two hours after a refresh, and none afterwards", async () => {
    const at = await connectedBench();
    const headers = { authorization: `Bearer ${at.connected.secret().refresh}` };
    const refresh = (): ReturnType<typeof call> => call(at, "POST", "com.atproto.server.refreshSession", { headers });
    const first = await refresh();
    expect((await refresh()).json.refreshJwt).toBe(first.json.refreshJwt);
    await at.bench.clock.advance(7_200_000);
    expect(await refresh()).toMatchObject({ status: 400, json: { error: "ExpiredToken" } });
  });

  it.each(["refreshSession", "deleteSession"])("reject a body for %s", async (method) => {
    const at = await connectedBench();
    const headers = { authorization: `Bearer ${at.connected.secret().refresh}` };
    const answer = await call(at, "POST", `com.atproto.server.${method}`, { headers, json: {} });
    expect(answer.json).toEqual({
      error: "InvalidRequest",
      message: "A request body was provided when none was expected",
    });
  });

  it("keep the access token when the app password is revoked, but issue no new one", async () => {
    const at = await connectedBench();
    at.bench.network.revoke(alice.handle);
    expect((await create(at, {})).status).toBe(200);
    const headers = { authorization: `Bearer ${at.connected.secret().refresh}` };
    const refreshed = await call(at, "POST", "com.atproto.server.refreshSession", { headers });
    expect(refreshed.json).toEqual({ error: "ExpiredToken", message: "Token has been revoked" });
  });

  it.each([
    { query: "aud=did:web:video.bsky.app", status: 200 },
    { query: "aud=did:web:x.example&lxm=a.b.c&exp=NOW+1800", status: 200 },
    { query: "aud=did:web:x.example&exp=NOW+1800", status: 400 },
    { query: "aud=did:web:x.example&lxm=a.b.c&exp=NOW+3601", status: 400 },
  ])("respond with $status to a service token for $query", async ({ query, status }) => {
    const at = await connectedBench();
    const now = Math.floor(at.bench.clock.now() / 1000);
    const whole = query.replace(/NOW\+(\d+)/, (_, seconds: string) => String(now + Number(seconds)));
    expect((await call(at, "GET", "com.atproto.server.getServiceAuth", { query: whole })).status).toBe(status);
  });
});

describe("the simulated Bluesky's other responses", () => {
  it("are 400 (or 404, as configured) for a missing record and 502 for an account of another server", async () => {
    const at = await connectedBench();
    const { external_id } = at.connected.profile;
    const query = `repo=${external_id}&collection=app.bsky.feed.post&rkey=3jzfcijpj2z2a`;
    const missing = await call(at, "GET", "com.atproto.repo.getRecord", { query });
    expect(missing).toMatchObject({ status: 400, json: { error: "RecordNotFound" } });
    at.bench.network.sayMissingWith(404);
    const elsewhere = await call(at, "GET", "com.atproto.repo.getRecord", { query });
    expect(elsewhere).toMatchObject({ status: 404, json: { error: "RecordNotFound" } });
    at.bench.network.takeDown(alice.handle);
    const closed = await call(at, "GET", "com.atproto.repo.getRecord", { query });
    expect(closed).toMatchObject({ status: 502, json: { error: "UpstreamFailure" } });
  });

  it("limit writes with the reset time and without Retry-After", async () => {
    const at = await connectedBench();
    at.bench.network.rateLimit(60);
    const answer = await create(at, {});
    expect(answer).toMatchObject({ status: 429, json: { error: "RateLimitExceeded" } });
    expect(answer.headers["ratelimit-reset"]).toBe(String((at.bench.clock.now() + 60_000) / 1000));
    expect(answer.headers["retry-after"]).toBeUndefined();
    await at.bench.clock.advance(60_000);
    expect((await create(at, {})).status).toBe(200);
  });

  it.each(samples)("identify a file by its bytes: %s", async (_, body, mime) => {
    const at = await connectedBench();
    const headers = { "content-type": "application/octet-stream" };
    const { json } = await call(at, "POST", "com.atproto.repo.uploadBlob", { body: new Uint8Array(body), headers });
    expect(json.blob).toMatchObject({ mimeType: mime, size: body.length });
  });

  it("reject a file without a type and a file beyond the server's limit", async () => {
    const at = await connectedBench();
    const body = new Uint8Array(11);
    const untyped = await call(at, "POST", "com.atproto.repo.uploadBlob", { body });
    expect(untyped).toMatchObject({ status: 400, json: { error: "InvalidRequest" } });
    at.bench.network.limitBlobs(10);
    const headers = { "content-type": "image/png" };
    const large = await call(at, "POST", "com.atproto.repo.uploadBlob", { body, headers });
    expect(large).toMatchObject({ status: 413, json: { error: "PayloadTooLarge" } });
  });

  it("have a new post in the view service only after its lag, but on its own server immediately", async () => {
    const at = await connectedBench();
    at.bench.network.lagReads(3);
    const { json } = await create(at, {});
    const query = `uris=${String(json.uri)}`;
    expect((await call(at, "GET", "app.bsky.feed.getPosts", { query })).json.posts).toEqual([]);
    await at.bench.clock.advance(3000);
    expect((await call(at, "GET", "app.bsky.feed.getPosts", { query })).json.posts).toHaveLength(1);
  });

  it("keep a record that is put twice unchanged, and overwrite it with a different one", async () => {
    const at = await connectedBench();
    const post = `at://${at.connected.profile.external_id}/app.bsky.feed.post/3jzfcijpj2z2a`;
    const put = (allow: Json): ReturnType<typeof call> => {
      const collection = "app.bsky.feed.threadgate";
      const record = { $type: collection, post, createdAt: "2026-11-21T12:00:00Z", allow };
      const json = { repo: at.connected.profile.external_id, collection, rkey: "3jzfcijpj2z2a", record };
      return call(at, "POST", "com.atproto.repo.putRecord", { json });
    };
    expect((await put([])).json.commit).toBeDefined();
    const same = await put([]);
    expect(same.status).toBe(200);
    expect(same.json.commit).toBeUndefined();
    await put([{ $type: "app.bsky.feed.threadgate#mentionRule" }]);
    expect(at.bench.network.record(post.replace("feed.post", "feed.threadgate"))?.allow).toHaveLength(1);
  });

  it("reject an @ before the handle at sign-in", async () => {
    const bench = blueskyBench();
    const answer = await bench.network.answer({
      method: "POST",
      url: new URL("https://bsky.social/xrpc/com.atproto.server.createSession"),
      headers: new Headers({ "content-type": "application/json" }),
      bytes: new TextEncoder().encode(JSON.stringify({ identifier: `@${alice.handle}`, password: alice.password })),
    });
    expect(answer).toMatchObject({ status: 401, json: { error: "AuthenticationRequired" } });
  });
});

function facet(feature: JsonObject): JsonObject {
  return { facets: [{ index: { byteStart: 900, byteEnd: 2 }, features: [feature] }] };
}

function strongRef(): JsonObject {
  return { uri: "at://did:plc:abc/app.bsky.feed.post/3jzfcijpj2z2a", cid: `b${"a".repeat(58)}` };
}
