import { MediaStoreFailure, type PutOptions } from "./store.ts";

/**
 * The body piece by piece, each when it is asked for. Whoever stops asking
 * cancels the body.
 *
 * @throws MediaStoreFailure `wrong_length` before a piece is handed on that goes beyond, and at the end of a body that is
 * too short · the signal's reason · what the body fails with · TypeError for a piece that is no bytes
 */
export async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  { sizeBytes, signal }: Pick<PutOptions, "sizeBytes" | "signal">,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  // Not waited for: a body that hangs would hold its reader.
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
  let length = 0;
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", cancel, { once: true });
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!(next.value instanceof Uint8Array)) throw new TypeError("body: Must be a stream of Uint8Array.");
      length += next.value.length;
      if (sizeBytes !== null && length > sizeBytes) throw wrongLength("longer", sizeBytes);
      yield next.value;
    }
    // A cancelled body looks as if it had ended.
    signal?.throwIfAborted();
    if (sizeBytes !== null && length < sizeBytes) throw wrongLength("shorter", sizeBytes);
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function wrongLength(how: string, sizeBytes: number): MediaStoreFailure {
  return new MediaStoreFailure("wrong_length", `The body is ${how} than ${sizeBytes} bytes.`);
}

/** Does the work that takes the body, and cancels a body that it never began to read: its source may hold a connection. */
export async function withBody<Result>(body: ReadableStream<Uint8Array>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    if (!body.locked) body.cancel().catch(() => undefined);
  }
}

/** Of an upload that was deleted by its handle while it ran. */
export function removedMeanwhile(cause?: unknown): MediaStoreFailure {
  return new MediaStoreFailure("removed", "The upload was deleted while it ran.", { cause });
}
