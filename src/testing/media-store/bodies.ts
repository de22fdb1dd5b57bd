import type { MediaStore, PutOptions } from "../../media/store/store.ts";

const pieceBytes = 256 * 1024;

/** More than a store sends in one request, bytes. */
export const longBytes = 9 * 1024 * 1024 + 3;

/** Bytes in which each range differs from the next. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = (index * 31 + (index >>> 8) * 7 + seed) % 251;
  return bytes;
}

export interface TestBody {
  stream: ReadableStream<Uint8Array>;
  wasCancelled(): boolean;
}

/** A body of these bytes in pieces. After the last one, it does what `atEnd` does. @default it ends */
export function bodyOf(
  bytes: Uint8Array,
  atEnd: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void> = (body) => body.close(),
): TestBody {
  let offset = 0;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (offset >= bytes.length) return atEnd(controller);
        controller.enqueue(bytes.slice(offset, offset + pieceBytes));
        offset += pieceBytes;
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, wasCancelled: () => cancelled };
}

/** A body that stalls after these bytes; `isReached` resolves when a reader waits for more. */
export function hangingBody(bytes: Uint8Array): TestBody & { isReached: Promise<void> } {
  const { promise, resolve } = reached();
  const body = bodyOf(bytes, () => {
    resolve();
    return new Promise(() => {});
  });
  return { ...body, isReached: promise };
}

function reached(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export const png: PutOptions = { contentType: "image/png", sizeBytes: null, remember: async () => {} };

/** Stores an image of these bytes. */
export function putBytes(
  store: MediaStore,
  key: string,
  bytes: Uint8Array,
  options: Partial<PutOptions> = {},
): Promise<{ size_bytes: number }> {
  return store.put(key, bodyOf(bytes).stream, { ...png, ...options });
}

/** All bytes of a stream; null: no stream. */
export async function collect(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  return stream === null ? null : new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Compares without listing a million differences. */
export function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && one.length === other.length && one.every((byte, index) => byte === other[index]);
}
