import { beforeEach, describe, expect, it } from "vitest";
import { createAddresses } from "../../src/hosting/address.ts";
import { createUploadSlots, defaultBounds } from "../../src/hosting/bounds.ts";
import { createHosting, type Hosting } from "../../src/hosting/hosting.ts";
import { createAddressSigner } from "../../src/hosting/signer.ts";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import { randomIds } from "../../src/ports/ids.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { fixture, fixtureFacts } from "../media/fixtures.ts";
import { silentLogger } from "../support/logger.ts";

const video = fixture("index-last.mp4");

let hosting: Hosting;
let store: MediaStore;
let url: string;

beforeEach(async () => {
  const clock = manualClock();
  store = memoryMediaStore();
  hosting = createHosting({
    storage: memoryStorage({ clock }),
    clock,
    ids: randomIds,
    logger: silentLogger,
    store,
    addresses: createAddresses("https://app.example.com/social/"),
    signer: createAddressSigner(["secret"]),
    bounds: defaultBounds,
    slots: createUploadSlots(defaultBounds),
    transformers: [],
    isPrivate: true,
    keepsLocation: false,
    untrustedHttp: () => Promise.reject(new Error("Nothing is fetched.")),
  });
  ({ url } = await hosting.forAccount("acct_1").upload(video));
});

const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer());

describe("a hosted file for a publisher", () => {
  it("is found and read without the network, private or not", async () => {
    const facts = JSON.parse(JSON.stringify(fixtureFacts["index-last.mp4"]));
    expect(await hosting.inspect(url, "acct_1")).toMatchObject({ ...facts, size_bytes: video.length });
    const opened = await hosting.open(url, "acct_1");
    expect(opened).toMatchObject({ ...facts, size_bytes: video.length, key: hosting.keyOf(url) });
    expect(Buffer.compare(await bytesOf(opened.stream), video)).toBe(0);
    const part = await hosting.open(url, "acct_1", { from: 10, to: 20 });
    expect(Buffer.compare(await bytesOf(part.stream), video.subarray(10, 20))).toBe(0);
  });

  it("is a media error for another account, and once it is deleted", async () => {
    const missing = { code: "media_error", isPassing: false };
    await expect(hosting.open(url, "acct_2")).rejects.toMatchObject(missing);
    await expect(hosting.inspect(url, "acct_2")).rejects.toMatchObject(missing);
    await store.delete(hosting.keyOf(url) ?? "");
    await expect(hosting.open(url, "acct_1")).rejects.toMatchObject({
      ...missing,
      message: /gone from the media store/,
    });
  });

  it.each([
    ["https://app.example.com/social/media", null],
    ["https://app.example.com/media/a/b", null],
    ["https://app.example.com/social/media/a", null],
    ["https://other.example.com/social/media/a", null],
    ["not an address", null],
    ["", null],
  ])("does not have the URL %s", (address, key) => {
    expect(hosting.keyOf(address)).toBe(key);
  });

  it("has equivalent URLs", () => {
    const key = hosting.keyOf(url);
    expect(key).toMatch(/^[0-9a-f]{32}\/[0-9a-f]{32}$/);
    for (const same of [`${url}?signature=x`, `${url}#a`, url.replace("https://app", "HTTPS://APP")]) {
      expect(hosting.keyOf(same)).toBe(key);
    }
  });
});
