import { describe, expect, it } from "vitest";
import { codeIn, uploadIdIn } from "../../../src/media/s3/answer.ts";
import { createSign } from "../../../src/media/s3/signer.ts";
import { systemClock } from "../../../src/ports/clock.ts";
import { bytesOf, collect, putBytes } from "../../../src/testing/media-store/bodies.ts";
import { done, refusal, secret, storeOn } from "./service.ts";

describe("an S3 store", () => {
  it("puts keys under its prefix, with the bucket in the hostname or the path", async () => {
    const inHost = storeOn([done], { prefix: "App/media" });
    await putBytes(inHost.store, "a", bytesOf(1));
    expect(inHost.lines()).toEqual(["PUT App/media/a"]);
    const address = await storeOn([done], { forcePathStyle: true }).store.address("a", { seconds: 60 });
    expect(address).toMatch(/^https:\/\/s3\.test\/bucket\/a\?X-Amz-Expires=60&/);
  });

  it("requests the bytes as they are stored, and the given range", async () => {
    const part = () => new Response("bc", { status: 206, headers: { "content-range": "bytes 1-2/4" } });
    const { store, seen } = storeOn([part]);
    expect(await collect(await store.read("a", { from: 1, to: 3 }))).toEqual(new TextEncoder().encode("bc"));
    expect([seen[0]?.headers.get("range"), seen[0]?.headers.get("accept-encoding")]).toEqual(["bytes=1-2", "identity"]);
  });

  it.each([
    ["sends all", () => new Response("abcd")],
    ["sends another part", () => new Response("bc", { status: 206, headers: { "content-range": "bytes 0-1/4" } })],
  ])("rejects the response of a service that %s instead of the range", async (_, answer) => {
    await expect(storeOn([answer]).store.read("a", { from: 1, to: 3 })).rejects.toMatchObject({ reason: "refused" });
  });

  it("distinguishes a missing bucket from a missing file", async () => {
    expect(await storeOn([refusal(404, "NoSuchKey")]).store.read("a")).toBeNull();
    await expect(storeOn([refusal(404, "NoSuchBucket")]).store.read("a")).rejects.toThrow("NoSuchBucket (404)");
    await expect(storeOn([refusal(404, "NoSuchBucket")]).store.delete("a")).rejects.toThrow("NoSuchBucket (404)");
  });

  it("repeats no secret that a service or a fetch error contains", async () => {
    const leaking = () => Promise.reject(new TypeError(`fetch failed with ${secret}`));
    for (const answer of [leaking, refusal(403, "AccessDenied")]) {
      const error: unknown = await storeOn([answer])
        .store.head("a")
        .catch((error: unknown) => error);
      const shown = error instanceof Error ? `${error.stack} ${(error.cause as Error | undefined)?.stack}` : "";
      expect(shown).toContain("MediaStoreFailure");
      expect(shown).not.toContain(secret);
    }
  });

  it("signs uploads with their type and length, and sends the type", async () => {
    const { store } = storeOn([done], { sessionToken: "session+token" });
    const { upload_url, headers } = await store.upload("a", { contentType: "video/mp4", sizeBytes: 7, seconds: 60 });
    const query = new URL(upload_url).searchParams;
    expect(query.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host;if-none-match");
    expect([query.get("X-Amz-Date"), query.get("X-Amz-Security-Token")]).toEqual(["20261123T100000Z", "session+token"]);
    expect(headers).toEqual({ "content-type": "video/mp4", "if-none-match": "*" });
    const plain = await storeOn([done], { overwritesUploads: true }).store.upload("a", {
      contentType: "video/mp4",
      sizeBytes: 7,
      seconds: 60,
    });
    expect(new URL(plain.upload_url).searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
    expect(plain.headers).toEqual({ "content-type": "video/mp4" });
  });

  it("encodes a space in a URL so that every service decodes it", async () => {
    const address = await storeOn([done]).store.address("a", { seconds: 60, download: "a b.png" });
    expect(address).toContain("response-content-disposition=attachment%3B%20filename*%3DUTF-8%27%27a%2520b.png&");
    expect(address).not.toContain("+");
  });

  it.each([0, 604_801, 1.5])("rejects a URL lifetime of %s seconds", async (seconds) => {
    await expect(storeOn([done]).store.address("a", { seconds })).rejects.toThrow(/^seconds: Must be a whole number/);
  });

  it.each([
    ["endpoint", "https://s3.test/bucket"],
    ["endpoint", "https://user:word@s3.test"],
    ["endpoint", "s3.test"],
    ["bucket", "a/b"],
    ["region", ""],
    ["secretAccessKey", ""],
    ["prefix", "a/../b"],
    ["prefix", "/a"],
    ["forcePathStyle", "yes"],
  ])("names the option %s if it is %j", (name, value) => {
    expect(() => storeOn([], { [name]: value })).toThrow(`s3Store: invalid options. ${name}: Must be `);
  });

  it("repeats no secret of the wrong type", () => {
    expect(() => storeOn([], { secretAccessKey: 12_345 as unknown as string })).toThrow("not a number");
  });

  it("names the package to install if aws4fetch is missing", async () => {
    const keys = { region: "auto", accessKeyId: "a", secretAccessKey: "b" };
    const sign = createSign(keys, systemClock, () => Promise.reject(new Error("no such module")));
    await expect(sign({ method: "GET", url: "https://s3.test/a" })).rejects.toThrow("npm install aws4fetch");
  });
});

it.each(["<Code>", "<UploadId>", "<Code><UploadId>"])(
  "hostile XML of many %s is parsed fast",
  (tag) => {
    const text = `${tag}a`.repeat(64 * 1024);
    expect([codeIn(text), uploadIdIn(text)]).toEqual([null, null]);
  },
  2_000,
);
