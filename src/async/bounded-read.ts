export interface BoundedReadOptions {
  /** Maximum number of bytes to keep. Reading stops at the first piece that exceeds it. */
  maxBytes: number;
  /** Aborts the reading with its reason. @default none */
  signal?: AbortSignal;
  /** Called after each piece with the number of bytes so far. */
  onProgress?(bytes: number): void;
}

/** The beginning of a body, or all of it. */
export interface BoundedRead {
  bytes: Uint8Array;
  /** False: the body is longer than the kept bytes. */
  isWhole: boolean;
}

/**
 * Reads a body to its end, or up to `maxBytes`; the rest is cancelled, so that its sender can stop. A null body is
 * empty.
 *
 * @throws TypeError immediately if the body already has a reader · the signal's reason · the body's error
 */
export function readBounded(
  body: ReadableStream<Uint8Array> | null,
  options: BoundedReadOptions,
): Promise<BoundedRead> {
  if (body === null) return Promise.resolve({ bytes: new Uint8Array(), isWhole: true });
  return readPieces(body.getReader(), options);
}

async function readPieces(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, signal, onProgress }: BoundedReadOptions,
): Promise<BoundedRead> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isAtEnd = false;
  // Not awaited: a stalled body would block its reader.
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    while (length <= maxBytes) {
      const next = await reader.read();
      isAtEnd = next.done;
      if (next.done) break;
      length += next.value.length;
      onProgress?.(length);
      pieces.push(next.value);
    }
    // A cancelled body looks as if it had ended.
    signal?.throwIfAborted();
    return { bytes: joined(pieces, length).subarray(0, maxBytes), isWhole: length <= maxBytes };
  } finally {
    signal?.removeEventListener("abort", cancel);
    if (!isAtEnd) cancel();
  }
}

/** Concatenates pieces of this total length. */
export function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
