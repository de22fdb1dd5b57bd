import { withDeadline } from "../async/deadline.ts";
import type { Clock } from "../ports/clock.ts";
import {
  beginsAt,
  checkSize,
  checkStatus,
  contentLength,
  cutShort,
  mediaError,
  mediaFailure,
} from "./fetch-failure.ts";
import { type RemoteReader, remoteReader } from "./fetch-reader.ts";
import type { MediaHttp } from "./ports.ts";
import { examineMedia } from "./probe/examine.ts";
import { bitrateOf, knownDetails, type MediaFacts } from "./probe/facts.ts";
import { readerWithTimeout } from "./reader-with-timeout.ts";

/** For everything that looking at a file takes. */
const inspectTimeoutMs = 10_000;

/** For what is looked at besides the facts: a host that is slow at its files' ends is no reason to refuse them. */
const checkTimeoutMs = 2_000;

/** A picture whose length no host states is read to its end, up to this many bytes: networks have limits on it. */
const maxCountedBytes = 16_000_000;
const countTimeoutMs = 4_000;
const countStepBytes = 256 * 1_024;

/** A file at an address, as far as its head and its server tell. */
export interface InspectedMedia extends MediaFacts {
  url: string;
  /** Null when the host refuses a HEAD request and sends no length, and the file is a video or a very large picture. */
  size_bytes: number | null;
  /** The version of the file, where its host names one. */
  etag?: string;
}

/**
 * Says what is at an address without reading more of it than that takes: one
 * GET that is ended early, a Range request when a video has its index at the
 * end, a HEAD request when the GET does not state the length; a picture whose
 * length is nowhere stated is counted. At most 10 s.
 *
 * @param options.maxBytes refuses a file that states more; default: any size
 * @throws PublishingError `media_error`: not reachable, not allowed, not a
 *   picture or video, empty, cut short, over the limit
 */
export async function inspectMedia(url: string, options: MediaHttp & { maxBytes?: number }): Promise<InspectedMedia> {
  const { http, clock, maxBytes = Number.POSITIVE_INFINITY } = options;
  const deadline = { clock, timeoutMs: inspectTimeoutMs, expired: () => tooSlow(url) };
  try {
    return await withDeadline(deadline, async (signal) => {
      const file = { url, http, signal };
      const response = await requestFile(file);
      const statedBytes = contentLength(response);
      const reader = remoteReader({
        body: response.body,
        sizeBytes: statedBytes,
        openAt: (offset) => requestFrom(file, offset),
      });
      try {
        checkStatus(url, response.status);
        checkSize(url, statedBytes, maxBytes);
        const facts = await examine(url, reader, clock);
        const statedAtAll = statedBytes ?? reader.endBytes() ?? (await askForSize(file));
        const sizeBytes = statedAtAll ?? (facts.type === "video" ? null : await countBytes(reader, clock));
        checkSize(url, sizeBytes, maxBytes);
        const bitrate = facts.type === "video" ? bitrateOf(facts, sizeBytes) : null;
        return { url, ...facts, ...knownDetails({ bitrate }), ...versionOf(response), size_bytes: sizeBytes };
      } finally {
        await reader.close();
      }
    });
  } catch (error) {
    throw mediaFailure(url, error);
  }
}

/** Only a strong one says that not a byte has changed. */
function versionOf({ headers }: Response): Pick<InspectedMedia, "etag"> {
  const etag = headers.get("etag") ?? "";
  return /^"[!-~]{1,200}"$/.test(etag) ? { etag } : {};
}

export interface RemoteAddress {
  url: string;
  http: typeof fetch;
  signal: AbortSignal;
}

async function examine(url: string, reader: RemoteReader, clock: Clock): Promise<MediaFacts> {
  const examined = await examineMedia(reader, readerWithTimeout(reader, { clock, timeoutMs: checkTimeoutMs }));
  const end = reader.endBytes();
  checkSize(url, end, Number.POSITIVE_INFINITY);
  if (end !== null && reader.sizeBytes !== null && end < reader.sizeBytes) throw cutShort(url, end, reader.sizeBytes);
  if ("problem" in examined) throw mediaError(url, examined.problem);
  return examined.facts;
}

export function requestFile({ url, http, signal }: RemoteAddress): Promise<Response> {
  // Compressed, neither the length nor a range would be the file's own.
  return http(url, { redirect: "follow", headers: { "accept-encoding": "identity" }, signal });
}

/** The file from `offset` on; null when the server knows no ranges, or the request fails. */
async function requestFrom({ url, http, signal }: RemoteAddress, offset: number): Promise<ReadableStream | null> {
  const headers = { "accept-encoding": "identity", range: `bytes=${offset}-` };
  const response = await http(url, { redirect: "follow", headers, signal }).catch(() => null);
  signal.throwIfAborted();
  if (response !== null && beginsAt(response, offset)) return response.body;
  await response?.body?.cancel();
  return null;
}

/** How long a file is that is read to its end; null when that is not reached in time. */
async function countBytes(reader: RemoteReader, clock: Clock): Promise<number | null> {
  const hurried = readerWithTimeout(reader, { clock, timeoutMs: countTimeoutMs });
  for (let offset = 0; offset < maxCountedBytes; offset += countStepBytes) {
    const read = await hurried.read(offset, countStepBytes);
    if (reader.endBytes() !== null || read.length === 0) break;
  }
  return reader.endBytes();
}

/** Null when the server refuses HEAD or does not know. */
async function askForSize({ url, http, signal }: RemoteAddress): Promise<number | null> {
  const headers = { "accept-encoding": "identity" };
  const response = await http(url, { method: "HEAD", redirect: "follow", headers, signal }).catch(() => null);
  signal.throwIfAborted();
  await response?.body?.cancel();
  return response?.status === 200 ? contentLength(response) : null;
}

function tooSlow(url: string): Error {
  return mediaError(url, `could not be inspected within ${inspectTimeoutMs / 1000} s; use a faster host`);
}
