import { describe, expect, it } from "vitest";
import { publisher } from "../../../src/networks/bluesky/publish.ts";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { IntentRow } from "../../../src/sending/intent.ts";
import { fromRow } from "../../../src/storage/typed.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { png } from "../../media/samples.ts";
import { answered } from "../../support/answered.ts";
import { connectBluesky } from "../../support/connect.ts";
import { createTestService } from "../../support/service.ts";
import { connectedBench, part } from "./bench.ts";

const texts = ["One", "Two", "Three", "Four"];
const gated = { bluesky: { replies: "nobody", disable_quotes: true } } as const;

/** A service whose write requests can be changed on their way: `spoil` gets each, and the function that sends it. */
async function desk(
  spoil: (request: Request, send: typeof fetch) => Promise<Response> = (request, send) => send(request),
) {
  const sent: JsonObject[][] = [];
  const service = createTestService({
    http: async (given, init) => inspected(new Request(given, init), (request) => service.sandbox.http(request)),
    untrustedHttp: async (given, init) =>
      inspected(new Request(given, init), (request) => service.sandbox.untrustedHttp(request)),
  });
  const { social, clock, sandbox, storage } = service;
  const profile = await connectBluesky(service);

  async function inspected(request: Request, send: typeof fetch): Promise<Response> {
    if (!request.url.includes("applyWrites")) return send(request);
    const { writes } = (await request.clone().json()) as { writes: JsonObject[] };
    sent.push(writes);
    return spoil(request, send);
  }

  return {
    social,
    clock,
    sandbox,
    storage,
    sent,
    /** `meanwhile` runs once all immediate work is done. */
    async publish(given: Partial<CreatePost>, meanwhile?: () => Promise<void>) {
      const { id } = await clock.run(() => social.posts.create({ profile_ids: [profile.id], ...given }));
      await meanwhile?.();
      for (let turn = 0; turn < 50 && (await social.posts.get(id)).status === "publishing"; turn++) {
        await clock.advance(5_000);
        await clock.run(() => social.runDue());
      }
      return social.posts.get(id);
    },
    async intents(): Promise<IntentRow[]> {
      const { rows } = await storage.find("intents", { where: {} });
      return rows.map((row) => fromRow<IntentRow>(row)).sort((a, b) => a.part - b.part || a.number - b.number);
    },
    async owned() {
      return (await storage.find("publications", { where: {} })).rows.map((row) => row.network_post_id).sort();
    },
    shown: () => sandbox.bluesky.posts().map(({ text }) => text),
  };
}

type Desk = Awaited<ReturnType<typeof desk>>;

/** Each part replies to the previous one, and all have the first as root: by URI and content id. */
function expectThread({ sandbox }: Pick<Desk, "sandbox">, ids: readonly string[] = []): void {
  const parents = sandbox.bluesky.posts().map(({ reply_to }) => reply_to);
  expect(parents).toEqual([null, ...ids.slice(0, -1)]);
  const replies = ids.slice(1).map((id) => sandbox.bluesky.record(id)?.reply as JsonObject);
  const [first] = replies;
  for (const { root } of replies) expect(root).toEqual(first?.parent);
}

describe("a thread in one Bluesky request", () => {
  it("includes its reply rules, under one intent", async () => {
    const at = await desk();
    const post = await at.publish({ thread: texts, networks: gated });
    const ids = post.targets[0]?.post_ids ?? [];
    expect(post.status).toBe("published");
    expect(at.shown()).toEqual(texts);
    expect(ids).toEqual(at.sandbox.bluesky.posts().map(({ id }) => id));
    expectThread(at, ids);
    const collections = at.sent.map((writes) => writes.map(({ collection }) => String(collection).split(".").at(-1)));
    const later = ["post", "postgate"];
    expect(collections).toEqual([["post", "threadgate", "postgate", ...later, ...later, ...later]]);
    const intents = await at.intents();
    expect(intents).toMatchObject([{ part: 0, number: 1, state: "accepted" }]);
    expect(intents[0]?.private.following).toHaveLength(3);
    expect(await at.owned()).toEqual([...ids].sort());
  });

  it("is adopted whole if the response is lost", async () => {
    const at = await desk();
    at.sandbox.bluesky.faults.add({ kind: "drop_after", operation: "applyWrites" });
    const post = await at.publish({ thread: texts, networks: gated });
    expect(post.status).toBe("published");
    expect(at.sent).toHaveLength(1);
    expect(at.shown()).toEqual(texts);
    expect(post.targets[0]?.post_ids).toEqual(at.sandbox.bluesky.posts().map(({ id }) => id));
    expect(await at.intents()).toMatchObject([{ state: "live" }]);
    expect(await at.owned()).toEqual([...(post.targets[0]?.post_ids ?? [])].sort());
  });

  it("is sent again, whole and unchanged, if the request is lost", async () => {
    const at = await desk();
    at.sandbox.bluesky.faults.add({ kind: "drop_before", operation: "applyWrites" });
    const post = await at.publish({ thread: texts, networks: gated });
    expect(post.status).toBe("published");
    expect(at.sent).toHaveLength(2);
    expect(at.sent[1]).toEqual(at.sent[0]);
    expect(at.shown()).toEqual(texts);
  });

  it("is absent as a whole if the network refuses one of its parts", async () => {
    const at = await desk((request, send) => tampered(request, send, (writes) => spoiltAt(writes, 3)));
    const post = await at.publish({ thread: texts });
    expect(post.targets[0]).toMatchObject({ status: "failed", post_ids: [], error: { code: "invalid_request" } });
    expect(at.shown()).toEqual([]);
  });

  it("is staged whole before the request, and a look uses each part's staged values", async () => {
    const at = await desk();
    at.sandbox.bluesky.faults.add({ kind: "drop_after", operation: "applyWrites" });
    const asked = { kind: "refuse", answer: { status: 500 }, operation: "resolveHandle" } as const;
    at.sandbox.bluesky.faults.add({ ...asked, times: 100 });
    const post = await at.publish({ thread: ["One", "Two", "Three @bob.example.com"] });
    expect(post.status).toBe("published");
    expect(at.sent).toHaveLength(1);
    expect(post.targets[0]?.warnings).toMatchObject([expect.stringContaining("@bob.example.com")]);
  });

  it("is staged again as a whole if the network has lost one of its files", async () => {
    const at = await desk();
    const answer = { status: 400, json: { error: "BlobNotFound", message: "Could not find blob" } };
    at.sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "applyWrites" });
    const url = at.sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
    at.sandbox.bluesky.addAccount({ handle: "bob.example.com" });
    const asked: string[] = [];
    const { next } = at.sandbox.bluesky.faults;
    at.sandbox.bluesky.faults.next = (operation, isCommit) => {
      asked.push(operation);
      return next(operation, isCommit);
    };
    const post = await at.publish({ thread: ["One", "Two @bob.example.com"], media: [{ url }] });
    expect(post.status).toBe("published");
    const round = ["uploadBlob", "resolveHandle", "applyWrites"];
    expect(asked).toEqual([...round, ...round]);
  });

  it("is split into as many requests as its server's limits require", async () => {
    const many = Array.from({ length: 20 }, (_, index) => `${index + 1} ${"#a ".repeat(90)}`.trim());
    const at = await desk();
    const post = await at.publish({ thread: many });
    expect(post.status).toBe("published");
    expect(at.sent.length).toBeGreaterThan(1);
    expect(at.sent.length).toBeLessThan(5);
    expect(await at.intents()).toHaveLength(at.sent.length);
    expect(at.shown()).toEqual(many);
    expectThread(at, post.targets[0]?.post_ids);
  });
});

describe("a Bluesky thread of which only the first part was published", () => {
  /** The first request creates only the first part; its response is lost. */
  async function halfLive(options: { refusesRest?: boolean } = {}) {
    let requests = 0;
    const at = await desk(async (request, send) => {
      requests += 1;
      if (requests === 2 && options.refusesRest === true)
        return tampered(request, send, (writes) => spoiltAt(writes, 0));
      if (requests > 1) return send(request);
      await tampered(request, send, (writes) => writes.slice(0, 1));
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
    });
    at.sandbox.bluesky.faults.add({ kind: "refuse", answer: { status: 503 }, operation: "getRecord", times: 3 });
    return at;
  }

  it("continues after it with the remaining parts in one request", async () => {
    const at = await halfLive();
    const post = await at.publish({ thread: texts }, async () => {
      expect(await at.intents()).toMatchObject([{ state: "unknown" }]);
    });
    expect(post.status).toBe("published");
    expect(at.sent.map((writes) => writes.length)).toEqual([4, 3]);
    expect(at.shown()).toEqual(texts);
    expectThread(at, post.targets[0]?.post_ids);
    expect(await at.intents()).toMatchObject([
      { part: 0, state: "live" },
      { part: 1, state: "accepted" },
    ]);
  });

  it("reports its progress if the rest is refused, and a retry continues from there", async () => {
    const at = await halfLive({ refusesRest: true });
    const post = await at.publish({ thread: texts });
    expect(post.targets[0]).toMatchObject({ status: "failed", post_ids: [expect.anything()] });
    expect(post.targets[0]?.error?.message).toMatch(/^1 of 4 parts are live; retry continues at part 2\./);
    const again = await at.clock.run(() => at.social.posts.retry(post.id));
    expect(again.status).toBe("published");
    expect(at.shown()).toEqual(texts);
    expectThread(at, again.targets[0]?.post_ids);
  });
});

describe("one Bluesky request for several parts", () => {
  async function inputFor(count: number, text: string, options: JsonObject = {}): Promise<CommitInput> {
    const { connected } = await connectedBench();
    const created_at = "2026-11-21T11:00:00.000Z";
    const [first, ...following] = Array.from({ length: count }, (_, index) => ({
      profile: connected.profile,
      secret: connected.secret(),
      part: part({ text, options }),
      index,
      staged: {},
      key: publisher.key({ subjectId: "tgt_1", createdAt: Date.parse(created_at), part: index, bodyHash: "1" }),
      created_at,
    }));
    if (first === undefined) throw new Error("no part");
    return { ...first, first: null, previous: null, following };
  }

  it("holds no more than a server's 150 KiB of JSON", async () => {
    const input = await inputFor(200, `${"#a ".repeat(90)}`.trim());
    const most = publisher.partsPerRequest?.(input) ?? 0;
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThan(200);
    const { body } = publisher.commit({ ...input, following: input.following?.slice(0, most - 1) ?? [] });
    const { json } = body;
    expect(json.writes).toHaveLength(most);
    expect(Buffer.byteLength(JSON.stringify(json))).toBeLessThan(150 * 1024);
  });

  it("holds no more than 200 records", async () => {
    const input = await inputFor(150, "Hello", { replies: "nobody", disable_quotes: true });
    // Two for each part, and one for the whole thread.
    expect(publisher.partsPerRequest?.(input)).toBe(99);
    expect(publisher.partsPerRequest?.({ ...input, following: input.following?.slice(0, 49) ?? [] })).toBe(50);
  });

  it("is refused as a whole if one of its parts exists already", async () => {
    const { bench, connected } = await connectedBench();
    const { following = [], ...first } = { ...(await inputFor(3, "Hello")), profile: connected.profile };
    const all = { ...first, following };
    await bench.run(() => connected.send(publisher.commit(first)));
    const again = await bench.run(() => connected.send(publisher.commit(all)));
    expect(again.status).toBe(500);
    expect(bench.network.posts()).toHaveLength(1);
    const found = await bench.run(() => publisher.lookFor(connected.context, { ...all, since: 0 }));
    expect(found).toMatchObject({ live: { id: bench.network.posts()[0]?.id, following: [] } });
  });

  it("does not count as done if the response names only some of its parts", async () => {
    const { bench, connected } = await connectedBench();
    const input = { ...(await inputFor(3, "Hello")), profile: connected.profile };
    const { body } = await bench.run(() => connected.send(publisher.commit(input)));
    const { commit, results } = body as { commit: JsonObject; results: JsonObject[] };
    expect(publisher.accepted(answered({ commit, results }), input)?.live.following).toHaveLength(2);
    expect(publisher.accepted(answered({ commit, results: results.slice(0, 2) }), input)).toBeNull();
    expect(publisher.accepted(answered({ commit }), input)).toEqual(
      publisher.accepted(answered({ commit, results }), input),
    );
  });
});

async function tampered(
  request: Request,
  send: typeof fetch,
  change: (writes: JsonObject[]) => JsonObject[],
): Promise<Response> {
  const body = (await request.clone().json()) as JsonObject & { writes: JsonObject[] };
  const { url, method, headers } = request;
  return send(new Request(url, { method, headers, body: JSON.stringify({ ...body, writes: change(body.writes) }) }));
}

function spoiltAt(writes: readonly JsonObject[], index: number): JsonObject[] {
  const spoil = (write: JsonObject) => ({ ...write, value: { ...(write.value as JsonObject), createdAt: "never" } });
  return writes.map((write, at) => (at === index ? spoil(write) : write));
}
