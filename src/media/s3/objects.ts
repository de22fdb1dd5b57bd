import { type ByteRange, MediaStoreFailure, type StoredMedia } from "../store/store.ts";
import { isAbsent, type S3Refusal } from "./answer.ts";
import type { S3Request, S3Send } from "./client.ts";

/** Else Node's `fetch` asks for compressed bytes, and unpacks them. */
const asStored = { "accept-encoding": "identity" };

/** The first byte of the range lies beyond the end. */
const rangeNotSatisfiable = 416;

export async function putObject(send: S3Send, request: Omit<S3Request, "method">): Promise<void> {
  await send({ ...request, method: "PUT" }, { success: async () => undefined });
}

export async function headObject(send: S3Send, url: string, signal?: AbortSignal): Promise<StoredMedia | null> {
  return send<StoredMedia | null>(
    { method: "HEAD", url, headers: asStored, signal },
    { success: async ({ headers }) => storedIn(headers), refusal: nullIfAbsent },
  );
}

export async function readObject(
  send: S3Send,
  url: string,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  const headers = range === undefined ? asStored : { ...asStored, range: rangeHeader(range) };
  return send<ReadableStream<Uint8Array> | null>(
    { method: "GET", url, headers },
    {
      async success(response) {
        if (range !== undefined) await checkRange(response, range);
        return response.body ?? emptyStream();
      },
      refusal: (refusal) => (refusal.status === rangeNotSatisfiable ? { value: emptyStream() } : nullIfAbsent(refusal)),
    },
  );
}

export async function deleteObject(send: S3Send, url: string): Promise<void> {
  await send<unknown>({ method: "DELETE", url }, { success: async () => null, refusal: nullIfAbsent });
}

function nullIfAbsent(refusal: S3Refusal): { value: null } | null {
  return isAbsent(refusal) ? { value: null } : null;
}

function storedIn(headers: Headers): StoredMedia {
  const length = headers.get("content-length") ?? "";
  if (!/^\d+$/.test(length)) throw new MediaStoreFailure("refused", "The store does not report the file's size.");
  return { size_bytes: Number(length), content_type: headers.get("content-type") ?? "application/octet-stream" };
}

function rangeHeader({ from, to }: ByteRange): string {
  return `bytes=${from}-${to === undefined ? "" : to - 1}`;
}

/** A store that does not know ranges sends all of the file. */
async function checkRange({ status, headers, body }: Response, { from }: ByteRange): Promise<void> {
  const isPart = status === 206 && headers.get("content-range")?.startsWith(`bytes ${from}-`);
  if (isPart || headers.get("content-length") === "0") return;
  await body?.cancel();
  throw new MediaStoreFailure("refused", "The store did not send the requested range.");
}

function emptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
