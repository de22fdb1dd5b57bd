import { joined } from "../async/bounded-read.ts";
import { unknownKind } from "../media/probe/examine.ts";
import { probeMedia } from "../media/probe/probe.ts";

/** Enough to tell what kind of file it is. */
const kindBytes = 4_096;

/** What a stream begins as, and the whole of it. */
export interface Sniffed {
  /** From the bytes. */
  mimeType: string;
  stream: ReadableStream<Uint8Array>;
}

/** Says what a file is before anything of it is kept. The stream is cancelled when it is none that is taken. */
export async function sniff(stream: ReadableStream<Uint8Array>): Promise<Sniffed | { problem: string }> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < kindBytes) {
    const piece = await reader.read();
    if (piece.done) break;
    // Copied: what a sender does with its buffer afterwards is its own affair.
    pieces.push(piece.value.slice());
    length += piece.value.length;
  }
  const start = joined(pieces, length);
  const mimeType = (await probeMedia(startReader(start)))?.mime_type;
  if (mimeType !== undefined) return { mimeType, stream: streamOf(start, reader) };
  await reader.cancel();
  return { problem: length === 0 ? "is empty; give a picture or video" : unknownKind(start) };
}

function startReader(start: Uint8Array): Parameters<typeof probeMedia>[0] {
  return { sizeBytes: null, read: async (offset, length) => start.subarray(offset, offset + length) };
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
