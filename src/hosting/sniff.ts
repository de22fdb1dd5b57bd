import { unknownKind } from "../media/probe/examine.ts";
import { readStart } from "../media/read-start.ts";

/** The type of a stream, and the whole stream. */
export interface Sniffed {
  /** Determined from the bytes. */
  mimeType: string;
  stream: ReadableStream<Uint8Array>;
}

/** Determines a file's type before any of it is stored. Cancels the stream if the type is not supported. */
export async function sniff(stream: ReadableStream<Uint8Array>): Promise<Sniffed | { problem: string }> {
  const reader = stream.getReader();
  const { start, mimeType } = await readStart(async () => (await reader.read()).value);
  if (mimeType !== null) return { mimeType, stream: streamOf(start, reader) };
  await reader.cancel();
  return { problem: start.length === 0 ? "is empty; it must be an image or video" : unknownKind(start) };
}

/** A stream of the beginning and the rest. */
function streamOf(start: Uint8Array, rest: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  let unsent: Uint8Array | null = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = unsent === null ? await rest.read() : { value: unsent, done: false as const };
        unsent = null;
        if (piece.done) controller.close();
        else controller.enqueue(piece.value);
      },
      cancel: (reason) => rest.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
