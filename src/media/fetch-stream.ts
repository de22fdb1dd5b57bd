import { withDeadline } from "../async/deadline.ts";
import type { Clock } from "../ports/clock.ts";
import {
  checkSize,
  checkStatus,
  contentLength,
  cutShort,
  mediaError,
  mediaFailure,
  passingMediaError,
} from "./fetch-failure.ts";
import type { MediaHttp } from "./ports.ts";
import { unknownKind } from "./probe/examine.ts";
import { readStart } from "./read-start.ts";

/** Without a byte for this long, a download has stalled. */
const stallTimeoutMs = 10_000;

/** For a whole download, so that a slow drip ends too. */
const downloadTimeoutMs = 10 * 60_000;

export interface OpenMediaOptions extends MediaHttp {
  maxBytes: number;
  /** What an earlier look found; another type or size now is an error. */
  expect?: { mime_type?: string; size_bytes?: number | null };
}

export interface OpenedMedia {
  /** Ends with a `media_error` at the limit, when cut short, and when it stalls. Read or cancel it. */
  stream: ReadableStream<Uint8Array>;
  /** As the server states it. */
  size_bytes: number | null;
  /** From the bytes. */
  mime_type: string;
}

/**
 * Opens the file at an address. Nothing of it is kept; it is read as fast as
 * the stream is. Each next piece must come within 10 s and all within 10 min.
 *
 * @throws PublishingError `media_error`, here or from the stream
 */
export async function openMedia(url: string, options: OpenMediaOptions): Promise<OpenedMedia> {
  const { http, maxBytes, expect } = options;
  const download = startDownload(url, options.clock);
  try {
    const response = await download.next(() =>
      http(url, { redirect: "follow", headers: { "accept-encoding": "identity" }, signal: download.signal }),
    );
    checkStatus(url, response.status);
    const length = contentLength(response);
    checkSize(url, length, maxBytes);
    checkExpected(url, expect?.size_bytes, length);
    const pieces = countedPieces({ url, response, length, maxBytes, next: download.next });
    const { start, mimeType } = await readStart(async () => (await pieces.next()).value ?? undefined);
    if (mimeType === null) throw mediaError(url, unknownKind(start));
    checkExpected(url, expect?.mime_type, mimeType);
    return { stream: streamOf(url, start, { pieces, download }), size_bytes: length, mime_type: mimeType };
  } catch (error) {
    const failure = mediaFailure(url, error);
    download.end(failure);
    throw failure;
  }
}

/**
 * Reads the whole file at an address into memory.
 *
 * @throws PublishingError `media_error`
 */
export async function readMedia(url: string, options: OpenMediaOptions): Promise<Uint8Array> {
  const { stream } = await openMedia(url, options);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

interface Download {
  /** Aborted when the download is over, for any reason. */
  signal: AbortSignal;
  /** Waits for the next piece of work; fails when that stalls. */
  next<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Stops the timer and, unless all was read, the connection. */
  end(reason: unknown): void;
}

function startDownload(url: string, clock: Clock): Download {
  const downloading = new AbortController();
  const timer = new AbortController();
  const stalled = (): Error =>
    passingMediaError(url, `sent nothing for ${stallTimeoutMs / 1000} s; try again or use a faster host`);
  clock.sleep(downloadTimeoutMs, timer.signal).then(
    () => downloading.abort(mediaError(url, `took longer than ${downloadTimeoutMs / 60_000} min; use a faster host`)),
    () => {}, // it was over earlier
  );
  return {
    signal: downloading.signal,
    next: (work) =>
      withDeadline({ clock, timeoutMs: stallTimeoutMs, expired: stalled, signal: downloading.signal }, work),
    end(reason) {
      timer.abort();
      downloading.abort(reason);
    },
  };
}

interface CountedBody {
  url: string;
  response: Response;
  length: number | null;
  maxBytes: number;
  next: Download["next"];
}

/** The body's chunks, up to the limit; checks at the end that all of it came. */
async function* countedPieces({ url, response, length, maxBytes, next }: CountedBody): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  let gotBytes = 0;
  try {
    for (;;) {
      const piece = await next(async () => reader?.read());
      if (piece === undefined || piece.done) break;
      gotBytes += piece.value.length;
      checkSize(url, gotBytes || null, maxBytes);
      yield piece.value;
    }
    checkSize(url, gotBytes, maxBytes);
    if (length !== null && gotBytes !== length) throw cutShort(url, gotBytes, length);
  } finally {
    // Not waited for: a body that hangs would hold the answer.
    reader?.cancel().catch(() => {});
  }
}

function streamOf(
  url: string,
  start: Uint8Array,
  { pieces, download }: { pieces: AsyncGenerator<Uint8Array>; download: Download },
): ReadableStream<Uint8Array> {
  let unsent: Uint8Array | null = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = unsent ? { value: unsent, done: false } : await nextPiece();
        unsent = null;
        if (!piece.done) {
          controller.enqueue(piece.value);
          return;
        }
        download.end(new Error("all was read"));
        controller.close();
      },
      async cancel(reason) {
        download.end(reason);
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );

  async function nextPiece(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await pieces.next();
    } catch (error) {
      const failure = mediaFailure(url, error);
      download.end(failure);
      throw failure;
    }
  }
}

function checkExpected<Value>(url: string, expected: Value | null | undefined, found: Value | null): void {
  if (expected === undefined || expected === null || found === null || expected === found) return;
  throw mediaError(url, `has changed: it was ${expected} and is ${found} now; create the post again`);
}
