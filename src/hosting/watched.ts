import { type Clock, noLongerNeeded } from "../ports/clock.ts";
import { SocialError } from "../wire/errors.ts";

export interface Watch {
  clock: Clock;
  /** How long the source may send nothing while it is asked, milliseconds. */
  idleMs: number;
  /** What the stream then fails with. */
  idle(): Error;
  /** Called before each piece is handed on, with how many bytes that makes. What it throws ends the stream. */
  reach(bytes: number): Promise<void> | void;
}

/** A stream that is read only as fast as it is asked, and ends when it is too long or says nothing. */
export interface WatchedStream {
  stream: ReadableStream<Uint8Array>;
  /** What ended it early; null: nothing, so far. */
  failure(): { reason: unknown } | null;
  /** How many have come. */
  bytes(): number;
  /** Ends it, however far it was read. */
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
  /** Since when the source has been asked for its next piece; null: it is not. */
  let askedAt: number | null = null;
  let bytes = 0;

  function end(reason: unknown): void {
    timer.abort(noLongerNeeded);
    // Not waited for: a source that hangs would hold whoever reads.
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
