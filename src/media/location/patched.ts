import type { Patch } from "./search.ts";

/**
 * The same stream with patches applied.
 *
 * @param from the file offset of its first byte
 */
export function patched(
  stream: ReadableStream<Uint8Array>,
  from: number,
  patches: readonly Patch[],
): ReadableStream<Uint8Array> {
  if (patches.length === 0) return stream;
  let offset = from;
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        controller.enqueue(withPatches(value, offset, patches));
        offset += value.length;
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** A piece of a file with the patches that touch it. The original piece is not changed, since other code may hold it. */
export function withPatches(piece: Uint8Array, from: number, patches: readonly Patch[]): Uint8Array {
  const to = from + piece.length;
  const touching = patches.filter(({ offset, bytes }) => offset < to && offset + bytes.length > from);
  if (touching.length === 0) return piece;
  // A Buffer's own `slice` does not copy.
  const copy = new Uint8Array(piece);
  for (const { offset, bytes } of touching) {
    const start = Math.max(offset, from);
    copy.set(bytes.subarray(start - offset, to - offset), start - from);
  }
  return copy;
}
