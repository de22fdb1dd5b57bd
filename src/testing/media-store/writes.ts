import { expect } from "vitest";
import { type MediaStore, MediaStoreFailure } from "../../media/store/store.ts";
import { bodyOf, bytesOf, collect, hangingBody, isSame, longBytes, png, putBytes } from "./bodies.ts";
import type { MediaStoreCase } from "./case.ts";

const short = bytesOf(1000);
const long = bytesOf(longBytes);

const lengths = [
  { length: "short", bytes: short },
  { length: "long", bytes: long },
];

const written: readonly MediaStoreCase[] = [
  {
    test: "stores a file with its type and length",
    async run({ store, another }) {
      const told = { contentType: "video/mp4", sizeBytes: short.length };
      expect(await putBytes(store, "a.mp4", short, told)).toEqual({ size_bytes: short.length });
      expect(await another.head("a.mp4")).toEqual({ size_bytes: short.length, content_type: "video/mp4" });
      expect(await collect(await another.read("a.mp4"))).toEqual(short);
    },
  },
  {
    test: "stores a file of unknown length, also a long and an empty one",
    async run({ store }) {
      expect(await putBytes(store, "long", long)).toEqual({ size_bytes: longBytes });
      expect(await store.head("long")).toEqual({ size_bytes: longBytes, content_type: "image/png" });
      expect(isSame(await collect(await store.read("long")), long)).toBe(true);
      expect(await putBytes(store, "empty", new Uint8Array())).toEqual({ size_bytes: 0 });
      expect(await store.head("empty")).toEqual({ size_bytes: 0, content_type: "image/png" });
      expect(await collect(await store.read("empty"))).toEqual(new Uint8Array());
    },
  },
  {
    test: "stores a long file of known length",
    async run({ store }) {
      expect(await putBytes(store, "long", long, { sizeBytes: longBytes })).toEqual({ size_bytes: longBytes });
      expect(isSame(await collect(await store.read("long")), long)).toBe(true);
    },
  },
  {
    test: "replaces an existing file and its type",
    async run({ store }) {
      await putBytes(store, "a", long);
      await putBytes(store, "a", short, { contentType: "image/gif" });
      expect(await store.head("a")).toEqual({ size_bytes: short.length, content_type: "image/gif" });
      expect(await collect(await store.read("a"))).toEqual(short);
    },
  },
  {
    test: "stores one of two files completely if both are put under one key concurrently",
    async run({ store, another }) {
      const [one, other] = [bytesOf(longBytes, 1), bytesOf(longBytes - 1, 2)];
      await Promise.all([putBytes(store, "a", one), putBytes(another, "a", other)]);
      const kept = await collect(await store.read("a"));
      expect(isSame(kept, one) || isSame(kept, other)).toBe(true);
      expect((await store.head("a"))?.size_bytes).toBe(kept?.length);
    },
  },
];

const reused: MediaStoreCase = {
  test: "stores a body correctly although its sender reuses one buffer",
  async run({ store }) {
    const buffer = new Uint8Array(1000);
    let piece = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          piece += 1;
          if (piece > 3) return controller.close();
          controller.enqueue(buffer.fill(piece));
        },
      },
      { highWaterMark: 0 },
    );
    await store.put("a", stream, png);
    const kept = await collect(await store.read("a"));
    expect([0, 999, 1000, 1999, 2000, 2999].map((index) => kept?.[index])).toEqual([1, 1, 2, 2, 3, 3]);
  },
};

const failed: readonly MediaStoreCase[] = lengths.flatMap(({ length, bytes }) => [
  {
    test: `stores nothing of a ${length} body that is longer or shorter than announced`,
    async run({ store }) {
      for (const sizeBytes of [bytes.length - 1, bytes.length + 1]) {
        const refused = await failureOf(putBytes(store, "a", bytes, { sizeBytes }));
        expect(refused).toBeInstanceOf(MediaStoreFailure);
        expect(refused).toMatchObject({ reason: "wrong_length" });
        expect(await store.head("a")).toBeNull();
      }
    },
  },
  {
    test: `keeps the previous file when a ${length} body fails, and throws the same error`,
    async run({ store }) {
      await putBytes(store, "a", bytesOf(10));
      const broken = new Error("The sender hung up.");
      const { stream } = bodyOf(bytes, (body) => body.error(broken));
      expect(await failureOf(store.put("a", stream, { ...png, contentType: "image/gif" }))).toBe(broken);
      expect(await store.head("a")).toEqual({ size_bytes: 10, content_type: "image/png" });
    },
  },
  {
    test: `ends a ${length} put with the signal's reason, and cancels the body`,
    async run({ store }) {
      const body = hangingBody(bytes);
      const ended = new AbortController();
      const put = failureOf(store.put("a", body.stream, { ...png, signal: ended.signal }));
      await body.isReached;
      const reason = new Error("The service stops.");
      ended.abort(reason);
      expect(await put).toBe(reason);
      expect(body.wasCancelled()).toBe(true);
      expect(await store.head("a")).toBeNull();
    },
  },
]);

const remembered: readonly MediaStoreCase[] = [
  {
    test: "writes nothing if its handle cannot be remembered, and cancels the body",
    async run({ store }) {
      const full = new Error("The database is full.");
      const body = hangingBody(long);
      const put = store.put("a", body.stream, { ...png, remember: () => Promise.reject(full) });
      expect(await failureOf(put)).toBe(full);
      expect(body.wasCancelled()).toBe(true);
      expect(await store.head("a")).toBeNull();
    },
  },
  {
    test: "ends a long put whose handle is deleted, and stores nothing of it",
    async run({ store, another }) {
      const handles: string[] = [];
      const body = bodyOf(long, async (end) => {
        await another.delete("a", { handle: handles[0] });
        end.close();
      });
      const put = store.put("a", body.stream, { ...png, remember: async (handle) => void handles.push(handle) });
      expect(await failureOf(put)).toMatchObject({ name: "MediaStoreFailure", reason: "removed" });
      expect(handles).toEqual([expect.any(String)]);
      expect(await store.head("a")).toBeNull();
    },
  },
  {
    test: "deletes a file, also with its put's handle, and does nothing for a missing file",
    async run({ store, another }) {
      const handles: string[] = [];
      await putBytes(store, "a", long, { remember: async (handle) => void handles.push(handle) });
      await putBytes(store, "b", short);
      await another.delete("a", { handle: handles[0] });
      await store.delete("a", { handle: handles[0] });
      await store.delete("b");
      await store.delete("b");
      expect([await store.head("a"), await store.head("b")]).toEqual([null, null]);
      expect(await store.read("a")).toBeNull();
    },
  },
];

async function failureOf(put: Promise<unknown>): Promise<unknown> {
  return put.then(
    () => "it was put",
    (error: unknown) => error,
  );
}

/** Each method that takes a key. */
export function verbs(store: MediaStore): ((key: string) => Promise<unknown>)[] {
  return [
    (key) => putBytes(store, key, short),
    (key) => store.head(key),
    (key) => store.read(key),
    (key) => store.delete(key),
    ...(store.address === undefined ? [] : [(key: string) => addressOf(store, key)]),
    ...(store.upload === undefined ? [] : [(key: string) => uploadOf(store, key)]),
  ];
}

async function addressOf(store: MediaStore, key: string): Promise<unknown> {
  return store.address?.(key, { seconds: 60 });
}

async function uploadOf(store: MediaStore, key: string): Promise<unknown> {
  return store.upload?.(key, { contentType: "image/png", sizeBytes: 1, seconds: 60 });
}

export const writeCases: readonly MediaStoreCase[] = [...written, reused, ...failed, ...remembered];
