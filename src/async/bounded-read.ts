export interface BoundedReadOptions {
  /** At most this many bytes are kept; reading ends at the first piece that goes beyond. */
  maxBytes: number;
  /** Ends the reading with its reason. @default nothing does */
  signal?: AbortSignal;
  /** Called after each piece with the number of bytes that have come so far. */
  onProgress?(bytes: number): void;
}

/** The beginning of a body, or all of it. */
export interface BoundedRead {
  bytes: Uint8Array;
  /** False when the body is longer than what is kept of it. */
  isWhole: boolean;
}

/**
 * Reads a body to its end or, if it is longer than `maxBytes`, only so far; what
 * is not read is cancelled, so that its sender can stop. A body that is null is empty.
 *
 * @throws TypeError at once when somebody else reads the body · the signal's reason · what the body fails with
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
  // Not waited for: a body that hangs would hold its reader.
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

/** The pieces behind each other, which have this many bytes together. */
export function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
