import { remoteReader } from "../media/fetch-reader.ts";
import { type Examined, examineMedia } from "../media/probe/examine.ts";
import type { MediaStore } from "../media/store/store.ts";

/** Reads from the store what a file is, and whether it is whole. */
export async function examineStored(store: MediaStore, key: string, sizeBytes: number): Promise<Examined> {
  const openAt = (from: number): Promise<ReadableStream<Uint8Array> | null> => store.read(key, { from });
  const reader = remoteReader({ body: await store.read(key), sizeBytes, openAt });
  try {
    const examined = await examineMedia(reader);
    const end = reader.endBytes();
    if (end !== null && end < sizeBytes) throw new Error(`The media store returned ${end} of ${sizeBytes} bytes.`);
    return examined;
  } finally {
    await reader.close();
  }
}
