import { withDeadline } from "../async/deadline.ts";
import { type Clock, noLongerNeeded } from "../ports/clock.ts";
import { checkSize, cutShort, mediaError, mediaFailure, passingMediaError } from "./fetch-failure.ts";

/** A download without a new byte for this long has stalled. */
const stallTimeoutMs = 10_000;

/** Maximum time of a whole download, so that a very slow one also ends. */
const downloadTimeoutMs = 10 * 60_000;

/** A running download. */
export interface Download {
  /** Aborted when the download ends, for any reason. */
  signal: AbortSignal;
  /** Waits for the next piece of work; fails if it stalls. */
  next<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Stops the timer and, unless all was read, the connection. */
  end(reason: unknown): void;
}

/** Allows at most 10 min in all, and 10 s for each piece. */
export function startDownload(url: string, clock: Clock): Download {
  const downloading = new AbortController();
  const timer = new AbortController();
  const stalled = (): Error =>
    passingMediaError(url, `sent nothing for ${stallTimeoutMs / 1000} s; retry or use a faster host`);
  clock.sleep(downloadTimeoutMs, timer.signal).then(
    () => downloading.abort(mediaError(url, `took longer than ${downloadTimeoutMs / 60_000} min; use a faster host`)),
    () => {}, // It ended earlier.
  );
  return {
    signal: downloading.signal,
    next: (work) =>
      withDeadline({ clock, timeoutMs: stallTimeoutMs, expired: stalled, signal: downloading.signal }, work),
    end(reason) {
      timer.abort(noLongerNeeded);
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

/** Yields the body's chunks, up to the size limit; checks at the end that all bytes came. */
export async function* countedPieces({
  url,
  response,
  length,
  maxBytes,
  next,
}: CountedBody): AsyncGenerator<Uint8Array> {
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
    // Not awaited: a stalled body would block the result.
    reader?.cancel().catch(() => {});
  }
}

/** A stream of the bytes read so far and then the rest, as fast as it is read. */
export function streamOf(
  url: string,
  start: Uint8Array | null,
  { pieces, download }: { pieces: AsyncGenerator<Uint8Array>; download: Download },
): ReadableStream<Uint8Array> {
  let unsent = start;
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
