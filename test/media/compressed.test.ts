import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectMedia } from "../../src/media/fetch.ts";
import { openSlice } from "../../src/media/fetch-slice.ts";
import { openMedia } from "../../src/media/fetch-stream.ts";
import { findLocationsAt } from "../../src/media/find-locations.ts";
import { createUntrustedHttp } from "../../src/outbound/guard/guard.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { fixture } from "./fixtures.ts";
import { located } from "./located.ts";
import { join, movie, png } from "./samples.ts";

/** Its metadata come after half a megabyte. */
const largePicture = join(png(7, 5).subarray(0, -12), new Uint8Array(900_000), png(7, 5).subarray(-12));
const video = movie("isom", "last", { width: 1280, height: 720, seconds: 2 }, 300_000);
const files: Readonly<Record<string, Uint8Array>> = {
  "/still.png": fixture("still.png"),
  "/still.jpg": fixture("still.jpg"),
  "/animated.webp": fixture("animated.webp"),
  "/large.png": largePicture,
  "/film.mp4": video,
  "/located.jpg": located("still.jpg"),
};

/** Compresses every response, whatever the request: its lengths and ranges are those of the compressed bytes. */
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const sent = gzipSync(files[request.url ?? ""] ?? new Uint8Array());
    const headers = { "content-encoding": "gzip", etag: '"1"' };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (from === undefined) {
      response.writeHead(200, { ...headers, "content-length": sent.length });
      response.end(request.method === "HEAD" ? undefined : sent);
      return;
    }
    const part = sent.subarray(Number(from), to ? Number(to) + 1 : sent.length);
    const range = `bytes ${from}-${to || sent.length - 1}/${sent.length}`;
    response.writeHead(206, { ...headers, "content-range": range, "content-length": part.length }).end(part);
  });
  // Node's fetch reuses connections. Closing one at the moment of its reuse, after Node's 5 s, is not tested here.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const clients: readonly [string, () => typeof fetch][] = [
  ["the service's own client", () => createUntrustedHttp({ clock: systemClock, allow: [origin] })],
  // It decodes the body, and does not change the headers.
  ["Node's fetch", () => fetch],
];

describe.each(clients)("a file from a host that always compresses, read by %s,", (_name, client) => {
  const media = () => ({ http: client(), clock: systemClock });

  it.each(["/still.png", "/still.jpg", "/animated.webp", "/large.png"])(
    "has its uncompressed length: %s",
    async (path) => {
      const bytes = files[path] ?? new Uint8Array();
      const found = await inspectMedia(`http://${origin}${path}`, media());
      expect(found.size_bytes).toBe(bytes.length);
    },
  );

  it("has no wrong length if it is a video", async () => {
    const found = await inspectMedia(`http://${origin}/film.mp4`, media());
    expect([found.width, found.size_bytes]).toEqual([1280, video.length]);
  });

  it.each(Object.keys(files))("arrives complete, with the planned length: %s", async (path) => {
    const url = `http://${origin}${path}`;
    const planned = await inspectMedia(url, media());
    const { stream, size_bytes } = await openMedia(url, { ...media(), maxBytes: 10_000_000, expect: planned });
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    expect([bytes, size_bytes]).toEqual([files[path], bytes.length]);
  });

  it("is searched for locations", async () => {
    expect((await findLocationsAt(`http://${origin}/located.jpg`, media())).length).toBeGreaterThan(0);
  });

  it("is not sent in slices of its compressed bytes", async () => {
    const slice = openSlice(`http://${origin}/film.mp4`, { from: 0, to: 10 }, { ...media(), maxBytes: 10_000_000 });
    await expect(slice).rejects.toMatchObject({ code: "media_error", message: expect.stringContaining("in ranges") });
  });
});
