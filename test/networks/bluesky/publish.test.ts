import { describe, expect, it } from "vitest";
import { limits } from "../../../src/networks/bluesky/limits.ts";
import { options } from "../../../src/networks/bluesky/options.ts";
import { publisher } from "../../../src/networks/bluesky/publish.ts";
import { asPlanned, eachPart } from "../../../src/networks/bluesky/writes.ts";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { LookResult } from "../../../src/networks/contract/look.ts";
import type { IdentifiedPart, Part } from "../../../src/networks/contract/plan.ts";
import type { BlueskySandbox } from "../../../src/sandbox/bluesky/network.ts";
import type { ConnectedProfile, NetworkBench } from "../../../src/testing/network-bench.ts";
import { PublishingError } from "../../../src/wire/errors.ts";
import type { Json, JsonObject } from "../../../src/wire/json.ts";
import { answered } from "../../support/answered.ts";
import { identified } from "../../support/identified.ts";
import { somebody } from "../../support/profile-facts.ts";
import { commitInputOf } from "../parts.ts";
import { alice, blueskyBench, connectedBench, part, pictures, video } from "./bench.ts";

interface Desk {
  bench: NetworkBench<BlueskySandbox>;
  connected: ConnectedProfile;
  kept: Record<string, Json>;
}

async function desk(): Promise<Desk> {
  return { ...(await connectedBench()), kept: {} };
}

function input({ bench, connected, kept }: Desk, given: Partial<CommitInput> = {}): CommitInput {
  const created_at = "2026-11-21T11:00:00.000Z";
  const index = given.index ?? 0;
  const subject = { subjectId: "tgt_1", createdAt: Date.parse(created_at), part: index, bodyHash: "1" };
  const key = bench.adapter.publish?.key?.(subject) ?? "";
  return commitInputOf(connected, { part: part(), index, staged: kept, key, created_at, ...given });
}

function stage({ bench, connected, kept }: Desk, each: Part, index = 0): Promise<void> {
  return bench.run(async () => publisher.stage?.(connected.stage(kept, index), each));
}

async function publish(at: Desk, given: Partial<CommitInput>): Promise<IdentifiedPart> {
  const wanted = input(at, given);
  await stage(at, wanted.part, wanted.index);
  const response = await at.bench.run(() => at.connected.send(publisher.commit(wanted)));
  expect(response.status).toBe(200);
  const accepted = publisher.accepted(response, wanted)?.live;
  if (accepted === undefined) throw new Error("not accepted");
  return identified(accepted);
}

function recordOf(at: Desk, published: IdentifiedPart): JsonObject {
  const record = at.bench.network.record(published.id);
  if (record === undefined) throw new Error("no such record");
  return record;
}

describe("a post on Bluesky", () => {
  it("is one applyWrites under our record key, with its creation time", async () => {
    const at = await desk();
    const wanted = input(at, { part: part({ text: "Hello world" }) });
    expect(publisher.commit(wanted)).toEqual({
      method: "POST",
      url: "https://pds.sandbox.example/xrpc/com.atproto.repo.applyWrites",
      body: {
        json: {
          repo: at.connected.profile.external_id,
          writes: [
            {
              $type: "com.atproto.repo.applyWrites#create",
              collection: "app.bsky.feed.post",
              rkey: wanted.key,
              value: { $type: "app.bsky.feed.post", text: "Hello world", createdAt: "2026-11-21T11:00:00.000Z" },
            },
          ],
        },
      },
    });
  });

  it("has its at:// URI as id, and a permalink that survives a change of handle", async () => {
    const at = await desk();
    const published = await publish(at, {});
    const { external_id } = at.connected.profile;
    const { key } = input(at);
    expect(published.id).toBe(`at://${external_id}/app.bsky.feed.post/${key}`);
    expect(published.url).toBe(`https://bsky.app/profile/${external_id}/post/${key}`);
    expect(at.bench.network.posts()).toMatchObject([{ id: published.id, text: "Hello", url: published.url }]);
  });

  it("marks links, hashtags and known handles by UTF-8 byte offsets", async () => {
    const at = await desk();
    const { did } = at.bench.network.addAccount({ handle: "bob.example.com" });
    const text = "👋 @bob.example.com @nobody.example.com https://example.com/a #now";
    const record = recordOf(at, await publish(at, { part: part({ text }) }));
    expect(record.facets).toEqual([
      { index: { byteEnd: 21, byteStart: 5 }, features: [{ did, $type: "app.bsky.richtext.facet#mention" }] },
      {
        index: { byteEnd: 63, byteStart: 42 },
        features: [{ uri: "https://example.com/a", $type: "app.bsky.richtext.facet#link" }],
      },
      { index: { byteEnd: 68, byteStart: 64 }, features: [{ tag: "now", $type: "app.bsky.richtext.facet#tag" }] },
    ]);
  });

  it("carries up to four images, with alt text and aspect ratio", async () => {
    const at = await desk();
    const record = recordOf(at, await publish(at, { part: part({ media: pictures(at.bench, 4) }) }));
    expect(record.embed).toMatchObject({ $type: "app.bsky.embed.images" });
    const { images } = record.embed as { images: JsonObject[] };
    expect(images).toHaveLength(4);
    expect(images[1]).toMatchObject({ alt: "picture 1", aspectRatio: { width: 800, height: 600 } });
  });

  it("carries more than four images as a gallery", async () => {
    const at = await desk();
    const record = recordOf(at, await publish(at, { part: part({ media: pictures(at.bench, 5) }) }));
    expect(record.embed).toMatchObject({ $type: "app.bsky.embed.gallery" });
    const { items } = record.embed as { items: JsonObject[] };
    expect(items.map(({ $type }) => $type)).toEqual(Array(5).fill("app.bsky.embed.gallery#image"));
  });

  it("shows a link as a card with the given image", async () => {
    const at = await desk();
    const [picture] = pictures(at.bench, 1);
    const link = { url: "https://example.com/", title: "A title", description: null, image_url: picture?.url ?? "" };
    const record = recordOf(at, await publish(at, { part: part({ link }) }));
    expect(record.embed).toMatchObject({
      $type: "app.bsky.embed.external",
      external: { uri: "https://example.com/", title: "A title", description: "", thumb: { mimeType: "image/png" } },
    });
  });

  describe("shows a card without its image", () => {
    const image_url = "https://media.example/card.png";
    const link = { url: "https://example.com/", title: "A title", description: null, image_url };

    async function card(at: Desk): Promise<JsonObject> {
      const record = recordOf(at, await publish(at, { part: part({ link }) }));
      return (record.embed as { external: JsonObject }).external;
    }

    it("if the file is not an image", async () => {
      const at = await desk();
      at.bench.files.set(image_url, new TextEncoder().encode("<html>"));
      expect(await card(at)).toEqual({ uri: link.url, title: "A title", description: "" });
    });

    it.each([
      ["is gone", new PublishingError("media_error", "media.example/card.png does not exist")],
      ["is too large", new PublishingError("media_error", "media.example/card.png is larger than 1000000 bytes")],
    ])("if the file %s", async (_, failure) => {
      const at = await desk();
      const context = { ...at.connected.stage(at.kept), readMedia: () => Promise.reject(failure) };
      await at.bench.run(async () => publisher.stage?.(context, part({ link })));
      expect(at.kept.thumb).toBeNull();
      expect(await card(at)).not.toHaveProperty("thumb");
    });

    it("if its host is still down at the second attempt", async () => {
      const at = await desk();
      const failure = new PublishingError("media_error", "media.example answered 503", { isPassing: true });
      const context = { ...at.connected.stage(at.kept), readMedia: () => Promise.reject(failure) };
      const run = () => at.bench.run(async () => publisher.stage?.(context, part({ link })));
      await expect(run()).rejects.toMatchObject({ name: "NotReady" });
      await run();
      expect(at.kept.thumb).toBeNull();
      const { warnings } = await publish(at, { part: part({ link }) });
      expect(warnings).toEqual([expect.stringContaining("has no image")]);
    });

    it("but not if its host was down only once, nor if the connection has ended", async () => {
      const at = await desk();
      at.bench.files.set(image_url, Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1));
      at.bench.network.faults.add({ kind: "drop_before", operation: "uploadBlob", times: 3 });
      await expect(stage(at, part({ link }))).rejects.toMatchObject({ name: "NotReady" });
      expect(await card(at)).toMatchObject({ thumb: { mimeType: "image/png" } });
      const dead = new PublishingError("reauthentication_required", "Reconnect the profile.");
      const context = { ...at.connected.stage({}), request: () => Promise.reject(dead) };
      await expect(at.bench.run(async () => publisher.stage?.(context, part({ link })))).rejects.toBe(dead);
    });
  });

  it("leaves a mention as plain text if its lookup fails twice", async () => {
    const at = await desk();
    at.bench.network.addAccount({ handle: "bob.example.com" });
    at.bench.network.faults.add({
      kind: "refuse",
      operation: "resolveHandle",
      answer: { status: 500, json: { error: "InternalServerError", message: "Internal Server Error" } },
      times: 99,
    });
    const wanted = part({ text: "Hello @bob.example.com" });
    await expect(stage(at, wanted)).rejects.toMatchObject({ name: "NotReady" });
    const published = await publish(at, { part: wanted });
    expect(recordOf(at, published)).not.toHaveProperty("facets");
    expect(published.warnings).toEqual([expect.stringContaining("@bob.example.com stays plain text")]);
  });

  it("keeps a mention whose lookup failed once", async () => {
    const at = await desk();
    const { did } = at.bench.network.addAccount({ handle: "bob.example.com" });
    at.bench.network.faults.add({ kind: "drop_before", operation: "resolveHandle", times: 3 });
    const wanted = part({ text: "Hello @bob.example.com" });
    await expect(stage(at, wanted)).rejects.toMatchObject({ name: "NotReady" });
    const published = await publish(at, { part: wanted });
    expect(recordOf(at, published).facets).toMatchObject([{ features: [{ did }] }]);
    expect(published).not.toHaveProperty("warnings");
  });

  it("quotes a post by its URL on bsky.app, alone or beside images", async () => {
    const at = await desk();
    const quoted = await publish(at, { key: "3jzfcijpj2z2a", part: part({ text: "first" }) });
    const quote = `https://bsky.app/profile/${alice.handle}/post/3jzfcijpj2z2a`;
    const alone = recordOf(at, await publish(at, { part: part({ options: { quote } }) }));
    const strongRef = { uri: quoted.id, cid: (quoted.ref as JsonObject).cid };
    expect(alone.embed).toEqual({ record: strongRef, $type: "app.bsky.embed.record" });
    at.kept = {};
    const media = pictures(at.bench, 1);
    const both = await publish(at, { key: "3jzfcijpj2z2b", part: part({ media, options: { quote } }) });
    expect(recordOf(at, both).embed).toMatchObject({
      $type: "app.bsky.embed.recordWithMedia",
      record: { record: strongRef },
      media: { $type: "app.bsky.embed.images" },
    });
  });

  it("fails if the quoted post does not exist", async () => {
    const at = await desk();
    const quote = `https://bsky.app/profile/${alice.handle}/post/3jzfcijpj2z2a`;
    await expect(stage(at, part({ options: { quote } }))).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("carries languages, content warnings and hidden hashtags", async () => {
    const at = await desk();
    const given = options.parse({ langs: ["en"], labels: ["nudity"], tags: ["now"] });
    const record = recordOf(at, await publish(at, { part: part({ options: given as JsonObject }) }));
    expect(record).toMatchObject({ langs: ["en"], tags: ["now"], labels: { values: [{ val: "nudity" }] } });
  });
});

describe("a thread on Bluesky", () => {
  it("replies to its first part as root and the previous one as parent, each a millisecond later", async () => {
    const at = await desk();
    const first = await publish(at, { part: part({ text: "1" }) });
    const second = await publish(at, { index: 1, first, previous: first, part: part({ text: "2" }) });
    const third = await publish(at, { index: 2, first, previous: second, part: part({ text: "3" }) });
    const record = recordOf(at, third);
    expect(record.createdAt).toBe("2026-11-21T11:00:00.002Z");
    expect(record.reply).toEqual({
      root: { uri: first.id, cid: (first.ref as JsonObject).cid },
      parent: { uri: second.id, cid: (second.ref as JsonObject).cid },
    });
    expect([first.id, second.id, third.id]).toEqual([first.id, second.id, third.id].sort());
  });
});

describe("a Bluesky post's reply and quote rules", () => {
  const list = "at://did:plc:abc/app.bsky.graph.list/1";
  const given = { part: part({ options: { replies: ["mentioned", list], disable_quotes: true } }) };

  it("go out with the post, under its own record key", async () => {
    const at = await desk();
    const { id } = await publish(at, given);
    expect(at.bench.seen.filter(({ operation }) => operation === "applyWrites")).toHaveLength(1);
    expect(at.bench.network.record(id.replace("feed.post", "feed.threadgate"))).toMatchObject({
      post: id,
      allow: [{ $type: "app.bsky.feed.threadgate#mentionRule" }, { $type: "app.bsky.feed.threadgate#listRule", list }],
    });
    expect(at.bench.network.record(id.replace("feed.post", "feed.postgate"))).toMatchObject({
      post: id,
      embeddingRules: [{ $type: "app.bsky.feed.postgate#disableRule" }],
    });
  });

  it("exist for every part that may not be quoted, but only once for a thread's replies", async () => {
    const at = await desk();
    const first = await publish(at, given);
    const second = await publish(at, { ...given, index: 1, first, previous: first });
    expect(at.bench.network.record(second.id.replace("feed.post", "feed.threadgate"))).toBeUndefined();
    expect(at.bench.network.record(second.id.replace("feed.post", "feed.postgate"))).toBeDefined();
  });

  it("prevent the post if the network refuses one of them", async () => {
    const at = await desk();
    // Past the service's own check of five rules.
    const request = publisher.commit(input(at, given));
    const writes = (request.body.json.writes as JsonObject[]).map((write) => {
      const value = write.value as JsonObject;
      return value.allow === undefined
        ? write
        : { ...write, value: { ...value, allow: Array(6).fill({ $type: "x.y.z" }) } };
    });
    const response = await at.bench.run(() =>
      at.connected.send({ ...request, body: { json: { ...request.body.json, writes } } }),
    );
    expect(response).toMatchObject({ status: 400, body: { error: "InvalidRequest" } });
    expect(at.bench.network.posts()).toEqual([]);
  });

  it.each([
    ["one result is missing", (results: JsonObject[]) => results.slice(1)],
    ["a result is another record's", (results: JsonObject[]) => [...results].reverse()],
    ["there is one result too many", (results: JsonObject[]) => [...results, ...results.slice(0, 1)]],
  ])("do not count as written if %s", async (_, change) => {
    const at = await desk();
    const wanted = input(at, given);
    const { body } = await at.bench.run(() => at.connected.send(publisher.commit(wanted)));
    const answer = body as { commit: JsonObject; results: JsonObject[] };
    expect(publisher.accepted(answered(answer), wanted)).not.toBeNull();
    expect(publisher.accepted(answered({ ...answer, results: change(answer.results) }), wanted)).toBeNull();
    expect(publisher.accepted(answered({ results: answer.results }), wanted)).toBeNull();
  });

  it("are recognized by their content ids if an old server returns no results", async () => {
    const at = await desk();
    const wanted = input(at, given);
    const { body } = await at.bench.run(() => at.connected.send(publisher.commit(wanted)));
    const { commit } = body as { commit: JsonObject };
    expect(publisher.accepted(answered({ commit }), wanted)).toEqual(publisher.accepted(answered(body), wanted));
  });
});

describe("a thread of Bluesky records that are not written yet", () => {
  it("refers to each of them by its future content id", async () => {
    const at = await desk();
    const following = [input(at, { index: 1, part: part({ text: "2" }) })];
    const thread = eachPart(input(at, { part: part({ text: "1" }), following }));
    const [root, second] = [...thread].map(asPlanned);
    const written = await publish(at, { part: part({ text: "1" }) });
    expect(written).toEqual(root);
    const reply = await publish(at, { index: 1, first: written, previous: written, part: part({ text: "2" }) });
    expect(reply).toEqual(second);
  });
});

describe("a look for a Bluesky post", () => {
  it("finds the post whose response was lost, and a second create is refused", async () => {
    const at = await desk();
    const wanted = input(at);
    at.bench.network.faults.add({ kind: "drop_after", operation: "applyWrites" });
    await expect(at.bench.run(() => at.connected.send(publisher.commit(wanted)))).rejects.toThrow();
    const found = await at.bench.run(() => publisher.lookFor(at.connected.context, { ...wanted, since: 0 }));
    expect(found).toMatchObject({ live: { id: at.bench.network.posts()[0]?.id } });
    const again = await at.bench.run(() => at.connected.send(publisher.commit(wanted)));
    expect(again).toMatchObject({ status: 500, body: { error: "InternalServerError" } });
    expect(at.bench.network.posts()).toHaveLength(1);
  });

  it("needs no valid session", async () => {
    const at = await desk();
    at.bench.network.expireTokens();
    at.bench.network.revoke(alice.handle);
    const found = await at.bench.run(() => publisher.lookFor(at.connected.context, { ...input(at), since: 0 }));
    expect(found).toEqual({ absent: true });
  });

  it("reads a missing record as absent in another server's words, too", async () => {
    const at = await desk();
    at.bench.network.sayMissingWith(404);
    const found = await at.bench.run(() => publisher.lookFor(at.connected.context, { ...input(at), since: 0 }));
    expect(found).toEqual({ absent: true });
  });

  it("does not read a missing page as a missing record", async () => {
    const at = await desk();
    at.bench.network.faults.add({
      kind: "refuse",
      operation: "getRecord",
      answer: { status: 404, text: "no such page" },
    });
    const found = await at.bench.run(() => publisher.lookFor(at.connected.context, { ...input(at), since: 0 }));
    expect(found).toEqual({ pending: expect.any(String) });
  });

  describe("with rules on replies and quotes", () => {
    const gated = { part: part({ options: { replies: "nobody", disable_quotes: true } }) };
    const gates = ["app.bsky.feed.threadgate", "app.bsky.feed.postgate"];

    async function look(at: Desk): Promise<LookResult> {
      return at.bench.run(() => publisher.lookFor(at.connected.context, { ...input(at, gated), since: 0 }));
    }

    it("finds it if it is complete", async () => {
      const at = await desk();
      const { id } = await publish(at, gated);
      expect(await look(at)).toMatchObject({ live: { id } });
    });

    it.each(gates)("does not match the post without its %s", async (missing) => {
      const at = await desk();
      const request = publisher.commit(input(at, gated));
      const writes = (request.body.json.writes as JsonObject[]).filter(({ collection }) => collection !== missing);
      await at.bench.run(() => at.connected.send({ ...request, body: { json: { ...request.body.json, writes } } }));
      expect(at.bench.network.posts()).toHaveLength(1);
      expect(await look(at)).toEqual({ cannot_tell: expect.stringContaining("without the requested rule") });
    });

    it.each(gates)("does not match the post with another %s", async (changed) => {
      const at = await desk();
      const request = publisher.commit(input(at, gated));
      const writes = (request.body.json.writes as JsonObject[]).map((write) => {
        const rules: JsonObject = changed.endsWith("threadgate")
          ? { allow: [{ $type: `${changed}#mentionRule` }] }
          : { embeddingRules: [] };
        return write.collection === changed ? { ...write, value: { ...(write.value as JsonObject), ...rules } } : write;
      });
      await at.bench.run(() => at.connected.send({ ...request, body: { json: { ...request.body.json, writes } } }));
      expect(await look(at)).toEqual({ cannot_tell: expect.stringContaining("without the requested rule") });
    });

    it("is inconclusive while a rule cannot be read", async () => {
      const at = await desk();
      await publish(at, gated);
      const answer = { status: 502, json: { error: "UpstreamFailure", message: "Upstream Failure" } };
      at.bench.network.faults.add({ kind: "refuse", operation: "getRecord", answer, after: 1 });
      expect(await look(at)).toEqual({ pending: expect.any(String) });
    });
  });

  it("is inconclusive while the server hides the account's posts", async () => {
    const at = await desk();
    at.bench.network.takeDown(alice.handle);
    const found = await at.bench.run(() => publisher.lookFor(at.connected.context, { ...input(at), since: 0 }));
    expect(found).toEqual({ pending: expect.stringContaining("UpstreamFailure") });
  });

  it("does not conclude absence from a proxy's page", async () => {
    const at = await desk();
    at.bench.network.faults.add({ kind: "refuse", operation: "getRecord", answer: { status: 400, text: "<html>" } });
    const found = await at.bench.run(() => publisher.lookFor(at.connected.context, { ...input(at), since: 0 }));
    expect(found).toEqual({ pending: expect.any(String) });
  });

  it.each([{ part: part({ text: "Another text" }) }, { created_at: "2026-11-21T11:00:01.000Z" }])(
    "does not match another post under the same key (%j)",
    async (other) => {
      const at = await desk();
      await publish(at, other);
      const found = await at.bench.run(() => publisher.lookFor(at.connected.context, { ...input(at), since: 0 }));
      expect(found).toEqual({ cannot_tell: expect.any(String) });
    },
  );
});

describe("a video on Bluesky", () => {
  it("is converted by the video service and shown with alt text, aspect ratio and subtitles", async () => {
    const at = await desk();
    at.bench.files.set("https://media.example/en.vtt", new TextEncoder().encode("WEBVTT\n"));
    const captions = [{ lang: "en", url: "https://media.example/en.vtt" }];
    const media = [video(at.bench)];
    const record = recordOf(
      at,
      await publish(at, { part: part({ media, options: { presentation: "gif", captions } }) }),
    );
    expect(record.embed).toMatchObject({
      $type: "app.bsky.embed.video",
      alt: "a film",
      presentation: "gif",
      video: { mimeType: "video/mp4", size: 11 },
      captions: [{ lang: "en", file: { mimeType: "text/vtt" } }],
    });
  });

  it("is uploaded with a token for the account's own server, not with the session", async () => {
    const at = await desk();
    await stage(at, part({ media: [video(at.bench)] }));
    const upload = at.bench.seen.find(({ operation }) => operation === "uploadVideo");
    expect(upload?.headers.get("content-length")).toBe("11");
    expect(upload?.headers.get("content-type")).toBe("video/mp4");
    const access = String(at.connected.secret().access);
    const toVideoService = at.bench.seen.filter(({ url }) => url.hostname === "video.bsky.app");
    expect(toVideoService.filter(({ headers }) => headers.get("authorization")?.includes(access))).toEqual([]);
  });

  it("is uploaded only once while the service waits for it", async () => {
    const at = await desk();
    at.bench.network.processVideosFor(60);
    const wanted = part({ media: [video(at.bench)] });
    await expect(stage(at, wanted)).rejects.toMatchObject({ name: "NotReady" });
    await expect(stage(at, wanted)).rejects.toMatchObject({ name: "NotReady" });
    await at.bench.clock.advance(60_000);
    await stage(at, wanted);
    expect(at.bench.seen.filter(({ operation }) => operation === "uploadVideo")).toHaveLength(1);
  });

  it("is taken from the response that the service has it already", async () => {
    const at = await desk();
    const wanted = part({ media: [video(at.bench)] });
    await stage(at, wanted);
    const { video: before } = at.kept;
    at.kept = {};
    await stage(at, wanted);
    expect(at.bench.seen.at(-1)?.answer?.status).toBe(409);
    expect(at.kept.video).toEqual(before);
  });

  it("is also found in the wrapped response", async () => {
    const at = await desk();
    const blob = { $type: "blob", ref: { $link: "bafy" }, mimeType: "video/mp4", size: 11 };
    const json = { jobStatus: { jobId: "j", did: "did:plc:a", state: "JOB_STATE_COMPLETED", blob } };
    at.bench.network.faults.add({ kind: "refuse", operation: "uploadVideo", answer: { status: 200, json } });
    await stage(at, part({ media: [video(at.bench)] }));
    expect(at.kept.video).toEqual(blob);
  });

  it("is uploaded again if the service failed temporarily", async () => {
    const at = await desk();
    at.bench.network.failNextVideo("generic_failure");
    await stage(at, part({ media: [video(at.bench)] }));
    expect(at.bench.seen.filter(({ operation }) => operation === "uploadVideo")).toHaveLength(2);
  });

  it.each(["validation_failure", "encoding_failure", "pds_upload_unsupported_blob_size"])(
    "fails with a media error after %s",
    async (failure) => {
      const at = await desk();
      at.bench.network.failNextVideo(failure);
      await expect(stage(at, part({ media: [video(at.bench)] }))).rejects.toMatchObject({ code: "media_error" });
    },
  );

  it("fails if the account may not upload", async () => {
    const at = await desk();
    const json = { canUpload: false, message: "Confirm your e-mail address first" };
    at.bench.network.faults.add({ kind: "refuse", operation: "getUploadLimits", answer: { status: 200, json } });
    await expect(stage(at, part({ media: [video(at.bench)] }))).rejects.toMatchObject({
      code: "rejected_by_network",
      message: expect.stringContaining("Confirm your e-mail"),
    });
  });
});

describe("Bluesky's own rules", () => {
  const link = { url: "https://example.com/", title: null, description: null, image_url: null };

  function broken(given: Partial<Part>): string[] {
    const each = part(given);
    const plan = { ...each, thread: null, auto_thread: false };
    return limits.rules
      .map((rule) => rule.check({ input: plan, parts: [each], spec: limits, profile: somebody })?.field)
      .filter((field) => field !== undefined);
  }

  it("reject a link card beside files, naming the link", () => {
    const bench = blueskyBench();
    expect(broken({ link, media: pictures(bench, 1) })).toEqual(["link"]);
  });

  it("reject a gallery with an image of unknown size, naming the file", () => {
    const bench = blueskyBench();
    const media = pictures(bench, 5).map((item, index) => (index === 3 ? { ...item, width: null } : item));
    expect(broken({ media })).toEqual(["media[3]"]);
    expect(broken({ media: media.slice(1) })).toEqual([]);
  });

  it("reject an empty post, but not one that only quotes", () => {
    expect(broken({ text: " " })).toEqual(["text"]);
    expect(broken({ text: "", options: { quote: "at://did:plc:a/app.bsky.feed.post/1" } })).toEqual([]);
    expect(broken({ text: "", link })).toEqual([]);
  });

  it("reject video options without a video", () => {
    expect(broken({ options: { presentation: "gif" } })).toEqual(["networks.bluesky.presentation"]);
  });

  it.each([
    { langs: ["english language"] },
    { langs: ["en", "de", "fr", "it"] },
    { labels: ["spicy"] },
    { tags: ["#now"] },
    { tags: ["x".repeat(65)] },
    { quote: "https://example.com/" },
    { replies: [] },
    { replies: ["friends"] },
    { unknown: 1 },
  ])("reject the options %j", (given) => {
    expect(options.safeParse(given).success).toBe(false);
  });
});
