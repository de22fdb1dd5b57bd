import { describe, expect, it } from "vitest";
import { inspectMedia } from "../../src/media/fetch.ts";
import { openMedia } from "../../src/media/fetch-stream.ts";
import { readSource } from "../../src/media/open.ts";
import type { MediaHttp } from "../../src/media/ports.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { orientationExif } from "./exif/tiff.ts";
import { clockThatEnds, type FakeFile, fakeHost, stillClock } from "./fake-host.ts";
import { join, jpeg, little, movie, png, samples, text, webm } from "./samples.ts";

const url = "https://files.example/a/b.png?key=secret";
const clock = stillClock;

async function failureOf(promise: Promise<unknown>): Promise<PublishingError> {
  const error: unknown = await promise.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PublishingError);
  return error as PublishingError;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function readMedia(url: string, { maxBytes, ...media }: MediaHttp & { maxBytes: number }): Promise<Uint8Array> {
  return readSource({ url }, { maxBytes }, { ...media, store: null, keyOf: () => null, findLocations: null });
}

/** A large file whose first bytes suffice. */
const large = join(png(7, 5), new Uint8Array(5_000_000));
const size = { width: 1280, height: 720 };
/** Its index is two megabytes away. */
const indexLast = movie("isom", "last", { ...size, seconds: 2 }, 2_000_000);

describe("inspectMedia", () => {
  it.each(samples)(
    "recognizes a %s, whatever its name and content type",
    async (_name, bytes, mime_type, width, height) => {
      const host = fakeHost({ bytes });
      const found = await inspectMedia(url, { http: host.http, clock });
      expect(found).toMatchObject({ url, mime_type, width, height, size_bytes: bytes.length });
      expect([host.requests, host.open()]).toEqual([["GET"], 0]);
    },
  );

  it("reads only the head of a large file", async () => {
    const host = fakeHost({ bytes: large });
    expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ size_bytes: large.length, width: 7 });
    expect(host.sentBytes()).toBeLessThan(10_000);
    expect(host.open()).toBe(0);
  });

  it.each([
    ["length", large.length],
    ["no length", null],
    ["refused", null],
  ] as const)("requests a video's length with HEAD if the GET response has none (%s → %s)", async (head, length) => {
    const bytes = movie("isom", "first", { ...size, seconds: 2 }, 5_000_000);
    const host = fakeHost({ bytes, isLengthHidden: true, head });
    const size_bytes = length === null ? null : bytes.length;
    expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ size_bytes });
    expect([host.requests.at(-1), host.sentBytes() < 10_000]).toEqual(["HEAD", true]);
  });

  it.each(["no length", "refused"] as const)(
    "counts an image's bytes if no response has its length (HEAD: %s)",
    async (head) => {
      const host = fakeHost({ bytes: large, isLengthHidden: true, head });
      expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ size_bytes: large.length });
      expect([host.requests, host.open()]).toEqual([["GET", "HEAD"], 0]);
    },
  );

  it("does not count an endless image", async () => {
    const host = fakeHost({ bytes: png(7, 5), isLengthHidden: true, afterwards: "zeros" });
    expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ size_bytes: null });
    expect([host.sentBytes() < 17_000_000, host.open()]).toEqual([true, 0]);
  });

  it("waits at most 4 s for the end of an image that it counts", async () => {
    const host = fakeHost({ bytes: large, isLengthHidden: true, cutAtBytes: 300_000, afterwards: "silence" });
    const hurried = clockThatEnds(4_000);
    expect(await inspectMedia(url, { http: host.http, clock: hurried })).toMatchObject({ size_bytes: null });
    expect(host.open()).toBe(0);
  });

  it("knows the length of a file whose end it has read", async () => {
    const bytes = movie("isom", "last", size).subarray(0, 900);
    const host = fakeHost({ bytes, isLengthHidden: true });
    expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ size_bytes: 900 });
    expect(host.requests).toEqual(["GET"]);
  });

  it("requests the end of a video if the server supports ranges", async () => {
    const host = fakeHost({ bytes: indexLast, ranges: "honoured" });
    const found = await inspectMedia(url, { http: host.http, clock });
    expect(found).toMatchObject({ ...size, duration_seconds: 2, size_bytes: indexLast.length });
    expect(host.requests).toEqual(["GET", expect.stringMatching(/^GET bytes=2000\d+-$/)]);
    expect(host.sentBytes()).toBeLessThan(10_000);
    expect(host.open()).toBe(0);
  });

  it("reads the end of a large image, and little of the rest", async () => {
    const picture = join(png(7, 5).subarray(0, -12), new Uint8Array(5_000_000), png(7, 5).subarray(-12));
    const host = fakeHost({ bytes: picture, ranges: "honoured" });
    expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ width: 7 });
    expect(host.requests).toEqual(["GET", expect.stringMatching(/^GET bytes=49\d+-$/)]);
    expect([host.sentBytes() < 40_000, host.open()]).toEqual([true, 0]);
  });

  it("requests the end of a large WebP with its EXIF there, and reads little of the rest", async () => {
    const chunk = (name: string, content: Uint8Array) => join(text(name), little(content.length, 4), content);
    const extended = chunk("VP8X", join(Uint8Array.of(0x08, 0, 0, 0), little(63, 3), little(47, 3)));
    const whole = join(extended, chunk("VP8 ", new Uint8Array(5_000_000)), chunk("EXIF", orientationExif(6)));
    const bytes = join(text("RIFF"), little(whole.length + 4, 4), text("WEBP"), whole);
    const host = fakeHost({ bytes, ranges: "honoured" });
    expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ width: 48, height: 64 });
    expect([host.sentBytes() < 100_000, host.open()]).toEqual([true, 0]);
  });

  it.each([
    ["is truncated", join(png(7, 5).subarray(0, -12), new Uint8Array(5_000_000))],
    ["is image/png with a web page in it", join(png(7, 5), new Uint8Array(5_000_000), text("<script>1</script>"))],
  ])("reports that a large image %s", async (problem, bytes) => {
    const { http } = fakeHost({ bytes, ranges: "honoured" });
    const failure = await failureOf(inspectMedia(url, { http, clock }));
    expect([failure.code, failure.isPassing]).toEqual(["media_error", false]);
    expect(failure.message).toContain(`files.example/a/b.png ${problem}`);
  });

  it("waits at most 2 s for an image's end, and then closes the connection", async () => {
    const host = fakeHost({ bytes: join(png(7, 5), new Uint8Array(5_000_000)), ranges: "honoured" });
    const [asked, released] = [deferred(), deferred()];
    const http = (async (address: string, init?: RequestInit) => {
      if (new Headers(init?.headers).has("range")) {
        asked.resolve();
        await released.promise;
      }
      return host.http(address, init);
    }) as typeof fetch;
    const hurried = { ...clock, sleep: (ms: number) => (ms === 2_000 ? asked.promise : new Promise<void>(() => {})) };
    expect(await inspectMedia(url, { http, clock: hurried })).toMatchObject({ width: 7 });
    released.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect([host.requests.length, host.open()]).toEqual([2, 0]);
  });

  it("reports an interrupted download of an image as a temporary failure, although the bytes look truncated", async () => {
    const bytes = join(jpeg(640, 480), new Uint8Array(100_000));
    const failure = await failureOf(inspectMedia(url, { http: fakeHost({ bytes, cutAtBytes: 60_000 }).http, clock }));
    expect([failure.isPassing, failure.message]).toEqual([true, expect.stringContaining("60000 of")]);
  });

  it("knows the bitrate of a video whose length only a HEAD response has", async () => {
    const host = fakeHost({
      bytes: movie("isom", "first", { ...size, seconds: 2 }, 700_000),
      isLengthHidden: true,
      head: "length",
    });
    const found = await inspectMedia(url, { http: host.http, clock });
    expect(found.bitrate).toBe(((found.size_bytes ?? 0) * 8) / 2);
  });

  it.each(["ignored", "refused", "wrong"] as const)("leaves the dimensions out if ranges are %s", async (ranges) => {
    const host = fakeHost({ bytes: indexLast, ranges });
    const found = await inspectMedia(url, { http: host.http, clock });
    expect(found).toMatchObject({ type: "video", width: null, height: null, size_bytes: indexLast.length });
    expect(host.sentBytes()).toBeLessThan(10_000);
    expect([host.requests.length, host.open()]).toEqual([2, 0]);
  });

  it("sends only a few range requests", async () => {
    const steps = Array.from({ length: 20 }, () => movie("isom", "last", size, 1_000_000));
    const bytes = join(...steps);
    // Twenty files in a row: their boxes are to skip, because each index is renamed.
    for (let at = bytes.indexOf(0x6d); at !== -1; at = bytes.indexOf(0x6d, at + 1)) {
      if (bytes[at + 1] === 0x6f && bytes[at + 2] === 0x6f && bytes[at + 3] === 0x76) bytes[at] = 0x78;
    }
    const host = fakeHost({ bytes, ranges: "honoured" });
    expect(await inspectMedia(url, { http: host.http, clock })).toMatchObject({ width: null });
    expect(host.requests.length).toBeLessThanOrEqual(4);
  });

  it("follows redirects and requests uncompressed bytes", async () => {
    const inits: (RequestInit | undefined)[] = [];
    const { http } = fakeHost({ bytes: large, isLengthHidden: true });
    const spy = ((address: string, init?: RequestInit) => {
      inits.push(init);
      return http(address, init);
    }) as typeof fetch;
    await inspectMedia(url, { http: spy, clock });
    for (const init of inits) {
      expect(init?.redirect).toBe("follow");
      expect(new Headers(init?.headers).get("accept-encoding")).toBe("identity");
    }
    expect(inits).toHaveLength(2);
  });

  it("aborts the request after 10 s", async () => {
    let signal: AbortSignal | null | undefined;
    const http = ((_url: string, init?: RequestInit) => {
      signal = init?.signal;
      return new Promise(() => {});
    }) as typeof fetch;
    const failure = await failureOf(inspectMedia(url, { http, clock: clockThatEnds(10_000) }));
    expect(failure.message).toContain("within 10 s");
    expect(signal?.aborted).toBe(true);
  });
});

const failures: [what: string, file: FakeFile, message: string][] = [
  ["a missing file", { status: 404 }, "does not exist (status 404)"],
  ["a file that needs a sign-in", { status: 403 }, "is not public (status 403)"],
  ["a broken server", { status: 500 }, "status 500"],
  ["a redirect to nowhere", { status: 302 }, "status 302"],
  ["a partial response", { bytes: png(1, 1), status: 206 }, "status 206"],
  ["an empty file", {}, "is empty"],
  ["an empty file of unknown length", { isLengthHidden: true }, "is empty"],
  [
    "a web page with an image's name",
    { bytes: text("<!doctype html><title>Log in</title>") },
    "is a web page (HTML), not a supported image or video",
  ],
  [
    "a drawing",
    { bytes: text("<svg xmlns='http://www.w3.org/2000/svg'/>") },
    "is an SVG drawing, not a supported image or",
  ],
  ["bytes of an unknown kind", { bytes: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) }, "is not a supported image or video"],
  ["a truncated file", { bytes: webm(), cutAtBytes: 60 }, "was cut short: 60 of"],
  ["a file over the limit", { bytes: large }, "is larger than 1000000 bytes"],
];

describe("a failed inspection", () => {
  it.each(failures)("names %s", async (_what, file, message) => {
    for (const read of [inspectMedia, readMedia]) {
      const failure = await failureOf(read(url, { http: fakeHost(file).http, clock, maxBytes: 1_000_000 }));
      expect(failure.code).toBe("media_error");
      expect(failure.message).toContain(message);
      expect(failure.message).toContain("files.example/a/b.png");
      expect(failure.message).not.toContain("secret");
    }
  });

  it.each([
    ["500", { status: 500 }, true],
    ["503", { status: 503 }, true],
    ["429", { status: 429 }, true],
    ["truncated", { bytes: webm(), cutAtBytes: 60 }, true],
    ["404", { status: 404 }, false],
    ["403", { status: 403 }, false],
    ["empty", {}, false],
    ["too large", { bytes: large }, false],
  ] satisfies [string, FakeFile, boolean][])("is marked as temporary or not: %s", async (_what, file, isPassing) => {
    for (const read of [inspectMedia, readMedia]) {
      const failure = await failureOf(read(url, { http: fakeHost(file).http, clock, maxBytes: 1_000_000 }));
      expect(failure.isPassing).toBe(isPassing);
    }
  });

  it.each([
    ["ADDRESS_REFUSED", "address refused: loopback", "is not fetched: address refused: loopback"],
    ["REDIRECT_FAILED", "after a redirect: address refused: private", "address refused: private"],
    ["ENOTFOUND", "getaddrinfo ENOTFOUND files.example", "could not be read: the hostname did not resolve"],
    ["NOT_SIMULATED", "the sandbox simulates no host", "could not be read: the sandbox simulates no such host"],
  ])("gives the reason for a missing response: %s", async (code, reason, message) => {
    const cause = Object.assign(new Error(reason), { code });
    const http = (async () => {
      throw new TypeError("fetch failed", { cause });
    }) as typeof fetch;
    for (const read of [inspectMedia, readMedia]) {
      const failure = await failureOf(read(url, { http, clock, maxBytes: 1_000 }));
      expect(failure.code).toBe("media_error");
      expect(failure.message).toContain(message);
      expect((failure.cause as Error).cause).toMatchObject({ message: reason, code });
    }
  });

  it("names a string that is not a URL", async () => {
    const http = (async () => {
      throw new TypeError("fetch failed");
    }) as typeof fetch;
    expect((await failureOf(inspectMedia("b.png", { http, clock }))).message).toContain("is not a URL");
  });
});

describe("openMedia", () => {
  it("streams the whole file and returns its facts", async () => {
    const host = fakeHost({ bytes: large });
    const opened = await openMedia(url, { http: host.http, clock, maxBytes: large.length });
    expect(opened).toMatchObject({ size_bytes: large.length, mime_type: "image/png" });
    expect(host.sentBytes()).toBeLessThan(10_000);
    const bytes = new Uint8Array(await new Response(opened.stream).arrayBuffer());
    expect(Buffer.compare(bytes, large)).toBe(0);
    expect(host.open()).toBe(0);
  });

  it("reads on if a video describes its sound at length before its images", async () => {
    const video = webm({ soundBytes: 6_000 });
    const opened = await openMedia(url, { http: fakeHost({ bytes: video }).http, clock, maxBytes: 10_000 });
    expect(opened.mime_type).toBe("video/webm");
    const bytes = new Uint8Array(await new Response(opened.stream).arrayBuffer());
    expect(Buffer.compare(bytes, video)).toBe(0);
  });

  it("reads no faster than its reader", async () => {
    const host = fakeHost({ bytes: large });
    const { stream } = await openMedia(url, { http: host.http, clock, maxBytes: large.length });
    const reader = stream.getReader();
    await reader.read();
    await reader.read();
    expect(host.sentBytes()).toBeLessThan(10_000);
    await reader.cancel();
    expect(host.open()).toBe(0);
  });

  it("stops an endless stream at the limit", async () => {
    const host = fakeHost({ bytes: png(7, 5), isLengthHidden: true, afterwards: "zeros" });
    const failure = await failureOf(readMedia(url, { http: host.http, clock, maxBytes: 50_000 }));
    expect(failure.message).toContain("larger than 50000 bytes");
    expect(host.sentBytes()).toBeGreaterThan(50_000);
    expect(host.sentBytes()).toBeLessThan(52_000);
    expect(host.open()).toBe(0);
  });

  it("accepts a file of exactly the limit", async () => {
    const http = fakeHost({ bytes: large, isLengthHidden: true }).http;
    expect((await readMedia(url, { http, clock, maxBytes: large.length })).length).toBe(large.length);
    const failure = await failureOf(readMedia(url, { http, clock, maxBytes: large.length - 1 }));
    expect(failure.message).toContain("limit");
  });

  it("errors the stream if the file is truncated after its head", async () => {
    const host = fakeHost({ bytes: large, cutAtBytes: 100_000 });
    const { stream } = await openMedia(url, { http: host.http, clock, maxBytes: large.length });
    const failure = await failureOf(new Response(stream).arrayBuffer());
    expect(failure.message).toContain("was cut short: 100000 of");
  });

  it("errors the stream if a server sends more than it announced", async () => {
    const host = fakeHost({ bytes: large, headers: { "content-length": "1000" } });
    await failureOf(readMedia(url, { http: host.http, clock, maxBytes: 100_000 }));
    expect(host.sentBytes()).toBeLessThan(200_000);
    expect(host.open()).toBe(0);
  });

  it.each([
    [10_000, "sent nothing for 10 s"],
    [600_000, "took longer than 10 min"],
  ])("aborts a download whose time is over (%d ms)", async (ms, message) => {
    const host = fakeHost({ bytes: png(7, 5), isLengthHidden: true, afterwards: "silence" });
    const failure = await failureOf(readMedia(url, { http: host.http, clock: clockThatEnds(ms), maxBytes: 50_000 }));
    expect(failure.code).toBe("media_error");
    expect(failure.message).toContain(message);
  });

  it.each([
    [{ mime_type: "image/jpeg" }, "it was image/jpeg and is image/png now"],
    [{ size_bytes: 3 }, `it was 3 and is ${large.length} now`],
  ])("detects that a file has changed since %j", async (expect_, message) => {
    const options = { http: fakeHost({ bytes: large }).http, clock, maxBytes: large.length, expect: expect_ };
    expect((await failureOf(openMedia(url, options))).message).toContain(message);
  });

  it("opens an inspected file", async () => {
    const { http } = fakeHost({ bytes: indexLast, ranges: "honoured" });
    const { mime_type, size_bytes } = await inspectMedia(url, { http, clock });
    const options = { http, clock, maxBytes: indexLast.length, expect: { mime_type, size_bytes } };
    expect((await readMedia(url, options)).length).toBe(indexLast.length);
  });
});
