import { type FileHandle, lstat, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TransformedMedia } from "../transform/transformer.ts";

const readBytes = 256 * 1_024;
const prefix = "postrider-ffmpeg-";

/**
 * Longer than two attempts of a day each, the most that a video may take: the process that created an older folder
 * has died.
 */
const abandonedMs = 3 * 86_400_000;

/** A separate folder for one video. */
export interface Scratch {
  pathOf(name: string): string;
  write(name: string, body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void>;
  sizeOf(name: string): Promise<number>;
  /** The file as a stream; the folder is deleted when the stream ends. */
  take(name: string): Promise<TransformedMedia>;
}

/** Creates a private folder, and deletes it when the work has failed or its result has been read. */
export async function withScratch(
  parent: string,
  work: (scratch: Scratch) => Promise<TransformedMedia>,
): Promise<TransformedMedia> {
  const folder = await mkdtemp(join(parent, prefix));
  const remove = () => rm(folder, { recursive: true, force: true });
  const pathOf = (name: string) => join(folder, name);
  try {
    await removeAbandoned(parent, (await stat(folder)).mtimeMs);
    return await work({
      pathOf,
      async write(name, body, signal) {
        const file = await open(pathOf(name), "wx", 0o600);
        try {
          await body.pipeTo(new WritableStream({ write: (piece) => writeAll(file, piece) }), { signal });
        } finally {
          await file.close();
        }
      },
      sizeOf: async (name) => (await stat(pathOf(name))).size,
      take: async (name) => ({
        size_bytes: (await stat(pathOf(name))).size,
        body: await streamOf(pathOf(name), remove),
      }),
    });
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Deletes the folders that killed processes left, by the disk's clock. One that cannot be read or deleted is ignored. */
async function removeAbandoned(parent: string, now: number): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const found = await lstat(path).catch(() => null);
    if (found !== null && now - found.mtimeMs > abandonedMs) await rm(path, { recursive: true }).catch(() => undefined);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, offset);
    offset += bytesWritten;
  }
}

async function streamOf(path: string, onEnd: () => Promise<void>): Promise<ReadableStream<Uint8Array>> {
  const file = await open(path);
  const end = async (): Promise<void> => {
    await file.close();
    await onEnd();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const read = await file.read(new Uint8Array(readBytes), 0, readBytes).catch(async (error: unknown) => {
          await end();
          throw error;
        });
        if (read.bytesRead > 0) return controller.enqueue(read.buffer.subarray(0, read.bytesRead));
        await end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
