import { expect } from "vitest";
import type { MediaStore } from "../../media/store/store.ts";
import { bytesOf, collect, isSame, longBytes, putBytes } from "./bodies.ts";
import type { MediaStoreCase } from "./case.ts";

const bytes = bytesOf(1000);

export const readCases: readonly MediaStoreCase[] = [
  {
    test: "returns null for a missing file",
    async run({ store }) {
      expect(await store.head("a")).toBeNull();
      expect(await store.read("a")).toBeNull();
      expect(await store.read("a", { from: 1, to: 2 })).toBeNull();
    },
  },
  {
    test: "reads a range: its first byte, not its end",
    async run({ store }) {
      await putBytes(store, "a", bytes);
      const read = async (from: number, to?: number): Promise<Uint8Array | null> =>
        collect(await store.read("a", { from, to }));
      expect(await read(0, 1)).toEqual(bytes.slice(0, 1));
      expect(await read(10, 20)).toEqual(bytes.slice(10, 20));
      expect(await read(999, 1000)).toEqual(bytes.slice(999));
      expect(await read(0)).toEqual(bytes);
      expect(await read(990)).toEqual(bytes.slice(990));
    },
  },
  {
    test: "cuts a range at the end of the file",
    async run({ store }) {
      await putBytes(store, "a", bytes);
      await putBytes(store, "empty", new Uint8Array());
      expect(await collect(await store.read("a", { from: 990, to: 2000 }))).toEqual(bytes.slice(990));
      expect(await collect(await store.read("a", { from: 1000 }))).toEqual(new Uint8Array());
      expect(await collect(await store.read("a", { from: 5000, to: 6000 }))).toEqual(new Uint8Array());
      expect(await collect(await store.read("empty", { from: 0, to: 1 }))).toEqual(new Uint8Array());
    },
  },
  {
    test: "reads a range in the middle of a long file",
    async run({ store }) {
      const long = bytesOf(longBytes);
      await putBytes(store, "long", long);
      const [from, to] = [longBytes - 2_000_000, longBytes - 100];
      expect(isSame(await collect(await store.read("long", { from, to })), long.subarray(from, to))).toBe(true);
    },
  },
  {
    test: "lets a reader stop in the middle",
    async run({ store }) {
      await putBytes(store, "long", bytesOf(longBytes));
      const reader = (await store.read("long"))?.getReader();
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      await reader?.cancel();
      expect((await store.head("long"))?.size_bytes).toBe(longBytes);
    },
  },
  {
    test: "returns a URL that serves the file and its ranges, and no other file",
    needs: "address",
    async run({ store, http }) {
      await putBytes(store, "a/b.png", bytes);
      await putBytes(store, "a/c.png", bytes);
      const address = await addressOf(store, { seconds: 60 });
      const whole = await http(address);
      expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes);
      const part = await http(address, { headers: { range: "bytes=10-19" } });
      expect(part.status).toBe(206);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10, 20));
      expect(await statusOf(http, address.replace("/b.png", "/c.png"))).toBe(403);
    },
  },
  {
    test: "serves a file at its URL with its content type",
    needs: "address",
    async run({ store, http }) {
      await putBytes(store, "a/b.png", bytes);
      const download = `Übersicht "1"; 100% (neu).png`;
      const answer = await http(await addressOf(store, { seconds: 60, contentType: "image/gif", download }));
      await answer.body?.cancel();
      expect(answer.headers.get("content-type")).toBe("image/gif");
      const [, name = ""] = /^attachment; filename\*=UTF-8''(\S+)$/.exec(
        answer.headers.get("content-disposition") ?? "",
      ) ?? [""];
      expect(decodeURIComponent(name)).toBe(download);
    },
  },
  {
    test: "lets another client upload a file of exactly this type and length",
    needs: "upload",
    async run({ store, http }) {
      const sent = await store.upload?.("a", { contentType: "image/png", sizeBytes: bytes.length, seconds: 60 });
      if (sent === undefined) throw new Error("The store returned no upload.");
      const send = (body: Uint8Array<ArrayBuffer>, headers = sent.headers): Promise<number> =>
        statusOf(http, sent.upload_url, { method: "PUT", headers, body });
      expect(await send(bytesOf(999))).toBe(403);
      expect(await send(bytesOf(1001))).toBe(403);
      expect(await send(bytes, { ...sent.headers, "content-type": "text/html" })).toBe(403);
      expect(await store.head("a")).toBeNull();
      expect(await send(bytes)).toBe(200);
      expect(await store.head("a")).toEqual({ size_bytes: bytes.length, content_type: "image/png" });
    },
  },
];

async function addressOf(
  store: MediaStore,
  options: Parameters<NonNullable<MediaStore["address"]>>[1],
): Promise<string> {
  const address = await store.address?.("a/b.png", options);
  if (address === undefined) throw new Error("The store returned no URL.");
  return address;
}

async function statusOf(http: typeof fetch, address: string, init: RequestInit = {}): Promise<number> {
  const { status, body } = await http(address, init);
  await body?.cancel();
  return status;
}
