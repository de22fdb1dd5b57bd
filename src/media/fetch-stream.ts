import { countedPieces, startDownload, streamOf } from "./fetch-download.ts";
import { checkSize, checkStatus, contentLength, mediaError, mediaFailure } from "./fetch-failure.ts";
import type { MediaHttp } from "./ports.ts";
import { unknownKind } from "./probe/examine.ts";
import { readStart } from "./read-start.ts";

/** A file as it was when the post was planned. */
export interface ExpectedMedia {
  mime_type?: string;
  size_bytes?: number | null;
  /** The file's version at its host. Only slices compare it, since each server behind a hostname may have its own. */
  etag?: string;
}

export interface OpenMediaOptions extends MediaHttp {
  maxBytes: number;
  /** The result of an earlier check; a different type or size now is an error. */
  expect?: ExpectedMedia | undefined;
  /** True: any kind of file is accepted, such as captions or documents. @default false */
  anyKind?: boolean | undefined;
}

export interface OpenedMedia {
  /** Fails with a `media_error` at the limit, if the connection breaks, and if it stalls. Read or cancel it. */
  stream: ReadableStream<Uint8Array>;
  /** As the server states it, or as found when the post was planned. */
  size_bytes: number | null;
  /** Determined from the bytes; null: not a supported image or video. */
  mime_type: string | null;
}

/**
 * Opens the file at a URL. Nothing is stored; it is downloaded as fast as the stream is read. Each next piece must
 * arrive within 10 s, and all within 10 min.
 *
 * @throws PublishingError `media_error`, here or from the stream
 */
export async function openMedia(url: string, options: OpenMediaOptions): Promise<OpenedMedia> {
  const { http, maxBytes, expect, anyKind = false } = options;
  const download = startDownload(url, options.clock);
  try {
    const response = await download.next(() =>
      http(url, { redirect: "follow", headers: { "accept-encoding": "identity" }, signal: download.signal }),
    );
    checkStatus(url, response.status);
    const length = contentLength(response);
    checkSize(url, length, maxBytes);
    checkExpected(url, expect?.size_bytes, length);
    const sizeBytes = length ?? expect?.size_bytes ?? null;
    const pieces = countedPieces({ url, response, length: sizeBytes, maxBytes, next: download.next });
    const { start, mimeType } = await readStart(async () => (await pieces.next()).value ?? undefined);
    if (mimeType === null && !anyKind) throw mediaError(url, unknownKind(start));
    checkExpected(url, expect?.mime_type, mimeType);
    return { stream: streamOf(url, start, { pieces, download }), size_bytes: sizeBytes, mime_type: mimeType };
  } catch (error) {
    const failure = mediaFailure(url, error);
    download.end(failure);
    throw failure;
  }
}

function checkExpected<Value>(url: string, expected: Value | null | undefined, found: Value | null): void {
  if (expected === undefined || expected === null || found === null || expected === found) return;
  throw mediaError(
    url,
    `has changed since the post was planned: it was ${expected} and is ${found} now; create the post again`,
  );
}
