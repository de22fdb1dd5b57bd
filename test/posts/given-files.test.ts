import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import type { PostFile } from "../../src/posts/given-files.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { png } from "../media/samples.ts";
import { connectAll } from "../support/connect.ts";
import { expectAgreement, type HostingBench, hostingBench, hourMs, streamOf } from "../support/hosting.ts";
import { createTestService } from "../support/service.ts";

const bytes = png(20, 10);
let folder = "";
let path = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-given-"));
  path = join(folder, "photo.png");
  writeFileSync(path, bytes);
});

afterAll(() => rmSync(folder, { recursive: true }));

let bench: HostingBench;
let profileIds: string[];

beforeEach(async () => {
  bench = hostingBench();
  profileIds = (await connectAll(bench)).map(({ id }) => id);
});

afterEach(() => expectAgreement(bench.storage, bench.kept));

const bodyOf = (given: Partial<CreatePost>): CreatePost => ({ profile_ids: profileIds, text: "A fox", ...given });
const create = (given: Partial<CreatePost>) => bench.clock.run(() => bench.social.posts.create(bodyOf(given)));

/** A stream that records whether it was read. */
function watchedStream(): { stream: ReadableStream<Uint8Array>; isRead(): boolean } {
  let isRead = false;
  const source = streamOf(bytes).getReader();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        isRead = true;
        const { done, value } = await source.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, isRead: () => isRead };
}

describe("a post's file", () => {
  it.each<[string, () => PostFile]>([
    ["bytes", () => bytes],
    ["a Buffer", () => Buffer.from(bytes)],
    ["an ArrayBuffer", () => Uint8Array.from(bytes).buffer],
    ["a Blob", () => new Blob([Uint8Array.from(bytes)])],
    ["a File", () => new File([Uint8Array.from(bytes)], "photo.png")],
    ["a stream", () => streamOf(bytes)],
    ["a Node.js stream", () => Readable.from([bytes])],
    ["a file on this machine", () => pathToFileURL(path)],
    ["one of these, with a description", () => ({ file: pathToFileURL(path), alt: "A fox" })],
  ])("may be %s", async (_, file) => {
    const post = await create({ media: [file()] });
    expect(post.status).toBe("published");
    expect(post.media).toMatchObject([{ type: "image", mime_type: "image/png", size_bytes: bytes.length }]);
    expect(await bench.social.media.list()).toMatchObject({ data: [{ url: post.media[0]?.url, status: "permanent" }] });
  });

  it("keeps its alt text, and its place among others", async () => {
    const { url } = await bench.clock.run(() => bench.social.media.upload(png(30, 10)));
    const post = await create({ media: [{ file: bytes, alt: "First" }, { url, alt: "Second" }, bytes] });
    expect(post.media.map(({ alt }) => alt)).toEqual(["First", "Second", null]);
    expect(post.media[1]?.url).toBe(url);
    expect(new Set(post.media.map((file) => file.url)).size).toBe(3);
  });

  it("may be for one network alone", async () => {
    const post = await create({
      networks: { mastodon: { media: { file: bytes, alt: "There alone" } }, discord: { media: [bytes] } },
    });
    expect(post).toMatchObject({ status: "published", media: [] });
    expect(bench.sandbox.mastodon.posts()[0]?.media).toBe(1);
    expect(bench.sandbox.bluesky.posts()[0]?.media).toBe(0);
    expect(bench.sandbox.discord.posts()[0]?.media).toBe(1);
    expect((await bench.social.media.list()).pagination.total).toBe(2);
  });

  it("may come with an update", async () => {
    const draft = await create({ draft: true });
    const updated = await bench.clock.run(() => bench.social.posts.update(draft.id, { media: [bytes] }));
    expect(updated.media).toHaveLength(1);
  });

  it("stays for a retry when the post has failed", async () => {
    bench.sandbox.mastodon.faults.add({
      kind: "refuse",
      answer: { status: 422, json: { error: "Validation failed: Text is not nice" } },
      operation: "commit",
    });
    const mastodon = { profile_ids: profileIds.slice(1, 2) };
    const failed = await create({ media: [bytes], ...mastodon });
    expect(failed.status).toBe("failed");
    const retried = await bench.clock.run(() => bench.social.posts.retry(failed.id));
    expect(retried.status).toBe("published");
  });
});

describe("no file is kept", () => {
  const nothing = async () => expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);

  it("of a rejected body, and its streams are not read", async () => {
    const { stream, isRead } = watchedStream();
    await expect(create({ media: [stream, { file: bytes, alt: 7 as never }] })).rejects.toMatchObject({
      details: [{ field: "media[1].alt" }],
    });
    expect(isRead()).toBe(false);
    await nothing();
  });

  it("of a post that cannot be created: its files are deleted again", async () => {
    await expect(create({ media: [bytes], text: "x".repeat(9_000) })).rejects.toMatchObject({
      code: "invalid_request",
    });
    await expect(create({ media: [bytes], profile_ids: ["prof_none"] })).rejects.toMatchObject({
      details: [{ field: "profile_ids[0]" }],
    });
    const scheduled_at = new Date(bench.clock.now() + hourMs).toISOString();
    const prepared = bench.clock.run(() => bench.social.posts.prepare(bodyOf({ media: [bytes], scheduled_at })));
    await expect(prepared).rejects.toMatchObject({ message: expect.stringContaining("no transactions") });
    await nothing();
  });

  it("where one of them is not a file: the error names it", async () => {
    const broken = create({ media: [bytes, { file: new Blob(["<svg/>"]) }] });
    await expect(broken).rejects.toMatchObject({
      code: "invalid_request",
      details: [
        {
          field: "media[1].file",
          code: "media_error",
          message: expect.stringContaining("is an XML document, not a supported image or video"),
        },
      ],
    });
    await expect(create({ networks: { discord: { media: [Buffer.alloc(0)] } } })).rejects.toMatchObject({
      details: [{ field: "networks.discord.media[0]", network: "discord", code: "media_error" }],
    });
    await expect(create({ media: [pathToFileURL(join(folder, "none.png"))] })).rejects.toMatchObject({
      details: [{ field: "media[0]", message: expect.stringContaining("none.png cannot be read (ENOENT)") }],
    });
    await nothing();
  });

  it("by validate, which reports how each network would get them", async () => {
    const plan = await bench.clock.run(() => bench.social.posts.validate(bodyOf({ media: [bytes] })));
    expect(plan).toMatchObject({ valid: true, targets: profileIds.map(() => ({ media: [{ type: "image" }] })) });
    await nothing();
  });

  it("of a request whose key was used before: it is not even read", async () => {
    const first = await create({ media: [bytes], idempotency_key: "fox-0001" });
    const { stream, isRead } = watchedStream();
    expect((await create({ media: [stream], idempotency_key: "fox-0001" })).id).toBe(first.id);
    expect(isRead()).toBe(false);
    expect(await bench.rows()).toHaveLength(1);
  });

  it("twice for concurrent requests with one key", async () => {
    const body = bodyOf({ media: [bytes], idempotency_key: "fox-0002" });
    const [one, other] = await bench.clock.run(() =>
      Promise.all([bench.social.posts.create(body), bench.social.posts.create(body)]),
    );
    expect(one.id).toBe(other.id);
    expect(await bench.rows()).toHaveLength(1);
  });
});

describe("a JSON body of a client", () => {
  it.each<[string, unknown]>([
    ["a path as a string", () => path],
    ["the URL of a local file", () => pathToFileURL(path).href],
    ["an object with a path", () => ({ path })],
    ["an object with a file given by path", () => ({ file: path })],
    ["an object with a file given by URL", () => ({ file: pathToFileURL(path).href })],
    ["bytes in their JSON form", () => JSON.parse(JSON.stringify(Buffer.from(bytes)))],
    ["a described file in its JSON form", () => JSON.parse(JSON.stringify({ file: Buffer.from(bytes) }))],
  ])("cannot name a file of the host: %s", async (_, item) => {
    const media = [(item as () => PostFile)()];
    await expect(create({ media })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(create({ networks: { discord: { media } } as never })).rejects.toMatchObject({
      code: "invalid_request",
    });
    const { key } = await bench.social.keys.create();
    const handler = createHandler(bench.social, { basePath: "/social" });
    const response = await bench.clock.run(() =>
      handler(
        new Request("https://app.example.com/social/v1/posts", {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(bodyOf({ media })),
        }),
      ),
    );
    expect(response.status).toBe(400);
    expect(await bench.rows()).toEqual([]);
  });
});

it("an error says what to do where files cannot be kept", async () => {
  const service = createTestService({ mediaStore: undefined as never });
  const [{ id }] = await connectAll(service);
  await expect(service.social.posts.create({ profile_ids: [id], media: [bytes] })).rejects.toMatchObject({
    code: "unsupported",
    details: [{ field: "media[0]", message: expect.stringContaining("Set createSocialService's mediaStore") }],
  });
});
