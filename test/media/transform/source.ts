import { examineMedia } from "../../../src/media/probe/examine.ts";
import type { MediaFacts } from "../../../src/media/probe/facts.ts";
import { probeMedia } from "../../../src/media/probe/probe.ts";
import type { MediaChange, MediaTransformer, TransformSource } from "../../../src/media/transform/transformer.ts";

/** The output, read to its end. */
export interface MadeFile {
  bytes: Uint8Array;
  size_bytes: number;
}

function readerOf(bytes: Uint8Array) {
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return { sizeBytes: bytes.length, read };
}

export function sourceOf(bytes: Uint8Array, facts: Partial<MediaFacts> = {}): TransformSource {
  return {
    type: "image",
    mime_type: "image/jpeg",
    width: null,
    height: null,
    duration_seconds: null,
    ...facts,
    size_bytes: bytes.length,
    read: async (range) => new Blob([Buffer.from(bytes.subarray(range?.from, range?.to))]).stream(),
  };
}

/** @throws Error unless the file is complete and accepted */
export async function factsOf(bytes: Uint8Array): Promise<MediaFacts> {
  const examined = await examineMedia(readerOf(bytes));
  if ("problem" in examined) throw new Error(examined.problem);
  return examined.facts;
}

export async function makeOf(
  transformer: MediaTransformer,
  bytes: Uint8Array,
  change: MediaChange,
  signal = new AbortController().signal,
): Promise<MadeFile> {
  const examined = await examineMedia(readerOf(bytes));
  const facts = "facts" in examined ? examined.facts : ((await probeMedia(readerOf(bytes))) ?? undefined);
  const { body, size_bytes } = await transformer.transform(sourceOf(bytes, facts), change, { signal });
  return { bytes: new Uint8Array(await new Response(body).arrayBuffer()), size_bytes };
}
