import type { MediaStore, PutOptions } from "../../media/store/store.ts";

const pieceBytes = 256 * 1024;

/** More than a store sends in one request. */
export const longBytes = 9 * 1024 * 1024 + 3;

/** Bytes of which each stretch differs from the next. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = (index * 31 + (index >>> 8) * 7 + seed) % 251;
  return bytes;
}

export interface TestBody {
  stream: ReadableStream<Uint8Array>;
  wasCancelled(): boolean;
}

/** A body of these bytes in pieces. Behind the last one it does what `atEnd` says. @default it ends */
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

/** A body that hangs behind these bytes; `isReached` when somebody waits for more. */
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

/** Puts a picture of these bytes. */
export function putBytes(
  store: MediaStore,
  key: string,
  bytes: Uint8Array,
  options: Partial<PutOptions> = {},
): Promise<{ size_bytes: number }> {
  return store.put(key, bodyOf(bytes).stream, { ...png, ...options });
}

/** All bytes of a stream; null for none. */
export async function collect(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  return stream === null ? null : new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Compared without a list of a million differences. */
export function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && one.length === other.length && one.every((byte, index) => byte === other[index]);
}
