import { type Clock, noLongerNeeded } from "../ports/clock.ts";
import { SocialError } from "../wire/errors.ts";

export interface Watch {
  clock: Clock;
  /** How long the source may take to send its next bytes, milliseconds. */
  idleMs: number;
  /** The error that the stream then fails with. */
  idle(): Error;
  /** Called before each piece is passed on, with the number of bytes so far. If it throws, the stream fails. */
  reach(bytes: number): Promise<void> | void;
}

/** A stream that is read only on demand, and fails if it is too long or stalls. */
export interface WatchedStream {
  stream: ReadableStream<Uint8Array>;
  /** The error that ended it early; null: none so far. */
  failure(): { reason: unknown } | null;
  /** The number of bytes so far. */
  bytes(): number;
  /** Ends it at any point. */
  end(): void;
}

function noBytes(): SocialError {
  const message = "The stream yields something other than bytes (Uint8Array).";
  const details = [{ field: "file", code: "invalid_request", message }];
  return new SocialError("invalid_request", "The file was rejected and not stored.", { details });
}

export function watchStream(source: ReadableStream<Uint8Array>, { clock, idleMs, idle, reach }: Watch): WatchedStream {
  const reader = source.getReader();
  const timer = new AbortController();
  let failed: { reason: unknown } | null = null;
  /** When the source was asked for its next piece; null: no read is pending. */
  let askedAt: number | null = null;
  let bytes = 0;

  function end(reason: unknown): void {
    timer.abort(noLongerNeeded);
    // Not awaited: a stalled source would block the reader.
    reader.cancel(reason).catch(() => undefined);
  }

  function fail(reason: unknown): void {
    failed ??= { reason };
    end(reason);
  }

  async function watchIdle(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let leftMs = idleMs;
    for (;;) {
      const isOver = await clock.sleep(leftMs, timer.signal).then(
        () => false,
        () => true,
      );
      if (isOver) return;
      const waitedMs = askedAt === null ? 0 : clock.monotonic() - askedAt;
      leftMs = idleMs - waitedMs;
      if (leftMs > 0) continue;
      const reason = idle();
      controller.error(reason);
      return fail(reason);
    }
  }

  async function next(): Promise<Uint8Array | null> {
    askedAt = clock.monotonic();
    const piece = await reader.read();
    askedAt = null;
    if (piece.done) return null;
    if (!(piece.value instanceof Uint8Array)) throw noBytes();
    bytes += piece.value.length;
    await reach(bytes);
    return piece.value;
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void watchIdle(controller),
      async pull(controller) {
        try {
          const piece = await next();
          if (failed !== null) return;
          if (piece !== null) return controller.enqueue(piece);
          timer.abort(noLongerNeeded);
          controller.close();
        } catch (error) {
          fail(error);
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return { stream, failure: () => failed, bytes: () => bytes, end: () => end(undefined) };
}
