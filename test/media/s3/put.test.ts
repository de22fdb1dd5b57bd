import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { bodyOf, bytesOf, png, putBytes } from "../../../src/testing/media-store/bodies.ts";
import { type Answer, done, mib, refusal, storeOn, xml } from "./service.ts";

const begun = xml("<InitiateMultipartUploadResult><UploadId>up+1/=</UploadId></InitiateMultipartUploadResult>");
const completed = xml("<CompleteMultipartUploadResult><ETag>x-2</ETag></CompleteMultipartUploadResult>");
const uploadId = "uploadId=up%2B1%2F%3D";

it("a put sends up to 8 MiB in one signed request, with no handle to remember", async () => {
  const { store, seen, lines } = storeOn([done]);
  const bytes = bytesOf(8 * mib);
  const handles: string[] = [];
  await putBytes(store, "a/b.png", bytes, { remember: async (handle) => void handles.push(handle) });
  expect(lines()).toEqual(["PUT a/b.png"]);
  const headers = seen[0]?.headers;
  expect(headers?.get("content-type")).toBe("image/png");
  expect(headers?.get("x-amz-content-sha256")).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(headers?.get("x-amz-date")).toBe("20261123T100000Z");
  expect(headers?.get("authorization")).toContain(
    "Credential=AKIAIOSFODNN7EXAMPLE/20261123/eu-central-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, ",
  );
  expect(handles).toEqual([]);
});

it("a put sends more in parts, after its handle has been remembered", async () => {
  const { store, seen, lines } = storeOn([begun, done, done, completed]);
  const remember = async (handle: string): Promise<void> => void expect([handle, seen.length]).toEqual(["up+1/=", 1]);
  expect(await putBytes(store, "a", bytesOf(8 * mib + 1), { remember })).toEqual({ size_bytes: 8 * mib + 1 });
  expect(lines()).toEqual([
    "POST a?uploads=",
    `PUT a?partNumber=1&${uploadId}`,
    `PUT a?partNumber=2&${uploadId}`,
    `POST a?${uploadId}`,
  ]);
  expect(seen.map(({ body }) => body.length).slice(0, 3)).toEqual([0, 8 * mib, 1]);
  expect(seen[0]?.headers.get("content-type")).toBe("image/png");
  expect(new TextDecoder().decode(seen[3]?.body)).toBe(
    "<CompleteMultipartUpload>" +
      '<Part><PartNumber>1</PartNumber><ETag>"tag&lt;&amp;&gt;"</ETag></Part>' +
      '<Part><PartNumber>2</PartNumber><ETag>"tag&lt;&amp;&gt;"</ETag></Part>' +
      "</CompleteMultipartUpload>",
  );
});

it("a put reads only the current part, and one piece to know whether another follows", async () => {
  let givenBytes = 0;
  const givenAt: number[] = [];
  const note: Answer = (request) => {
    givenAt.push(givenBytes);
    return done(request);
  };
  const { store } = storeOn([begun, note, note, note, completed]);
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (givenBytes === 20 * mib) return controller.close();
        givenBytes += mib;
        controller.enqueue(new Uint8Array(mib));
      },
    },
    { highWaterMark: 0 },
  );
  await store.put("a", body, png);
  expect(givenAt).toEqual([9 * mib, 17 * mib, 20 * mib]);
});

it("a put repeats a request after temporary failures, each time signed and complete", async () => {
  const broken: Answer = () => Promise.reject(new TypeError("fetch failed"));
  const { store, seen, waitsMs } = storeOn([refusal(503, "SlowDown"), broken, refusal(400, "RequestTimeout"), done]);
  await putBytes(store, "a", bytesOf(10));
  expect(seen.map(({ body }) => body.length)).toEqual([10, 10, 10, 10]);
  expect(waitsMs).toEqual([500, 2_000, 8_000]);
});

it("a put ends at a permanent failure, and a refusal is never repeated", async () => {
  const down = storeOn([refusal(500, "InternalError")]);
  await expect(putBytes(down.store, "a", bytesOf(10))).rejects.toMatchObject({ reason: "unavailable" });
  expect(down.seen.length).toBe(4);
  const refused = storeOn([refusal(403, "AccessDenied")]);
  await expect(putBytes(refused.store, "a", bytesOf(10))).rejects.toMatchObject({
    reason: "refused",
    message: "bucket.s3.test returned AccessDenied (403).",
  });
  expect(refused.seen.length).toBe(1);
});

it("a put aborts the upload if a part fails, and reports the part", async () => {
  const { store, lines } = storeOn([begun, refusal(403, "AccessDenied"), refusal(403, "Other")]);
  await expect(putBytes(store, "a", bytesOf(9 * mib))).rejects.toThrow("AccessDenied");
  expect(lines().at(-1)).toBe(`DELETE a?${uploadId}`);
});

it("a put aborts the upload if its handle cannot be remembered, before a part is sent", async () => {
  const { store, lines } = storeOn([begun, done]);
  const remember = (): Promise<void> => Promise.reject(new Error("full"));
  await expect(putBytes(store, "a", bytesOf(9 * mib), { remember })).rejects.toThrow("full");
  expect(lines()).toEqual(["POST a?uploads=", `DELETE a?${uploadId}`]);
});

it("a put does not accept a success status with an error in the body", async () => {
  const inside = xml("<Error><Code>InternalError</Code></Error>");
  const { store, seen } = storeOn([begun, done, done, inside, completed]);
  await putBytes(store, "a", bytesOf(9 * mib));
  expect(seen.length).toBe(5);
  const refused = storeOn([begun, done, done, xml("<Error><Code>InvalidPart</Code></Error>"), done]);
  await expect(putBytes(refused.store, "a", bytesOf(9 * mib))).rejects.toThrow("InvalidPart (200)");
});

it("a put checks for the file if its upload is gone on a repeated completion: the first response was lost", async () => {
  const lost: Answer = () => Promise.reject(new TypeError("fetch failed"));
  const gone = refusal(404, "NoSuchUpload");
  const there: Answer = () => new Response(null, { headers: { "content-length": String(9 * mib) } });
  const kept = storeOn([begun, done, done, lost, gone, there]);
  expect(await putBytes(kept.store, "a", bytesOf(9 * mib))).toEqual({ size_bytes: 9 * mib });
  const removed = storeOn([begun, done, done, lost, gone, refusal(404, "NoSuchKey")]);
  await expect(putBytes(removed.store, "a", bytesOf(9 * mib))).rejects.toMatchObject({ reason: "removed" });
});

it("a put ends with the signal's reason while a request hangs", async () => {
  const ended = new AbortController();
  const hanging: Answer = () => {
    ended.abort("stop");
    return new Promise(() => {});
  };
  const { store, seen } = storeOn([hanging]);
  const put = store.put("a", bodyOf(bytesOf(10)).stream, { ...png, signal: ended.signal });
  await expect(put).rejects.toBe("stop");
  expect(seen.length).toBe(1);
});

it("a put sends the right bytes even if its source reuses one buffer", async () => {
  const { store, seen } = storeOn([done]);
  const buffer = new Uint8Array(2);
  let piece = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        piece += 1;
        if (piece > 2) return controller.close();
        controller.enqueue(buffer.fill(piece));
      },
    },
    { highWaterMark: 0 },
  );
  await store.put("a", body, png);
  expect(seen[0]?.body).toEqual(new Uint8Array([1, 1, 2, 2]));
});
