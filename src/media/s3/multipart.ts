import { removedMeanwhile } from "../store/pieces.ts";
import { MediaStoreFailure } from "../store/store.ts";
import { codeIn, failureOf, isAbsent, readText, type S3Refusal, uploadIdIn } from "./answer.ts";
import type { S3Send } from "./client.ts";

/** An upload in parts, which shows nothing before it is completed, and whose parts are kept until it is completed or aborted. */
export interface MultipartUpload {
  id: string;
  /** @throws MediaStoreFailure `removed` when the upload has been aborted */
  add(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** @throws MediaStoreFailure `removed` when the upload has been aborted */
  complete(): Promise<void>;
}

export interface MultipartOptions {
  /** The object's own. */
  url: string;
  contentType: string;
  signal: AbortSignal | undefined;
  /** Whether the object is there with so many bytes. */
  isThere(sizeBytes: number): Promise<boolean>;
}

export async function beginUpload(
  send: S3Send,
  { url, contentType, signal, isThere }: MultipartOptions,
): Promise<MultipartUpload> {
  const headers = { "content-type": contentType };
  const id = await send(
    { method: "POST", url: `${url}?uploads=`, headers, signal },
    { success: async (response, during) => uploadIdOf(await readText(response, during)) },
  );
  const tags: string[] = [];
  let sizeBytes = 0;

  return {
    id,
    async add(bytes) {
      const part = `${url}?partNumber=${tags.length + 1}&uploadId=${encodeURIComponent(id)}`;
      const success = async (response: Response): Promise<string> => response.headers.get("etag") ?? "";
      tags.push(await send({ method: "PUT", url: part, body: bytes, signal }, { success, refusal: removedIfAbsent }));
      sizeBytes += bytes.length;
    },
    async complete() {
      const body = new TextEncoder().encode(completion(tags));
      const isCompleted = await send<boolean>(
        { method: "POST", url: addressOfUpload(url, id), headers: { "content-type": "application/xml" }, body, signal },
        {
          success: async (response, during) => checkCompleted(response, await readText(response, during), url),
          refusal: (refusal) => (isAbsent(refusal) ? { value: false } : null),
        },
      );
      // An earlier try may have completed it, and its answer been lost.
      if (!isCompleted && !(await isThere(sizeBytes))) throw removedMeanwhile();
    },
  };
}

/** Ends an upload, and deletes its parts; does no harm where it is none any more. */
export async function abortUpload(send: S3Send, url: string, id: string): Promise<void> {
  await send(
    { method: "DELETE", url: addressOfUpload(url, id) },
    { success: async () => undefined, refusal: (refusal) => (isAbsent(refusal) ? { value: undefined } : null) },
  );
}

function addressOfUpload(url: string, id: string): string {
  return `${url}?uploadId=${encodeURIComponent(id)}`;
}

function uploadIdOf(xml: string): string {
  const id = uploadIdIn(xml);
  if (id === null) throw new MediaStoreFailure("refused", "The store started an upload without returning its id.");
  return id;
}

function removedIfAbsent(refusal: S3Refusal): null {
  if (isAbsent(refusal)) throw removedMeanwhile();
  return null;
}

/** S3 may find out after it has answered 200: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html (2026-11) */
function checkCompleted({ status }: Response, xml: string, url: string): true {
  const code = codeIn(xml);
  if (code !== null) throw failureOf({ status, code }, new URL(url).host);
  return true;
}

function completion(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
