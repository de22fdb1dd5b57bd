import { describe, expect, it } from "vitest";
import { createFindLocations } from "../../src/media/find-locations.ts";
import { memoryMediaStore } from "../../src/media/memory.ts";
import { readSource } from "../../src/media/open.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import type { MediaSource } from "../../src/networks/contract/plan.ts";
import { stillClock as clock, type FakeFile, fakeHost } from "./fake-host.ts";
import { cleaned, located } from "./located.ts";
import { join } from "./samples.ts";

const url = "https://files.example/a/b.jpg";
const photo = located("still.jpg");

/** A sender with one file on the web or in the store. */
function sender(file: FakeFile, store: MediaStore | null = null) {
  const host = fakeHost({ bytes: photo, ranges: "honoured", ...file });
  const findLocations = createFindLocations({ http: host.http, clock });
  const keyOf = (address: string) => (address.startsWith("own:") ? address.slice(4) : null);
  const opening = { http: host.http, clock, store, keyOf, findLocations };
  const send = async (source: Partial<MediaSource> = {}, slice?: { from: number; to: number }) =>
    new Uint8Array(await readSource({ url, ...source }, { maxBytes: 1_000_000, slice }, opening));
  return { ...host, send };
}

describe("a file at its URL", () => {
  it("is sent whole without its location", async () => {
    const { send, open } = sender({});
    expect(await send()).toEqual((await cleaned(photo)).bytes);
    expect(open()).toBe(0);
  });

  it("is sent in slices without its location, and only the first slice searches for it", async () => {
    const { send, requests } = sender({});
    const pieces = [];
    for (let from = 0; from < photo.length; from += 999) {
      pieces.push(await send({}, { from, to: Math.min(photo.length, from + 999) }));
    }
    expect(join(...pieces)).toEqual((await cleaned(photo)).bytes);
    expect(requests.filter((request) => !request.includes("-"))).toEqual(["GET"]);
  });

  it("is searched by another process that continues with its slices", async () => {
    const { send } = sender({});
    const slice = { from: 400, to: photo.length };
    expect(await send({}, slice)).toEqual((await cleaned(photo)).bytes.slice(400));
  });

  it("without a location is not searched again after it was at planning time", async () => {
    const { send, requests } = sender({});
    await send({ has_location: false, size_bytes: photo.length });
    expect(requests).toEqual(["GET"]);
  });

  it("loses a location after the unread part, with a range request", async () => {
    const video = located("silent.mp4");
    const index = video.length - Buffer.from(video).indexOf("moov") + 4;
    const size = 5_000_000;
    const long = join(
      video.subarray(0, video.length - index),
      Buffer.from([size >>> 24, (size >>> 16) & 255, (size >>> 8) & 255, size & 255]),
      Buffer.from("free"),
      new Uint8Array(size - 8),
      video.subarray(video.length - index),
    );
    const host = sender({ bytes: long });
    const options = { maxBytes: 10_000_000 };
    const findLocations = createFindLocations({ http: host.http, clock });
    const opening = { http: host.http, clock, store: null, keyOf: () => null, findLocations };
    const sent = new Uint8Array(await readSource({ url }, options, opening));
    expect([sent.length, Buffer.from(sent).includes("+10.5"), Buffer.from(sent).includes("loci")]).toEqual([
      long.length,
      false,
      false,
    ]);
    expect(host.sentBytes()).toBeLessThan(long.length + 100_000);
  });

  it("is not sent while its host fails, because it may have a location", async () => {
    const { send, open } = sender({ status: 503 });
    await expect(send()).rejects.toMatchObject({ code: "media_error", isPassing: true });
    expect(open()).toBe(0);
  });

  it("is sent after a partial search if its host does not support ranges", async () => {
    const { send } = sender({ ranges: "ignored" });
    expect(await send()).toEqual((await cleaned(photo)).bytes);
  });
});

describe("a file in the store", () => {
  it("is sent without its location, unless it was stored for the post", async () => {
    const store = memoryMediaStore();
    const body = new Blob([photo]).stream();
    await store.put("a/b", body, { contentType: "image/jpeg", sizeBytes: photo.length, remember: async () => {} });
    const { send } = sender({}, store);
    const right = (await cleaned(photo)).bytes;
    expect(await send({ url: "own:a/b" })).toEqual(right);
    expect(await send({ url: "own:a/b" }, { from: 300, to: 2_000 })).toEqual(right.slice(300, 2_000));
    expect(await send({ stored: { key: "a/b" } })).toEqual(photo);
  });
});
