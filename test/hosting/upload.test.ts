import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaOptions } from "../../src/hosting/options.ts";
import type { UploadSource } from "../../src/hosting/source.ts";
import { MediaStoreFailure } from "../../src/media/store/store.ts";
import { SocialError } from "../../src/wire/errors.ts";
import { fixture, fixtureFacts, fixturePath } from "../media/fixtures.ts";
import { gif, join as joined, jpeg, png, text, webm } from "../media/samples.ts";
import { expectAgreement, type HostingBench, hostingBench, hourMs, streamOf } from "../support/hosting.ts";

const picture = png(20, 10);

/** A file longer than the part that identifies its type. */
const longPicture = joined(jpeg(64, 64).subarray(0, -2), new Uint8Array(200_000).fill(0x5a), jpeg(64, 64).subarray(-2));

let bench: HostingBench;
let folder: string;

beforeEach(() => {
  bench = hostingBench();
  folder = mkdtempSync(join(tmpdir(), "postrider-upload-"));
});

afterEach(async () => {
  await expectAgreement(bench.storage, bench.kept);
  rmSync(folder, { recursive: true, force: true });
});

const upload = (source: UploadSource) => bench.clock.run(() => bench.social.media.upload(source));

async function refusalOf(source: UploadSource): Promise<SocialError> {
  const error = await upload(source).then(
    () => new Error("It was taken."),
    (failure: unknown) => failure,
  );
  if (SocialError.is(error)) return error;
  throw error;
}

describe("an upload", () => {
  it("returns the file's facts and its expiry", async () => {
    const item = await upload(picture);
    expect(item).toEqual({
      url: expect.stringMatching(/^https:\/\/app\.example\.com\/media\/[0-9a-f]{32}\/[0-9a-f]{32}$/),
      type: "image",
      content_type: "image/png",
      size_bytes: picture.length,
      status: "temporary",
      expires_at: "2026-11-22T12:00:00.000Z",
      created_at: "2026-11-21T12:00:00.000Z",
    });
    expect(bench.kept.names()).toHaveLength(1);
  });

  it.each<[string, () => UploadSource]>([
    ["bytes", () => picture],
    ["a Buffer", () => Buffer.from(picture)],
    ["a view of bytes", () => new DataView(picture.slice().buffer) as unknown as Uint8Array],
    ["an ArrayBuffer", () => picture.slice().buffer],
    ["a Blob", () => new Blob([picture.slice()])],
    ["a File whose name and type are wrong", () => new File([picture.slice()], "film.mp4", { type: "video/mp4" })],
    ["a stream", () => streamOf(picture, 7)],
    ["a Node stream", () => Readable.from([picture.subarray(0, 30), picture.subarray(30)])],
    ["a stream of known length", () => ({ stream: streamOf(picture, 7), size_bytes: picture.length })],
    ["a URL", () => ({ url: bench.sandbox.media.put("a.txt", picture, { contentType: "text/plain" }) })],
    [
      "a path",
      () => {
        writeFileSync(join(folder, "film.mov"), picture);
        return { path: join(folder, "film.mov") };
      },
    ],
  ])("of %s stores the same bytes", async (_, source) => {
    const { url, content_type, size_bytes } = await upload(source());
    expect([content_type, size_bytes]).toEqual(["image/png", picture.length]);
    const stream = await bench.kept.store.read(url.slice(url.indexOf("/media/") + 7));
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(picture);
  });

  it.each(Object.keys(fixtureFacts))("accepts %s, and stores all its facts", async (name) => {
    const bytes = fixture(name);
    const item = await upload({ path: fixturePath(name) });
    expect([item.content_type, item.size_bytes]).toEqual([fixtureFacts[name]?.mime_type, bytes.length]);
    const [row] = await bench.rows();
    expect(row?.private.facts).toMatchObject(JSON.parse(JSON.stringify(fixtureFacts[name])));
  });

  it("accepts a slow sender that makes progress", async () => {
    const bytes = longPicture;
    let offset = 0;
    const slow = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await bench.clock.sleep(29_000);
          if (offset >= bytes.length) return controller.close();
          controller.enqueue(bytes.slice(offset, offset + 20_000));
          offset += 20_000;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await upload(slow)).toMatchObject({ size_bytes: bytes.length });
  });

  it("accepts a sender that reuses one buffer", async () => {
    const bytes = longPicture;
    const buffer = new Uint8Array(500);
    let offset = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (offset >= bytes.length) return controller.close();
          const piece = bytes.subarray(offset, offset + buffer.length);
          buffer.set(piece);
          controller.enqueue(buffer.subarray(0, piece.length));
          offset += piece.length;
        },
      },
      { highWaterMark: 0 },
    );
    const { url } = await upload(stream);
    const kept = await bench.kept.store.read(url.slice(url.indexOf("/media/") + 7));
    expect(Buffer.compare(Buffer.from(await new Response(kept).arrayBuffer()), bytes)).toBe(0);
  });

  it("accepts a video that describes its sound at length before its images", async () => {
    const video = webm({ soundBytes: 6_000 });
    const address = bench.sandbox.media.put("a.webm", video);
    for (const source of [video, { url: address }]) {
      expect(await upload(source)).toMatchObject({ content_type: "video/webm", type: "video" });
    }
  });

  it("gives each file its own URL under its account's", async () => {
    const [one, two] = [await upload(picture), await upload(picture)];
    const other = await bench.clock.run(() => bench.social.forAccount("acct_2").media.upload(picture));
    const folders = [one, two, other].map(({ url }) => url.split("/").at(-2));
    expect(new Set([one.url, two.url, other.url]).size).toBe(3);
    expect(folders[0]).toBe(folders[1]);
    expect(folders[0]).not.toBe(folders[2]);
  });
});

function lockedStream(): ReadableStream {
  const stream = new Blob([picture.slice()]).stream();
  stream.getReader();
  return stream;
}

describe("an upload of an unsupported file", () => {
  const video = fixture("index-last.mp4");
  it.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "is empty"],
    ["a web page", text("<!doctype html><script>alert(1)</script>"), "is a web page (HTML)"],
    ["a drawing", text('<svg xmlns="http://www.w3.org/2000/svg"/>'), "is an SVG drawing"],
    ["a document", text("%PDF-1.7 …"), "is a PDF document"],
    ["an archive", text("PK\x03\x04 and more"), "is a ZIP archive"],
    ["text", text("Hello, this is no picture."), "is a text"],
    [
      "noise",
      Uint8Array.from({ length: 500 }, (_, index) => (index * 7919) % 251),
      "is not a supported image or video",
    ],
    ["a truncated PNG", picture.subarray(0, picture.length - 12), "is truncated"],
    ["a truncated video", video.subarray(0, video.length - 100), ""],
    ["a PNG with a page after it", joined(picture, text("<html><body>")), "is image/png with a web page in it"],
    [
      "a GIF of many frames",
      gif(
        2,
        2,
        Array.from({ length: 20_000 }, () => text("\x01\0")),
      ),
      "frames",
    ],
    ["a PNG of many pixels", png(50_000, 50_000 / 50_000).subarray(0, 40), "is truncated"],
  ])("such as %s is rejected by its content, and leaves nothing behind", async (_, bytes, problem) => {
    for (const source of [bytes, streamOf(bytes)]) {
      const { code, status, details } = await refusalOf(source);
      expect([code, status]).toEqual(["invalid_request", 400]);
      expect(details).toEqual([{ field: "file", code: "media_error", message: expect.stringContaining(problem) }]);
      expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);
    }
  });

  it("is also rejected if its URL is given", async () => {
    const page = bench.sandbox.media.put("a.png", text("<html></html>"));
    const gone = "https://media.sandbox.example/none.png";
    expect((await refusalOf({ url: page })).details).toEqual([
      { field: "url", code: "media_error", message: expect.stringContaining("is a web page") },
    ]);
    expect((await refusalOf({ url: gone })).details).toEqual([
      { field: "url", code: "media_error", message: expect.stringContaining("does not exist") },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["a string", "photo.jpg", "Must be bytes"],
    ["nothing", undefined, "Must be bytes"],
    ["null", null, "Must be bytes"],
    ["an empty object", {}, "Must be bytes"],
    ["a missing path", { path: "/nowhere/photo.jpg" }, "ENOENT"],
    ["a folder", { path: tmpdir() }, "is not a file"],
    ["a stream that is already being read", lockedStream(), "is already being read"],
    [
      "a stream of strings",
      new Blob(["text"]).stream().pipeThrough(new TextDecoderStream()),
      "something other than bytes",
    ],
    ["half a byte", { stream: streamOf(picture), size_bytes: 0.5 }, "whole number of bytes"],
    ["too few bytes", { stream: streamOf(picture), size_bytes: 5_000 }, "has a different length than announced"],
    ["too many bytes", { stream: streamOf(picture), size_bytes: 50 }, "has a different length than announced"],
  ])("is rejected if it is %s", async (_, source, message) => {
    const { code, details } = await refusalOf(source as UploadSource);
    expect([code, details[0]?.message]).toEqual(["invalid_request", expect.stringContaining(message)]);
    expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);
  });

  it("destroys a Node stream", async () => {
    const stream = Readable.from(
      (function* () {
        for (;;) yield Buffer.from("text ".repeat(1_000));
      })(),
    );
    await refusalOf(stream);
    await bench.clock.advance(0);
    expect(stream.destroyed).toBe(true);
  });

  it("cancels a web stream", async () => {
    let wasCancelled = false;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => controller.enqueue(text("text ".repeat(1_000))),
        cancel() {
          wasCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    await refusalOf(stream);
    expect(wasCancelled).toBe(true);
  });
});

describe("an upload of unknown length", () => {
  const long = joined(jpeg(64, 64).subarray(0, -2), new Uint8Array(3_000_000).fill(0x5a), jpeg(64, 64).subarray(-2));
  const bounded = (media: MediaOptions) => hostingBench({ media });

  it("reserves room as it arrives, and releases the rest", async () => {
    const kept: number[] = [];
    const source = streamOf(long, 100_000).pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        async transform(piece, controller) {
          controller.enqueue(piece);
          kept.push((await bench.rows())[0]?.size_bytes ?? 0);
        },
      }),
    );
    expect(await upload(source)).toMatchObject({ size_bytes: long.length });
    expect(Math.max(...kept)).toBeGreaterThanOrEqual(long.length);
    expect(new Set(kept).size).toBeGreaterThanOrEqual(3);
    expect((await bench.rows())[0]?.size_bytes).toBe(long.length);
  });

  it.each<[string, MediaOptions, string]>([
    ["one file", { maxFileBytes: long.length - 1 }, "maxFileBytes"],
    ["the account", { maxAccountBytes: long.length - 1 }, "maxAccountBytes"],
  ])("is rejected if it exceeds the room for %s, and leaves nothing behind", async (_, media, limit) => {
    bench = bounded(media);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(sent === 0 ? long.subarray(0, 100_000) : new Uint8Array(100_000));
          sent += 100_000;
        },
      },
      { highWaterMark: 0 },
    );
    const { status, message } = await refusalOf(endless);
    expect([status, message]).toEqual([413, expect.stringContaining(`(${limit})`)]);
    expect(sent).toBeLessThan(long.length + 300_000);
    expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);
  });

  it("may use exactly the remaining room", async () => {
    for (const media of [{ maxFileBytes: long.length }, { maxAccountBytes: long.length }]) {
      bench = bounded(media);
      expect(await upload(streamOf(long, 100_000))).toMatchObject({ size_bytes: long.length });
    }
  });
});

describe("a store that leaves open whether it has the file", () => {
  it("is asked to delete it immediately, and again a day later, when it can no longer arrive", async () => {
    const { kept } = bench;
    let arrive = async (): Promise<unknown> => undefined;
    const put: typeof kept.store.put = async (key, body, options) => {
      await kept.store.put(key, body, options);
      arrive = () => kept.store.put(key, streamOf(picture), { ...options, remember: async () => {} });
      throw new MediaStoreFailure("unavailable", "The store does not answer.");
    };
    bench = hostingBench({ kept: { ...kept, store: { ...kept.store, put } } });
    await expect(upload(picture)).rejects.toMatchObject({ name: "MediaStoreFailure" });
    expect([kept.names(), (await bench.social.media.list()).data]).toEqual([[], []]);
    await arrive();
    await bench.clock.advance(23 * hourMs);
    await bench.sweep();
    await bench.sweep();
    expect([kept.names(), await bench.rows()]).toEqual([[], []]);
  });
});

describe("a failing stream", () => {
  it("fails the upload with its reason, and leaves nothing behind", async () => {
    const broken = new Error("The sender hung up.");
    let pulls = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls > 200) controller.error(broken);
        else controller.enqueue(pulls === 1 ? jpeg(64, 64).subarray(0, 100) : new Uint8Array(1_000).fill(0x5a));
      },
    });
    await expect(upload(stream)).rejects.toBe(broken);
    expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);
  });

  it("without data is abandoned after idleMs, before its first byte or later", async () => {
    for (const start of [new Uint8Array(), jpeg(64, 64)]) {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => (start.length === 0 ? undefined : controller.enqueue(start)),
      });
      const error = await refusalOf(stream);
      expect([error.status, error.message]).toEqual([
        408,
        expect.stringContaining("No bytes of the file arrived for 30 s (idleMs)"),
      ]);
      expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);
    }
  });
});
