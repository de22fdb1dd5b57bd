import { systemClock } from "../../ports/clock.ts";
import { checkAddress, checkKey, checkPut, checkRead, checkUpload } from "../store/check.ts";
import { piecesOf, withBody } from "../store/pieces.ts";
import type { AddressOptions, MediaStore, PutOptions } from "../store/store.ts";
import { createSend, type S3Send } from "./client.ts";
import { abortUpload, beginUpload, type MultipartUpload } from "./multipart.ts";
import { deleteObject, headObject, putObject, readObject } from "./objects.ts";
import { checkS3Options, type S3StoreOptions } from "./options.ts";
import { partsOf } from "./parts.ts";
import { createSign } from "./signer.ts";

export type { S3StoreOptions } from "./options.ts";

/** What is kept of a body in memory: it is signed, and sent again after a passing failure. S3 takes 5 MiB at least. */
const partBytes = 8 * 1024 * 1024;

/**
 * Files in a bucket of S3, or of a service with its API (R2, Ceph, Swift
 * and others). Needs `npm install aws4fetch`.
 *
 * A file of up to 8 MiB is one request. A longer file is uploaded in parts
 * of 8 MiB, one after another, so 8 MiB of it are in memory at a time. If a process is killed during
 * an upload, its parts stay, cost money and are not listed, until `delete` is called with the handle
 * passed to `remember`.
 * A rule of the bucket (AbortIncompleteMultipartUpload) deletes them too.
 *
 * Requests are retried for a few seconds while the service is down.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 *
 * @example
 * const store = s3Store({
 *   endpoint: "https://s3.eu-central-1.amazonaws.com",
 *   region: "eu-central-1",
 *   bucket: "app-media",
 *   accessKeyId: key,
 *   secretAccessKey: secret,
 * });
 */
export function s3Store(options: S3StoreOptions): Required<MediaStore> {
  checkS3Options(options);
  const { clock = systemClock, fetch: http = fetch } = options;
  const sign = createSign(options, clock);
  const send = createSend({ http, clock, sign, credentials: options });
  const base = baseOf(options);

  return {
    async put(key, body, putOptions) {
      checkPut(key, putOptions);
      return withBody(body, () => putBody(send, base + key, body, putOptions));
    },
    async head(key) {
      checkKey(key);
      return headObject(send, base + key);
    },
    async read(key, range) {
      checkRead(key, range);
      return readObject(send, base + key, range);
    },
    async delete(key, { handle } = {}) {
      checkKey(key);
      // In this order: a put that is about to complete finds that it must not.
      if (handle !== undefined) await abortUpload(send, base + key, handle);
      await deleteObject(send, base + key);
    },
    async address(key, addressOptions) {
      checkAddress(key, addressOptions);
      const { url } = await sign({ method: "GET", url: base + key + addressQuery(addressOptions), inAddress: true });
      return url;
    },
    async upload(key, uploadOptions) {
      checkUpload(key, uploadOptions);
      const { contentType, sizeBytes, seconds } = uploadOptions;
      // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html (2026-11)
      const once: Record<string, string> = options.overwritesUploads === true ? {} : { "if-none-match": "*" };
      const signed = { "content-type": contentType, "content-length": String(sizeBytes), ...once };
      const url = base + key + addressQuery({ seconds });
      const { url: upload_url } = await sign({ method: "PUT", url, headers: signed, inAddress: true });
      return { upload_url, headers: { "content-type": contentType, ...once } };
    },
  };
}

/** What stands before a key; keys and prefixes hold nothing that would be escaped. */
function baseOf({ endpoint, bucket, prefix, forcePathStyle = false }: S3StoreOptions): string {
  const { protocol, host } = new URL(endpoint);
  const root = forcePathStyle ? `${protocol}//${host}/${bucket}/` : `${protocol}//${bucket}.${host}/`;
  return prefix === undefined ? root : `${root}${prefix}/`;
}

async function putBody(
  send: S3Send,
  url: string,
  body: ReadableStream<Uint8Array>,
  options: PutOptions,
): Promise<{ size_bytes: number }> {
  const { contentType, signal } = options;
  const isThere = async (sizeBytes: number): Promise<boolean> =>
    (await headObject(send, url, signal))?.size_bytes === sizeBytes;
  let size_bytes = 0;
  let upload: MultipartUpload | null = null;
  try {
    for await (const { bytes, isLast } of partsOf(piecesOf(body, options), partBytes)) {
      if (upload === null && isLast) {
        await putObject(send, { url, headers: { "content-type": contentType }, body: bytes, signal });
      } else {
        if (upload === null) {
          upload = await beginUpload(send, { url, contentType, signal, isThere });
          await options.remember(upload.id);
        }
        await upload.add(bytes);
      }
      size_bytes += bytes.length;
    }
    await upload?.complete();
    return { size_bytes };
  } catch (error) {
    // When this fails too, the caller still has the handle; what went wrong first is what it should hear.
    if (upload !== null) await abortUpload(send, url, upload.id).catch(() => undefined);
    throw error;
  }
}

function addressQuery({ seconds, contentType, download }: AddressOptions): string {
  const type = contentType === undefined ? "" : `&response-content-type=${encodeURIComponent(contentType)}`;
  return `?X-Amz-Expires=${seconds}${type}${download === undefined ? "" : dispositionQuery(download)}`;
}

/** In the one form that every file name has: https://www.rfc-editor.org/rfc/rfc6266#section-4.3 (2026-11) */
function dispositionQuery(download: string): string {
  const name = encodeURIComponent(download).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `&response-content-disposition=${encodeURIComponent(`attachment; filename*=UTF-8''${name}`)}`;
}
