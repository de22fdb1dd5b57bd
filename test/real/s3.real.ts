import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { AwsV4Signer } from "aws4fetch";
import { afterAll, describe, expect, it } from "vitest";
import { type S3StoreOptions, s3Store } from "../../src/media/s3/index.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import { bytesOf, longBytes, putBytes } from "../../src/testing/media-store/bodies.ts";
import { mediaStoreContract } from "../../src/testing/media-store.ts";
import { type SwiftServer, startSwift } from "./swift.ts";

const server = await startSwift();

describe.skipIf(typeof server === "string")("on Swift's S3", () => {
  const swift = server as SwiftServer;
  let buckets = 0;

  afterAll(() => swift.stop());

  /** A store on a separate bucket. */
  async function newBucket(): Promise<S3StoreOptions> {
    buckets += 1;
    const bucket = `bucket-${buckets}`;
    expect((await ask("PUT", bucket)).status).toBe(200);
    const { endpoint, region, accessKeyId, secretAccessKey } = swift;
    return { endpoint, region, accessKeyId, secretAccessKey, bucket, forcePathStyle: true, overwritesUploads: true };
  }

  async function ask(method: string, path: string): Promise<Response> {
    const { endpoint, region, accessKeyId, secretAccessKey } = swift;
    const url = `${endpoint}/${path}`;
    const signed = await new AwsV4Signer({
      method,
      url,
      region,
      accessKeyId,
      secretAccessKey,
      service: "s3",
    }).sign();
    return fetch(url, { method, headers: signed.headers });
  }

  /** The uploads in a bucket that are neither completed nor aborted. */
  async function openUploads(bucket: string): Promise<string[]> {
    const xml = await (await ask("GET", `${bucket}?uploads=`)).text();
    return [...xml.matchAll(/<UploadId>([^<]+)</g)].map(([, id = ""]) => id);
  }

  mediaStoreContract({
    name: "s3",
    async create() {
      const options = await newBucket();
      return {
        store: s3Store(options),
        another: s3Store({ ...options }),
        http: fetch,
        async cleanup() {
          expect(await openUploads(options.bucket)).toEqual([]);
        },
      };
    },
  });

  it("separates the files of two prefixes", async () => {
    const options = await newBucket();
    const [one, other] = [s3Store({ ...options, prefix: "App/one" }), s3Store({ ...options, prefix: "App/two" })];
    await putBytes(one, "a", bytesOf(3));
    expect([(await one.head("a"))?.size_bytes, await other.head("a")]).toEqual([3, null]);
  });

  it("rejects a wrong secret and a missing bucket, and repeats no secret", async () => {
    const options = await newBucket();
    const wrong = s3Store({ ...options, secretAccessKey: "another-secret-for-tests" });
    const refused = { name: "MediaStoreFailure", reason: "refused" };
    for (const ask of [() => putBytes(wrong, "a", bytesOf(3)), () => wrong.read("a"), () => wrong.delete("a")]) {
      const error: unknown = await ask().catch((error: unknown) => error);
      expect(error).toMatchObject({ ...refused, message: expect.stringContaining("SignatureDoesNotMatch (403)") });
      expect(JSON.stringify(error)).not.toContain("another-secret");
    }
    const nowhere = s3Store({ ...options, bucket: "no-such-bucket" });
    await expect(nowhere.read("a")).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining("NoSuchBucket"),
    });
  });

  it("rejects a URL whose signature, time or names were changed", async () => {
    const options = await newBucket();
    const store = s3Store(options);
    await putBytes(store, "a", bytesOf(3));
    const address = await store.address("a", { seconds: 60, download: "a b.png" });
    const changed = [
      address.replace(/X-Amz-Signature=./, (start) => `${start.slice(0, -1)}${start.endsWith("0") ? "1" : "0"}`),
      address.replace("X-Amz-Expires=60", "X-Amz-Expires=600"),
      address.replace("a%2520b", "a%2520c"),
    ];
    expect(new Set([address, ...changed]).size).toBe(4);
    const statuses = await Promise.all([address, ...changed].map(async (url) => (await fetch(url)).status));
    expect(statuses).toEqual([200, 403, 403, 403]);
  });

  it("lists nothing of a process that was killed in mid-upload, and its handle removes the parts", async () => {
    const options = await newBucket();
    const handle = await killedPut(options);
    const store: MediaStore = s3Store(options);
    expect([await store.head("a"), await store.read("a")]).toEqual([null, null]);
    expect(await (await ask("GET", options.bucket)).text()).not.toContain("<Key>");
    expect(await openUploads(options.bucket)).toEqual([handle]);
    await store.delete("a", { handle });
    expect(await openUploads(options.bucket)).toEqual([]);
  });
});

/** A put in a separate process, which is killed after the first part. @returns the handle that it recorded */
async function killedPut(options: S3StoreOptions): Promise<string> {
  const code = `
    import { s3Store } from ${JSON.stringify(new URL("../../src/media/s3/index.ts", import.meta.url).href)};
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent > 2 * ${longBytes}) process.kill(process.pid, "SIGKILL");
        sent += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    }, { highWaterMark: 0 });
    const remember = async (handle) => void process.stdout.write(handle);
    await s3Store(${JSON.stringify(options)}).put("a", body, { contentType: "image/png", sizeBytes: null, remember });
  `;
  const flags = ["--import", "tsx", "--input-type=module", "--eval", code];
  const { stdout, signal } = await promisify(execFile)(process.execPath, flags).catch((error) => error);
  expect(signal).toBe("SIGKILL");
  return stdout;
}
