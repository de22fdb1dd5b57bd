import { unknownKind } from "../media/probe/examine.ts";
import { readStart } from "../media/read-start.ts";

/** What a stream begins as, and the whole of it. */
export interface Sniffed {
  /** From the bytes. */
  mimeType: string;
  stream: ReadableStream<Uint8Array>;
}

/** Says what a file is before anything of it is kept. The stream is cancelled when it is none that is taken. */
export async function sniff(stream: ReadableStream<Uint8Array>): Promise<Sniffed | { problem: string }> {
  const reader = stream.getReader();
  const { start, mimeType } = await readStart(async () => (await reader.read()).value);
  if (mimeType !== null) return { mimeType, stream: streamOf(start, reader) };
  await reader.cancel();
  return { problem: start.length === 0 ? "is empty; it must be an image or video" : unknownKind(start) };
}

/** The beginning again, and what comes behind it. */
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
