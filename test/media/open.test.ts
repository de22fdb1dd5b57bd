import { describe, expect, it } from "vitest";
import { memoryMediaStore } from "../../src/media/memory.ts";
import { readSource } from "../../src/media/open.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import type { MediaSource } from "../../src/networks/contract/plan.ts";
import { stillClock as clock, type FakeFile, fakeHost } from "./fake-host.ts";
import { join, png } from "./samples.ts";

const url = "https://files.example/a/b.png";
const bytes = join(
  png(7, 5),
  Uint8Array.from({ length: 50_000 }, (_, index) => index % 251),
);
const slice = { from: 20_000, to: 40_001 };

/** Files at the service's own URLs. */
const keyOf = (address: string): string | null =>
  address.startsWith("https://own.example/") ? address.slice(20) : null;

interface Read {
  source?: Partial<MediaSource>;
  slice?: typeof slice;
  file?: FakeFile;
  maxBytes?: number;
  store?: MediaStore | null;
}

async function read({ source, file, maxBytes = 100_000, store = null, ...given }: Read) {
  const host = fakeHost({ bytes, ranges: "honoured", ...file });
  const found = await readSource(
    { url, ...source },
    { maxBytes, ...given },
    { http: host.http, clock, store, keyOf, findLocations: null },
  );
  return { found: Buffer.from(found), ...host };
}

describe("a file at its URL", () => {
  it("is read completely", async () => {
    const { found, requests } = await read({ source: { size_bytes: bytes.length, mime_type: "image/png" } });
    expect(found.equals(bytes)).toBe(true);
    expect(requests).toEqual(["GET"]);
  });

  it.each([
    ["another size", { size_bytes: 49_000 }, /has changed since the post was planned: it was 49000 and is \d+ now/],
    ["another type", { mime_type: "image/jpeg" }, "it was image/jpeg and is image/png now; create the post again"],
  ])("is rejected if it has %s than when the post was planned", async (_what, source, message) => {
    await expect(read({ source })).rejects.toThrow(message);
  });

  it("is the planned one even if its host names another version: each of several servers may name its own", async () => {
    await expect(read({ source: { etag: '"1"' }, file: { headers: { etag: '"2"' } } })).resolves.toBeDefined();
  });
});

describe("a slice of a file at its URL", () => {
  it("is read without the rest of the file", async () => {
    const { found, requests, sentBytes, open } = await read({ slice });
    expect(found.equals(bytes.subarray(slice.from, slice.to))).toBe(true);
    expect([requests, sentBytes(), open()]).toEqual([["GET bytes=20000-40000"], 20_001, 0]);
  });

  it.each([
    [
      "does not support ranges",
      { ranges: "ignored" },
      "must be read in ranges, which its host does not support; upload it first",
    ],
    [
      "sends another range",
      { ranges: "wrong" },
      "must be read in ranges, which its host does not support; upload it first",
    ],
    ["reports an earlier end", { ranges: "refused" }, "became shorter after the post was planned"],
    ["fails", { ranges: "ignored", status: 503 }, "returned status 503"],
    ["has another version", { headers: { etag: '"2"' } }, "has changed since the post was planned"],
    ["breaks the connection", { cutAtBytes: 30_000 }, "was cut short: 10000 of 20001 bytes arrived"],
  ] satisfies [string, FakeFile, string][])("is rejected if its host %s", async (_what, file, message) => {
    const source = "headers" in file ? { etag: '"1"' } : {};
    await expect(read({ slice, source, file })).rejects.toThrow(message);
  });

  it("is rejected if the file is too large, or of another size than planned", async () => {
    await expect(read({ slice, maxBytes: 40_000 })).rejects.toThrow("is larger than 40000 bytes");
    await expect(read({ slice, source: { size_bytes: 7 } })).rejects.toThrow("has changed since the post was planned");
  });

  it("leaves no connection open if it is rejected", async () => {
    const host = fakeHost({ bytes, ranges: "ignored" });
    const signals: (AbortSignal | null | undefined)[] = [];
    const http: typeof fetch = (input, init) => {
      signals.push(init?.signal);
      return host.http(input, init);
    };
    const options = { maxBytes: 100_000, slice };
    await expect(
      readSource({ url }, options, { http, clock, store: null, keyOf, findLocations: null }),
    ).rejects.toThrow();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });
});

describe("a file in the store", () => {
  const stored = { key: "a/b" };

  async function filled(): Promise<MediaStore> {
    const store = memoryMediaStore();
    const body = new Blob([bytes]).stream();
    await store.put(stored.key, body, { contentType: "image/png", sizeBytes: bytes.length, remember: async () => {} });
    return store;
  }

  it("is read from the store, whole or in slices, without a request to its URL", async () => {
    const store = await filled();
    for (const [given, from, to] of [
      [{}, 0, bytes.length],
      [{ slice }, slice.from, slice.to],
    ] as const) {
      const { found, requests } = await read({ source: { stored }, store, ...given });
      expect(found.equals(bytes.subarray(from, to))).toBe(true);
      expect(requests).toEqual([]);
    }
  });

  it("is not fetched from its own URL", async () => {
    const { found, requests } = await read({
      source: { url: `https://own.example/${stored.key}` },
      store: await filled(),
    });
    expect([found.equals(bytes), requests]).toEqual([true, []]);
  });

  it("is rejected if it is gone, too large, or the process has no store", async () => {
    const store = await filled();
    await expect(read({ source: { stored }, store, maxBytes: 9 })).rejects.toThrow("larger than 9 bytes");
    await expect(read({ source: { stored } })).rejects.toThrow("a media store that this process does not have");
    await store.delete(stored.key);
    await expect(read({ source: { stored }, store })).rejects.toThrow("is no longer in the media store");
  });
});
