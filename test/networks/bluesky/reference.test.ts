import { beforeEach, describe, expect, it } from "vitest";
import { recordKey } from "../../../src/networks/bluesky/key.ts";
import { limits } from "../../../src/networks/bluesky/limits.ts";
import { options } from "../../../src/networks/bluesky/options.ts";
import { publisher } from "../../../src/networks/bluesky/publish.ts";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { IdentifiedPart } from "../../../src/networks/contract/plan.ts";
import type { BlueskySandbox } from "../../../src/sandbox/bluesky/network.ts";
import type { ConnectedProfile, NetworkBench } from "../../../src/testing/network-bench.ts";
import type { Json, JsonObject } from "../../../src/wire/json.ts";
import { somebody } from "../../support/profile-facts.ts";
import { alice, connectedBench, part } from "./bench.ts";

const bob = { handle: "bob.example.com", password: "bobs-app-pass-word" };

let bench: NetworkBench<BlueskySandbox>;
let connected: ConnectedProfile;
let other: ConnectedProfile;
let kept: Record<string, Json>;

beforeEach(async () => {
  ({ bench, connected } = await connectedBench());
  bench.network.addAccount(bob);
  other = await bench.connect({ identifier: bob.handle, app_password: bob.password });
  kept = {};
});

/** A record of Bob's, or of the given user. */
async function write(collection: string, record: JsonObject, given: { rkey?: string; by?: ConnectedProfile } = {}) {
  const by = given.by ?? other;
  const rkey = given.rkey ?? keyAt(bench.clock.now());
  const json = {
    repo: by.profile.external_id,
    collection,
    rkey,
    record: { createdAt: "2026-11-21T12:00:00Z", ...record },
  };
  const url = "https://pds.sandbox.example/xrpc/com.atproto.repo.createRecord";
  const response = await bench.run(() => by.send({ method: "POST", url, body: { json } }));
  expect(response.status).toBe(200);
  const { uri, cid } = response.body as { uri: string; cid: string };
  return { uri, cid, rkey };
}

const post = (text: string, more: JsonObject = {}) => ({ text, ...more });

function keyAt(ms: number): string {
  return recordKey({ subjectId: "tgt_bobs", createdAt: ms, part: 0, bodyHash: "" });
}

function stage(given: JsonObject, index = 0): Promise<void> {
  const wanted = part({ options: options.parse(given) as JsonObject });
  return bench.run(async () => publisher.stage?.(connected.stage(kept, index), wanted));
}

/** The record that the request sends. */
async function recordWith(given: JsonObject, more: Partial<CommitInput> = {}): Promise<JsonObject> {
  await stage(given, more.index);
  const input: CommitInput = {
    profile: connected.profile,
    secret: connected.secret(),
    part: part({ options: given }),
    index: 0,
    staged: kept,
    first: null,
    previous: null,
    key: keyAt(bench.clock.now() + 1000),
    created_at: "2026-11-21T11:00:00.000Z",
    ...more,
  };
  const response = await bench.run(() => connected.send(publisher.commit(input)));
  expect(response.status).toBe(200);
  const published = publisher.accepted(response, input);
  return bench.network.record(published?.live.id ?? "") ?? {};
}

describe("a quote on Bluesky", () => {
  it("waits for a post that is not indexed yet", async () => {
    bench.network.lagReads(30);
    const { uri, cid } = await write("app.bsky.feed.post", post("Just now"));
    await expect(stage({ quote: uri })).rejects.toMatchObject({
      name: "NotReady",
      message: expect.stringContaining(uri),
    });
    await bench.clock.advance(30_000);
    expect((await recordWith({ quote: uri })).embed).toMatchObject({ record: { uri, cid } });
  });

  it("does not wait for a post that has long been deleted", async () => {
    const gone = `at://${other.profile.external_id}/app.bsky.feed.post/${keyAt(bench.clock.now() - 25 * 3_600_000)}`;
    await expect(stage({ quote: gone })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^networks\.bluesky\.quote: it does not exist/),
    });
  });

  it("is rejected with the reason if the author forbids quotes", async () => {
    const { uri, rkey } = await write("app.bsky.feed.post", post("Mine alone"));
    await write(
      "app.bsky.feed.postgate",
      { post: uri, embeddingRules: [{ $type: "app.bsky.feed.postgate#disableRule" }] },
      { rkey },
    );
    await expect(stage({ quote: uri })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^networks\.bluesky\.quote: its author does not let others quote it/),
    });
  });

  it("of the account's own post needs no view service, and no permission", async () => {
    bench.network.lagReads(3600);
    const { uri, cid, rkey } = await write("app.bsky.feed.post", post("My own"), { by: connected });
    const embeddingRules = [{ $type: "app.bsky.feed.postgate#disableRule" }];
    await write("app.bsky.feed.postgate", { post: uri, embeddingRules }, { rkey, by: connected });
    expect((await recordWith({ quote: uri })).embed).toMatchObject({ record: { uri, cid } });
    expect(bench.seen.map(({ operation }) => operation)).not.toContain("getPosts");
  });

  it("of the account's own post fails immediately if that does not exist", async () => {
    const uri = `at://${connected.profile.external_id}/app.bsky.feed.post/${keyAt(bench.clock.now())}`;
    await expect(stage({ quote: uri })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("of a handle that does not exist is rejected", async () => {
    const quote = "https://bsky.app/profile/nobody.example.com/post/3jzfcijpj2z2a";
    await expect(stage({ quote })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it.each([
    ["app.bsky.graph.list", "friends", `https://bsky.app/profile/${bob.handle}/lists/friends`],
    ["app.bsky.feed.generator", "cats", `https://bsky.app/profile/${bob.handle}/feed/cats`],
    ["app.bsky.graph.starterpack", "3jzfcijpj2z2a", `https://bsky.app/starter-pack/${bob.handle}/3jzfcijpj2z2a`],
    ["app.bsky.graph.starterpack", "3jzfcijpj2z2a", `https://bsky.app/start/${bob.handle}/3jzfcijpj2z2a`],
  ])("may also show a record of %s (%s)", async (collection, rkey, quote) => {
    const { uri, cid } = await write(collection, { name: "A name" }, { rkey });
    expect((await recordWith({ quote })).embed).toEqual({ $type: "app.bsky.embed.record", record: { uri, cid } });
    kept = {};
    await stage({ quote: uri });
    expect(kept.quote).toEqual({ uri, cid });
  });

  it("of a missing feed waits, because the feed may be new", async () => {
    const quote = `at://${other.profile.external_id}/app.bsky.feed.generator/cats`;
    await expect(stage({ quote })).rejects.toMatchObject({ name: "NotReady" });
  });

  it.each([
    "at://did:plc:abc/app.bsky.feed.like/3jzfcijpj2z2a",
    "at://did:plc:abc/app.bsky.feed.post",
    "at://did:plc:abc/app.bsky.feed.post/a/b",
    "at://did:plc:abc/app.bsky.feed.post/a?b",
    "https://bsky.app/profile/alice.bsky.social",
    "https://bsky.app.example.com/profile/alice.bsky.social/post/3jzfcijpj2z2a",
    "https://example.com/profile/alice.bsky.social/post/3jzfcijpj2z2a",
  ])("may not be %s", (quote) => {
    expect(options.safeParse({ quote }).success).toBe(false);
  });
});

describe("a reply on Bluesky", () => {
  it("belongs to its parent's conversation", async () => {
    const root = await write("app.bsky.feed.post", post("Beginning"));
    await bench.clock.advance(1000);
    const rootRef = { uri: root.uri, cid: root.cid };
    const middle = await write("app.bsky.feed.post", post("Middle", { reply: { root: rootRef, parent: rootRef } }));
    const parent = { uri: middle.uri, cid: middle.cid };
    const reply_to = `https://bsky.app/profile/${bob.handle}/post/${middle.rkey}`;
    expect((await recordWith({ reply_to })).reply).toEqual({ root: rootRef, parent });
    kept = {};
    expect((await recordWith({ reply_to: root.uri }, { key: keyAt(bench.clock.now() + 2000) })).reply).toEqual({
      root: rootRef,
      parent: rootRef,
    });
  });

  it("continues as a thread in that conversation", async () => {
    const root = await write("app.bsky.feed.post", post("Beginning"));
    const first: IdentifiedPart = { id: "at://did:plc:abc/app.bsky.feed.post/1", url: null, ref: { cid: root.cid } };
    const given = { index: 1, first, previous: first };
    const { reply } = await recordWith({ reply_to: root.uri }, given);
    expect(reply).toEqual({
      root: { uri: root.uri, cid: root.cid },
      parent: { uri: first.id, cid: root.cid },
    });
  });

  it("to the account's own post needs no view service", async () => {
    bench.network.lagReads(3600);
    const { uri, cid } = await write("app.bsky.feed.post", post("My own"), { by: connected });
    expect((await recordWith({ reply_to: uri })).reply).toEqual({ root: { uri, cid }, parent: { uri, cid } });
  });

  it("waits for a post that is not indexed yet", async () => {
    bench.network.lagReads(30);
    const { uri } = await write("app.bsky.feed.post", post("Just now"));
    await expect(stage({ reply_to: uri })).rejects.toMatchObject({ name: "NotReady" });
  });

  it("is rejected with the reason if the conversation is closed", async () => {
    const { uri, rkey } = await write("app.bsky.feed.post", post("No answers please"));
    await write("app.bsky.feed.threadgate", { post: uri, allow: [] }, { rkey });
    await expect(stage({ reply_to: uri })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^networks\.bluesky\.reply_to: its author does not let this account reply/),
    });
  });

  it("carries no reply rules of its own, and only a post can be its parent", () => {
    const reply_to = `https://bsky.app/profile/${alice.handle}/post/3jzfcijpj2z2a`;
    const fields = (given: JsonObject) => {
      const each = part({ options: given });
      const plan = { ...each, thread: null, auto_thread: false };
      return limits.rules.map(
        (rule) => rule.check({ input: plan, parts: [each], spec: limits, profile: somebody })?.field,
      );
    };
    expect(fields({ reply_to, replies: "nobody" })).toContain("networks.bluesky.replies");
    expect(fields({ reply_to, replies: "everyone" }).filter((field) => field !== undefined)).toEqual([]);
    expect(options.safeParse({ reply_to: "https://bsky.app/profile/a.example/feed/cats" }).success).toBe(false);
  });
});
