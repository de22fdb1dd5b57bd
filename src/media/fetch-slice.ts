import type { FileSlice } from "../networks/contract/request.ts";
import { countedPieces, startDownload, streamOf } from "./fetch-download.ts";
import { beginsAt, checkSize, checkStatus, mediaError, mediaFailure } from "./fetch-failure.ts";
import type { OpenMediaOptions } from "./fetch-stream.ts";

/**
 * Opens some of the bytes of the file at an address. Each next piece must come
 * within 10 s and all within 10 min.
 *
 * @throws PublishingError `media_error`, here or from the stream: as `openMedia`, and when the host sends files only
 *   whole, or the file is not the one that was planned
 */
export async function openSlice(
  url: string,
  { from, to }: FileSlice,
  { http, clock, maxBytes, expect }: OpenMediaOptions,
): Promise<{ stream: ReadableStream<Uint8Array>; size_bytes: number }> {
  const download = startDownload(url, clock);
  try {
    const headers = {
      "accept-encoding": "identity",
      range: `bytes=${from}-${to - 1}`,
      // Of another version the whole file would come, and never half of each.
      ...(expect?.etag === undefined ? {} : { "if-range": expect.etag }),
    };
    const response = await download.next(() => http(url, { redirect: "follow", headers, signal: download.signal }));
    if (response.status === 416)
      throw mediaError(url, "became shorter after the post was planned; create the post again");
    if (response.status !== 206) checkStatus(url, response.status);
    const total = totalOf(response, { from, to });
    if (total === null) throw mediaError(url, isOther(response, expect?.etag) ? changed : wholeOnly);
    checkSize(url, total, maxBytes);
    if (expect?.size_bytes != null && total !== expect.size_bytes) throw mediaError(url, changed);
    const length = to - from;
    const pieces = countedPieces({ url, response, length, maxBytes: length, next: download.next });
    return { stream: streamOf(url, null, { pieces, download }), size_bytes: length };
  } catch (error) {
    const failure = mediaFailure(url, error);
    download.end(failure);
    throw failure;
  }
}

function isOther({ headers }: Response, etag: string | undefined): boolean {
  return etag !== undefined && headers.get("etag") !== etag;
}

const wholeOnly = "must be read in ranges, which its host does not support; upload it first, with social.media.upload";
const changed = "has changed since the post was planned; create the post again";

/** How long the file is as a whole; null when the answer is not the slice that was asked for. */
function totalOf(response: Response, { from, to }: FileSlice): number | null {
  const range = response.headers.get("content-range") ?? "";
  const [, last, total] = /^bytes \d+-(\d+)\/(\d{1,15})$/.exec(range) ?? [];
  return beginsAt(response, from) && Number(last) === to - 1 ? Number(total) : null;
}
