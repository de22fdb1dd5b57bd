import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordContentId } from "../../src/networks/bluesky/content-id.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { SocialService } from "../../src/service.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { gif, png } from "../media/samples.ts";
import { failureOf } from "../support/failure.ts";
import { type FileHost, startFileHost } from "./files.ts";
import { type RealAccount, type RealPds, type RealRecord, startPds } from "./pds.ts";
import { createRealService } from "./service.ts";

let pds: RealPds;
let files: FileHost;
let account: RealAccount;
let social: SocialService;
let profile: Profile;
let accounts = 0;
/** Sees a request before it leaves, and may change it. */
let intercept: (request: Request) => Request;

beforeAll(async () => {
  pds = await startPds();
  files = await startFileHost();
});

afterAll(async () => {
  await pds?.stop();
  await files?.stop();
});

beforeEach(async () => {
  accounts += 1;
  account = await pds.addAccount(`alice${accounts}`);
  intercept = (request) => request;
  social = createRealService({ pds, files }, { onRequest: (request) => intercept(request) });
  const credentials = { identifier: account.handle, app_password: account.app_password };
  profile = await social.profiles.connect({ network: "bluesky", credentials });
});

function create(body: object): Promise<Post> {
  return social.posts.create({ profile_ids: [profile.id], ...body });
}

/** Expects all posts of the account to be those that this post names. */
async function readBack(post: Post): Promise<RealRecord[]> {
  expect(post.status).toBe("published");
  const records = await pds.records(account.did);
  expect(records.map(({ uri }) => uri)).toEqual(post.targets[0]?.post_ids);
  return records;
}

describe("connecting", () => {
  it("finds the account and the rights of its app password", () => {
    expect(profile).toMatchObject({ external_id: account.did, handle: account.handle, status: "connected" });
    expect(profile.scopes).toEqual(["com.atproto.appPass"]);
  });

  it("rejects a wrong password, naming the credentials", async () => {
    const credentials = { identifier: account.handle, app_password: "abcd-efgh-ijkl-mnop" };
    const error = await failureOf(social.profiles.connect({ network: "bluesky", credentials }));
    expect(error.details).toMatchObject([{ field: "credentials", code: "reauthentication_required" }]);
  });
});

describe("publishing", () => {
  it("attaches four images with alt text and aspect ratio", async () => {
    const media = [1, 2, 3, 4].map((n) => ({
      url: files.put(`${n}.png`, png(8 * n, 8), "image/png"),
      alt: `Picture ${n}`,
    }));
    const [record] = await readBack(await create({ text: "Four", media }));
    expect(record?.value.embed).toMatchObject({
      $type: "app.bsky.embed.images",
      images: [1, 2, 3, 4].map((n) => ({ alt: `Picture ${n}`, aspectRatio: { width: 8 * n, height: 8 } })),
    });
  });

  it("shows a GIF as an image", async () => {
    const post = await create({ text: "Still", media: [files.put("a.gif", gif(8, 8), "image/gif")] });
    const [record] = await readBack(post);
    expect(record?.value.embed).toMatchObject({ images: [{ image: { mimeType: "image/gif" } }] });
  });

  it("replies in a thread of five, each to the one before and all to the first", async () => {
    const post = await create({ thread: ["One", "Two", "Three", "Four", "Five"] });
    const records = await readBack(post);
    expect(records.map(({ value }) => value.text)).toEqual(["One", "Two", "Three", "Four", "Five"]);
    records.slice(1).forEach(({ value }, index) => {
      const parent = records[index];
      const root = records[0];
      expect(value.reply).toEqual({
        root: { uri: root?.uri, cid: root?.cid },
        parent: { uri: parent?.uri, cid: parent?.cid },
      });
    });
  });

  it("attaches a link card with its image", async () => {
    const image_url = files.put("card.png", png(16, 16), "image/png");
    const link = { url: "https://example.com/", title: "A title", description: "A description", image_url };
    const [record] = await readBack(await create({ text: "Card", link }));
    expect(record?.value.embed).toMatchObject({
      $type: "app.bsky.embed.external",
      external: { uri: link.url, title: link.title, description: link.description, thumb: { mimeType: "image/png" } },
    });
  });

  it("sets who may reply and quote, under the post's own key", async () => {
    const post = await create({ text: "Quiet", networks: { bluesky: { replies: "nobody", disable_quotes: true } } });
    const [uri] = (await readBack(post)).map((record) => record.uri);
    for (const collection of ["app.bsky.feed.threadgate", "app.bsky.feed.postgate"]) {
      const [gate] = await pds.records(account.did, collection);
      expect(gate?.value.post).toBe(uri);
      expect(gate?.uri).toBe(uri?.replace("app.bsky.feed.post", collection));
    }
  });
});

describe("several records in one commit", () => {
  /** The requests, and the server's responses. */
  async function publishGated(body: object = { text: "Gated" }): Promise<{ sent: Request[]; post: Post }> {
    const sent: Request[] = [];
    intercept = (request) => {
      if (request.method === "POST" && request.url.includes("com.atproto.repo.")) sent.push(request.clone());
      return request;
    };
    const networks = { bluesky: { replies: ["mentioned"], disable_quotes: true } } as const;
    return { post: await create({ ...body, networks }), sent };
  }

  it("make up a whole thread, with an image and its rules", async () => {
    const media = [{ url: files.put("a.png", png(8, 8), "image/png"), alt: "A square." }];
    const { sent, post } = await publishGated({ thread: ["One #a", "Two", "Three", "Four"], media });
    expect(sent.filter(({ url }) => url.endsWith("applyWrites"))).toHaveLength(1);
    const [first, ...others] = await readBack(post);
    expect(others).toHaveLength(3);
    for (const [index, { value }] of others.entries()) {
      const { uri, cid } = (index === 0 ? first : others[index - 1]) ?? {};
      expect(value.reply).toEqual({ root: { uri: first?.uri, cid: first?.cid }, parent: { uri, cid } });
    }
    expect(await pds.records(account.did, "app.bsky.feed.threadgate")).toHaveLength(1);
    expect(await pds.records(account.did, "app.bsky.feed.postgate")).toHaveLength(4);
  });

  it("are as many as the server accepts: a long thread is few requests", async () => {
    const thread = Array.from({ length: 50 }, (_, index) => `${index + 1} ${"#a ".repeat(90)}`.trim());
    const { sent, post } = await publishGated({ thread });
    expect(sent.length).toBeLessThan(8);
    expect((await readBack(post)).map(({ value }) => value.text)).toEqual(thread);
  });

  it("go in one request, and its repetition is refused as a whole", async () => {
    const { sent, post } = await publishGated();
    const [only, ...others] = sent;
    expect(others).toEqual([]);
    expect(only?.url).toMatch(/applyWrites$/);
    const before = await readBack(post);
    const again = await fetch(`${pds.url}/xrpc/com.atproto.repo.applyWrites`, {
      method: "POST",
      headers: only?.headers ?? {},
      body: await (only?.arrayBuffer() ?? ""),
    });
    expect(again.status).toBe(500);
    expect(await pds.records(account.did)).toEqual(before);
  });

  it("have the content ids that follow from the records", async () => {
    const { post } = await publishGated();
    await readBack(post);
    for (const collection of ["app.bsky.feed.post", "app.bsky.feed.threadgate", "app.bsky.feed.postgate"]) {
      const [record] = await pds.records(account.did, collection);
      expect(recordContentId(record?.value as JsonObject)).toBe(record?.cid);
    }
  });

  it("leave nothing when the server rejects one record", async () => {
    intercept = (request) => {
      if (!request.url.includes("applyWrites")) return request;
      const body = request
        .clone()
        .text()
        .then((text) => text.replace(/"post":"at:[^"]*"/, '"post":"no address"'));
      return new Request(request.url, {
        method: "POST",
        headers: jsonHeaders(request),
        body: streamOf(body),
        duplex: "half",
      });
    };
    const post = await create({ text: "Never", networks: { bluesky: { replies: "nobody" } } });
    expect(post.targets[0]).toMatchObject({ status: "failed", error: { code: "invalid_request" } });
    expect(await pds.records(account.did)).toEqual([]);
  });
});

function jsonHeaders(request: Request): Headers {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  return headers;
}

function streamOf(text: Promise<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(await text));
      controller.close();
    },
  });
}

describe("a lost response", () => {
  it("is resolved at the server: the post is live once", async () => {
    let lost = false;
    intercept = (request) => {
      if (!lost && request.url.includes("applyWrites")) {
        lost = true;
        // The real server accepts it; only the response never arrives.
        void request
          .clone()
          .arrayBuffer()
          .then((body) => fetch(request.url, { method: "POST", headers: request.headers, body }));
        throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
      }
      return request;
    };
    const records = await readBack(await create({ text: "Once" }));
    expect(lost).toBe(true);
    expect(records).toHaveLength(1);
  });
});

describe("a session", () => {
  it("is renewed when the server calls its token expired, once and again with the rotated token", async () => {
    const refreshed: string[] = [];
    let expired = true;
    intercept = (request) => {
      if (request.url.includes("refreshSession")) refreshed.push(request.headers.get("authorization") ?? "");
      if (!expired || !request.url.includes("applyWrites")) return request;
      expired = false;
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${expiredToken(account.did)}`);
      return new Request(request, { headers });
    };
    expect((await create({ text: "First" })).status).toBe("published");
    expired = true;
    expect((await create({ text: "Second" })).status).toBe("published");
    expect(refreshed).toHaveLength(2);
    expect(new Set(refreshed).size).toBe(2);
    const records = await pds.records(account.did);
    expect(records.map(({ value }) => value.text)).toEqual(["First", "Second"]);
  });

  it("of a suspended account marks the profile once, and nothing is posted", async () => {
    const broken: string[] = [];
    social.on("profile.needs_attention", ({ profile: each }) => broken.push(each.id));
    await pds.takeDown(account.did);
    const post = await create({ text: "Never" });
    expect(post.targets[0]).toMatchObject({ status: "failed", error: { code: "profile_unavailable" } });
    expect((await social.profiles.check(profile.id)).status).toBe("needs_attention");
    expect(broken).toEqual([profile.id]);
    // The server shows nothing of a suspended account.
    await pds.restore(account.did);
    expect(await pds.records(account.did)).toEqual([]);
  });

  it("is reported as broken at a check when the server has suspended the account", async () => {
    await pds.takeDown(account.did);
    expect((await social.profiles.check(profile.id)).status).toBe("needs_attention");
  });
});

/** An access token as the test server signs them (its secret is public), long expired. */
function expiredToken(did: string): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = encode({ alg: "HS256", typ: "at+jwt" });
  const body = encode({
    scope: "com.atproto.appPass",
    sub: did,
    aud: "did:web:localhost",
    iat: 1_600_000_000,
    exp: 1_600_000_001,
  });
  const signature = createHmac("sha256", "jwt-secret").update(`${head}.${body}`).digest("base64url");
  return `${head}.${body}.${signature}`;
}
